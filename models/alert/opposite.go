package alert

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// Opposite returns the hit of the same watcher with the answer opposite to hit's, the one answered last, where one of the two dismissals
// covers the other hit's booking: the watcher does not report that person any more, who was confirmed by the other answer. Nil: there is
// none. Hits on records that are not published are left out.
func (s *Store) Opposite(ctx context.Context, hit *models.Hit) (*models.Hit, error) {
	type answered struct {
		HitID string
		models.Subject
	}
	rows, err := collect[answered](ctx, s.Pool(), "opposite_answers", pgx.NamedArgs{"watcher": hit.WatcherID, "hit": hit.ID})
	if err != nil {
		return nil, fmt.Errorf("read opposite answers: %w", err)
	}
	if len(rows) < 2 || rows[0].HitID != hit.ID {
		return nil, nil //nolint:nilnil // there is none
	}
	rids := make([]int64, len(rows))
	for i, r := range rows {
		rids[i] = r.RID
	}
	found, err := dismissed(ctx, s.Pool(), []string{hit.WatcherID}, nil, rids)
	if err != nil {
		return nil, err
	}
	covers := func(rid int64, b *models.Subject) bool {
		return slices.ContainsFunc(found[hit.WatcherID], func(d models.Dismissal) bool { return d.RID == rid && d.Covers(b) })
	}
	this := rows[0]
	for _, other := range rows[1:] { // one of the two was dismissed
		if covers(this.RID, &other.Subject) || covers(other.RID, &this.Subject) {
			return s.Hit(ctx, hit.AccountID, other.HitID)
		}
	}
	return nil, nil //nolint:nilnil // there is none
}
