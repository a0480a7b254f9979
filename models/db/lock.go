package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// LockLinkTables serialises the writers of links and of decisions about links until tx ends.
// Without it a linking run could write a link that an operator dismisses at that moment.
func LockLinkTables(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `select from link_progress for update`); err != nil {
		return fmt.Errorf("wait for other writers of links: %w", err)
	}
	return nil
}

// Advisory locks, each held until commit.
const (
	// LockWatchers begins a transaction that changes watchers of an account, its argument. Other accounts do not wait for it;
	// batches of changes do.
	LockWatchers = `select lock_watchers(?)`
	// LockEvents orders the transactions that make events by their commits, so that a reader that follows events by number
	// misses none.
	LockEvents = `select pg_advisory_xact_lock(1919904883)`
	// LockConfirmations lets one transaction at a time count and note mails that ask an address to confirm.
	LockConfirmations = `select pg_advisory_xact_lock(1919904885)`
	// LockSourceNotices lets one transaction at a time note which sources are stale.
	LockSourceNotices = `select pg_advisory_xact_lock(1919904884)`
)
