package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// WatchersSince returns up to limit watchers that changed after revision rev, in the order of revisions; with
// activeOnly only those that are neither paused nor deleted, for a first load. A transaction that has drawn an older revision
// may commit later: a reader goes on from what SettledWatchers returned before it read.
func (s *Store) WatchersSince(ctx context.Context, rev int64, limit int, activeOnly bool) ([]models.StandingWatcher, error) {
	found, err := collect[models.StandingWatcher](ctx, s.Pool(), "watchers_since", pgx.NamedArgs{"rev": rev, "limit": limit, "active_only": activeOnly})
	if err != nil {
		return nil, fmt.Errorf("follow watchers: %w", err)
	}
	return found, nil
}

// SettledWatchers returns a revision up to which no change of a watcher is under way: whoever reads WatchersSince after it,
// sees all of them.
func (s *Store) SettledWatchers(ctx context.Context) (rev int64, err error) {
	err = s.Pool().QueryRow(ctx, `select settled_watchers()`).Scan(&rev)
	return rev, db.Known("follow watchers", err)
}

// ListenWatchers calls heard whenever watchers may have changed, and once when it is connected. It returns
// when the connection or ctx ends. A caller that must miss nothing reads WatchersSince in heard, and listens
// again after an error.
func (s *Store) ListenWatchers(ctx context.Context, heard func()) error {
	return s.Listen(ctx, db.Whenever(db.WatchersChannel, heard))
}

// HasOpenChanges reports whether changes wait that were detected longer ago than grace. Their match job may
// be lost; a sweep then inserts another.
func (s *Store) HasOpenChanges(ctx context.Context, grace time.Duration) (bool, error) {
	var some []int64
	err := s.rows(ctx).Model(&models.ChangeRow{}).Where("matched_at is null and detected_at < ?", s.Now().UTC().Add(-grace)).
		Limit(1).Pluck("id", &some).Error
	if err != nil {
		return false, fmt.Errorf("look for open changes: %w", err)
	}
	return len(some) > 0, nil
}
