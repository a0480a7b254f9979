package migrations

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// KeepDigests writes down the digests of the embedded files, as a process does before it applies the first.
func KeepDigests(ctx context.Context, pool *pgxpool.Pool) error {
	p, err := goose.NewProvider(goose.DialectPostgres, stdlib.OpenDBFromPool(pool), files)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	own, err := digestsOf(p.ListSources())
	if err != nil {
		return err
	}
	return keepDigests(ctx, pool, own)
}
