package alert

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
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
	}
	err := s.rows(ctx).Model(&models.Hit{}).Select("watcher_id, count(*) as count, max(at) as last, "+
		"count(*) filter (where feedback = ?) as confirmed, count(*) filter (where feedback = ?) as dismissed", models.Confirm, models.Dismiss).
		Where("watcher_id = any (?) and account_id = ?", column.Array[string](ids), accountID).Group("watcher_id").Find(&sums).Error
	if err != nil {
		return nil, fmt.Errorf("count hits: %w", err)
	}
	out := make(map[string]models.HitTotal, len(sums))
	for _, t := range sums {
		out[t.WatcherID] = models.HitTotal{Count: t.Count, Last: new(t.Last.UTC()), Confirmed: t.Confirmed, Dismissed: t.Dismissed}
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

// Feedback stores what the owner of a watcher says of a hit, in any letter case, and returns the hit as it
// then is. Dismiss also drops what was under way to the watcher about that person, with reason dismissed;
// Confirm and Unsure undo a dismissal for the future. Another word is CodeInvalidRequest, an unknown hit
// CodeNotFound.
func (s *Store) Feedback(ctx context.Context, accountID, hitID string, v models.HitFeedback) (*models.Hit, error) {
	return s.feedback(ctx, accountID, hitID, v, models.ThisPerson)
}

// DismissSpelling is Feedback with Dismiss for everybody whose name is written as that of the hit, in any order of the words, instead of
// for the person. The watched name itself cannot be dismissed so: that is CodeConflict.
func (s *Store) DismissSpelling(ctx context.Context, accountID, hitID string) (*models.Hit, error) {
	return s.feedback(ctx, accountID, hitID, models.Dismiss, models.ThisSpelling)
}

func (s *Store) feedback(ctx context.Context, accountID, hitID string, v models.HitFeedback, scope models.DismissScope) (*models.Hit, error) {
	if err := models.PlainText("id", hitID); err != nil {
		return nil, err
	}
	v = models.HitFeedback(strings.ToLower(string(v)))
	if v != models.Confirm && v != models.Dismiss && v != models.Unsure {
		return nil, models.InvalidBody("verdict", "verdict is one of confirm, dismiss, unsure")
	}
	err := s.Joint(ctx, func(tx *joint.Tx) error { return s.judge(ctx, tx, accountID, hitID, v, scope) })
	if err != nil {
		return nil, db.Known("note feedback", err)
	}
	return s.Hit(ctx, accountID, hitID)
}

// errWatchedSpelling is for a dismissal that would silence the watched name itself.
var errWatchedSpelling = &models.Error{
	Code: models.CodeConflict, Field: "scope",
	Message: "this is the name that the alert watches, so it cannot be dismissed as a spelling; dismiss the person, or give the alert a birth date or county",
}

// spelt returns the spelling of a hit's booking, which its watcher does not watch for.
func spelt(tx *joint.Tx, hitID string) (*string, error) {
	var names struct{ Watched, Booked string }
	err := tx.Gorm().Table("hits h").Joins("join watchers w on w.id = h.watcher_id").Joins("join published_bookings b on b.rid = h.rid").
		Select("w.name as watched, b.name as booked").Where("h.id = ?", hitID).Take(&names).Error
	if err != nil {
		return nil, err
	}
	spelling := models.Spelling(names.Booked)
	if spelling == models.Spelling(names.Watched) {
		return nil, errWatchedSpelling
	}
	return &spelling, nil
}

// judge is Feedback in its transaction. The lock on the watcher's row makes it wait for matching that is
// running, so that no delivery about a dismissed person slips through in between.
func (s *Store) judge(ctx context.Context, tx *joint.Tx, accountID, hitID string, v models.HitFeedback, scope models.DismissScope) error {
	now := s.Moment()
	// A transaction that matches for the watcher holds its row, so what it makes is there before this goes on.
	hit, err := db.One[models.DismissedHit](tx.Gorm().Table("hits h").Joins("join watchers w on w.id = h.watcher_id").
		Select("h.id as hit_id, h.watcher_id, h.rid").Where("h.id = ? and h.account_id = ?", hitID, accountID).
		Clauses(clause.Locking{Strength: "no key update", Table: clause.Table{Name: "w"}}), errNoHit)
	if err != nil {
		return err
	}
	noted := tx.Gorm().Table("hits").Where("id in (select p.id from published_hits p where p.id = ?)", hitID).
		Updates(map[string]any{"feedback": v, "feedback_at": now})
	if noted.Error != nil {
		return noted.Error
	}
	if noted.RowsAffected == 0 {
		return errNoHit
	}
	if v != models.Dismiss {
		return tx.Gorm().Where("hit_id = ?", hitID).Delete(&models.DismissedHit{}).Error
	}
	hit.At = now
	if scope == models.ThisSpelling {
		if hit.Spelling, err = spelt(tx, hitID); err != nil {
			return err
		}
	}
	// Said again, it is what was said last.
	last := clause.OnConflict{Columns: []clause.Column{{Name: "hit_id"}}, DoUpdates: clause.AssignmentColumns([]string{"spelling"})}
	if err := tx.Gorm().Clauses(last).Create(hit).Error; err != nil {
		return err
	}
	return dropDismissed(ctx, tx.Pgx(), hitID, hit.WatcherID, now)
}
