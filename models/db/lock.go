package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// LockLinkTables makes whoever writes links or verdicts wait for one another.
func LockLinkTables(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `select from link_progress for update`); err != nil {
		return fmt.Errorf("wait for other writers of links: %w", err)
	}
	return nil
}

// LockWatchers takes the lock that the triggers of watchers take: until commit nobody else changes one.
const LockWatchers = `select pg_advisory_xact_lock(1919904882)`
