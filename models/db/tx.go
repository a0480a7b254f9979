package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models/db/joint"
)

// InTx runs fn in one transaction without the statement time-out: applying a snapshot may take
// minutes. It commits when fn returns nil, and otherwise keeps nothing and returns the error.
func (d *DB) InTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, d.plain.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local statement_timeout = 0`); err != nil {
			return fmt.Errorf("lift statement time-out: %w", err)
		}
		return fn(tx)
	})
}

// Joint is InTx for a transaction that GORM and pgx share: what either writes is kept together, or
// not at all (package joint).
func (d *DB) Joint(ctx context.Context, fn func(tx *joint.Tx) error) error {
	return joint.Run(ctx, d.plain.gorm, fn)
}
