package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// WatchersSince gives up to limit watchers that changed after revision rev, in the order of revisions;
// with activeOnly those that watch, for a first load. Revisions become visible in order: whoever has
// read up to one has all before it.
func (s *Store) WatchersSince(ctx context.Context, rev int64, limit int, activeOnly bool) ([]models.StandingWatcher, error) {
	rows, err := s.Pool().Query(ctx, `select id, name, county_id, level, dob, birth_year, deleted_at is null and not paused, rev from watchers
 where rev > $1 and (not $3 or deleted_at is null and not paused) order by rev limit $2`, rev, limit, activeOnly)
	if err != nil {
		return nil, fmt.Errorf("follow watchers: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.StandingWatcher])
	if err != nil {
		return nil, fmt.Errorf("follow watchers: %w", err)
	}
	return found, nil
}

// ListenWatchers calls heard whenever watchers may have changed, and once when it is connected. It returns when
// the connection or ctx ends. Whoever must miss nothing reads WatchersSince on every call, and calls it again.
func (s *Store) ListenWatchers(ctx context.Context, heard func()) error {
	return s.Listen(ctx, db.Whenever(db.WatchersChannel, heard))
}

// HasOpenChanges tells whether changes wait that were detected longer ago than grace: their job may be
// lost.
func (s *Store) HasOpenChanges(ctx context.Context, grace time.Duration) (bool, error) {
	var open bool
	err := s.Pool().QueryRow(ctx, `select exists (select from changes where matched_at is null and detected_at < $1)`, s.Now().UTC().Add(-grace)).Scan(&open)
	if err != nil {
		return false, fmt.Errorf("look for open changes: %w", err)
	}
	return open, nil
}
