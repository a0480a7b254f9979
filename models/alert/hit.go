package alert

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
)

// errNoHit is for a hit that does not exist, is another account's, or is on a record that is not published.
// The three look alike, so that a withheld record is not revealed.
var errNoHit = models.NotFound("there is no hit with this id")

// round rounds the probability of hits to the four decimals that are shown: PostgreSQL's real holds six
// digits at most.
func round(hits []*models.Hit) []*models.Hit {
	for _, h := range hits {
		h.Probability = math.Round(h.Probability*1e4) / 1e4
	}
	return hits
}

// Hits returns one page of the hits of a watcher of the account, newest first: by offset, or after the hit with
// the id p.After. An After that is no hit of this watcher is CodeInvalidParameter. Hits on records that are not
// published are left out, here and in the other methods.
func (s *Store) Hits(ctx context.Context, accountID, watcherID string, p models.Page) ([]*models.Hit, error) {
	if err := models.PlainText("after", p.After); err != nil {
		return nil, err
	}
	q := s.rows(ctx).Where("watcher_id = ? and account_id = ?", watcherID, accountID)
	if p.After != "" {
		// It may be on a record that was withheld meanwhile.
		last, err := db.One[models.Hit](s.rows(ctx).Table("hits").Select("at").Where("id = ? and watcher_id = ? and account_id = ?", p.After, watcherID, accountID),
			models.Invalid("after", "after is not the id of a hit of this alert"))
		if err != nil {
			return nil, db.Known("read hit", err)
		}
		q = q.Where("(at, id) < (?, ?)", last.At, p.After)
	}
	var found []*models.Hit
	if err := q.Order("at desc, id desc").Limit(p.Limit).Offset(p.Offset).Find(&found).Error; err != nil {
		return nil, fmt.Errorf("list hits: %w", err)
	}
	return round(found), nil
}

// HitTotals returns the number of hits, the time of the last one and the answers for each of an account's watchers that
// ids name. It counts what Hits lists. Watchers without a hit are left out.
func (s *Store) HitTotals(ctx context.Context, accountID string, ids []string) (map[string]models.HitTotal, error) {
	var sums []struct {
		WatcherID            string
		Count                int
		Last                 time.Time
		Confirmed, Dismissed int
		Unread               int
	}
	err := s.rows(ctx).Model(&models.Hit{}).Select("watcher_id, count(*) as count, max(at) as last, "+
		"count(*) filter (where feedback = ?) as confirmed, count(*) filter (where feedback = ?) as dismissed, "+
		"count(*) filter (where state = ?) as unread", models.Confirm, models.Dismiss, models.HitUnread).
		Where("watcher_id = any (?) and account_id = ?", column.Array[string](ids), accountID).Group("watcher_id").Find(&sums).Error
	if err != nil {
		return nil, fmt.Errorf("count hits: %w", err)
	}
	out := make(map[string]models.HitTotal, len(sums))
	for _, t := range sums {
		out[t.WatcherID] = models.HitTotal{Count: t.Count, Last: new(t.Last.UTC()), Confirmed: t.Confirmed, Dismissed: t.Dismissed, Unread: t.Unread}
	}
	return out, nil
}

// HitsByID returns those of the account's hits that ids name, in the order of ids. Others are left out.
func (s *Store) HitsByID(ctx context.Context, accountID string, ids []string) ([]*models.Hit, error) {
	var found []*models.Hit
	if err := s.rows(ctx).Where("id = any (?) and account_id = ?", column.Array[string](ids), accountID).Find(&found).Error; err != nil {
		return nil, fmt.Errorf("read hits: %w", err)
	}
	return db.ByID(round(found), ids, func(h *models.Hit) string { return h.ID }), nil
}

// Hit returns a hit of the account, or CodeNotFound.
func (s *Store) Hit(ctx context.Context, accountID, id string) (*models.Hit, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	list, err := s.HitsByID(ctx, accountID, []string{id})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errNoHit
	}
	return list[0], nil
}

// answerable brings an answer to its own letters, and refuses one that is none.
func answerable(answer *models.HitFeedback) error {
	if answer == nil {
		return nil
	}
	*answer = models.HitFeedback(strings.ToLower(string(*answer)))
	if !slices.Contains([]models.HitFeedback{models.Confirm, models.Dismiss, models.Unsure}, *answer) {
		return models.InvalidBody("verdict", "verdict must be confirm, dismiss or unsure")
	}
	return nil
}
