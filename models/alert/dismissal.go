package alert

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/delivery"
)

// dismissed reads which people watchers have dismissed, by watcher; with a hit, only what was dismissed by
// that hit. rids are the records in question: of them, People are those that a source or a confirmed link
// says are the same person's.
func dismissed(ctx context.Context, on querier, watcherIDs []string, hitID *string, rids []int64) (map[string][]models.Dismissal, error) {
	type row struct {
		WatcherID string
		models.Dismissal
	}
	rows, err := collect[row](ctx, on, "dismissals", pgx.NamedArgs{"watchers": watcherIDs, "hit": hitID, "rids": rids})
	if err != nil {
		return nil, fmt.Errorf("read dismissals: %w", err)
	}
	out := map[string][]models.Dismissal{}
	for _, r := range rows {
		out[r.WatcherID] = append(out[r.WatcherID], r.Dismissal)
	}
	return out, nil
}

// Dismissed returns which people watchers have dismissed, by watcher. rids are the records that are about to
// fire: of them, People names those known to be the same person's. A dismissal that is missed here alerts an
// account again about somebody it has ruled out.
func (m *Matching) Dismissed(ctx context.Context, watcherIDs []string, rids []int64) (map[string][]models.Dismissal, error) {
	return dismissed(ctx, m.tx, watcherIDs, nil, rids)
}

// dropDismissed cancels what is under way to a watcher about the person of a dismissal. The caller holds the
// watcher's row: a match for it that is running has committed by then, and a later one reads the dismissal.
func dropDismissed(ctx context.Context, tx pgx.Tx, hitID, watcherID string, now time.Time) error {
	waiting, err := collect[models.Subject](ctx, tx, "people_under_way", pgx.NamedArgs{"watcher": watcherID})
	if err != nil {
		return fmt.Errorf("read people under way: %w", err)
	}
	if len(waiting) == 0 {
		return nil
	}
	rids := make([]int64, len(waiting))
	for i, b := range waiting {
		rids[i] = b.RID
	}
	found, err := dismissed(ctx, tx, []string{watcherID}, &hitID, rids)
	if err != nil {
		return err
	}
	rids = rids[:0]
	for _, b := range waiting {
		if slices.ContainsFunc(found[watcherID], func(d models.Dismissal) bool { return d.Covers(&b) }) {
			rids = append(rids, b.RID)
		}
	}
	return delivery.CancelDismissed(ctx, tx, watcherID, rids, now)
}
