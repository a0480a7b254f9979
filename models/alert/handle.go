package alert

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// Feedback is Handle with an answer alone, by nobody in particular.
func (s *Store) Feedback(ctx context.Context, accountID, hitID string, v models.HitFeedback) (*models.Hit, error) {
	return s.Handle(ctx, accountID, hitID, models.Handling{Answer: &v})
}

// DismissSpelling is Feedback with Dismiss for everybody whose name is written as that of the hit, in any order of the words,
// instead of for the person.
func (s *Store) DismissSpelling(ctx context.Context, accountID, hitID string) (*models.Hit, error) {
	return s.Handle(ctx, accountID, hitID, models.Handling{Answer: new(models.Dismiss), Scope: models.ThisSpelling})
}

// Handle stores what somebody does with a hit, and returns the hit as it then is: an answer in any letter case, whom it is
// assigned to, and whether it is read. Dismiss also drops what was under way to the watcher about that person, with reason
// dismissed; Confirm and Unsure undo a dismissal for the future. Another word, or an assignee who is no member, is
// CodeInvalidRequest, and an unknown hit CodeNotFound. If what.Seen is no longer the version of the hit, it is CodeConflict:
// nothing is stored, and the message says who was there before. The watched name itself cannot be dismissed as a spelling, which
// is CodeConflict too.
func (s *Store) Handle(ctx context.Context, accountID, hitID string, what models.Handling) (*models.Hit, error) {
	if err := models.PlainText("id", hitID); err != nil {
		return nil, err
	}
	if err := answerable(what.Answer); err != nil {
		return nil, err
	}
	err := s.Joint(ctx, func(tx *joint.Tx) error { return s.handle(ctx, tx, accountID, hitID, &what) })
	if err != nil {
		return nil, db.Known("handle hit", err)
	}
	return s.Hit(ctx, accountID, hitID)
}

// handle is Handle in its transaction. The lock on the watcher's row makes it wait for others who handle its hits, and for
// matching that is running, so that no delivery about a dismissed person slips through in between.
func (s *Store) handle(ctx context.Context, tx *joint.Tx, accountID, hitID string, what *models.Handling) error {
	now := s.Moment()
	hit, err := db.One[models.DismissedHit](tx.Gorm().Table("hits h").Joins("join watchers w on w.id = h.watcher_id").
		Select("h.id as hit_id, h.watcher_id, h.rid").Where("h.id = ? and h.account_id = ?", hitID, accountID).
		Clauses(clause.Locking{Strength: "no key update", Table: clause.Table{Name: "w"}}), errNoHit)
	if err != nil {
		return err
	}
	// Read behind the lock, in a statement of its own: the one above saw the hit before it waited.
	seen, err := db.One[models.Hit](tx.Gorm().Where("id = ?", hitID), errNoHit)
	if err != nil {
		return err
	}
	if !seen.Is(what.Seen) {
		return seen.Overtaken()
	}
	values, err := written(tx.Gorm(), accountID, what, now)
	if err != nil {
		return err
	}
	if err := tx.Gorm().Table("hits").Where("id = ?", hitID).Updates(values).Error; err != nil {
		return err
	}
	if what.Answer == nil {
		return nil
	}
	hit.At = now
	return dismissal(ctx, tx, hit, what)
}

// written are the columns that a handling changes.
func written(tx *gorm.DB, accountID string, what *models.Handling, now time.Time) (map[string]any, error) {
	values := map[string]any{"rev": gorm.Expr("rev + 1"), "handled_by": gorm.Expr("actor_of(?, ?)", what.UserID, what.KeyID), "handled_at": now}
	if what.Answer != nil {
		values["feedback"], values["feedback_at"] = *what.Answer, now
	}
	if what.Read != nil {
		values["read_at"] = nil
		if *what.Read {
			values["read_at"] = now
		}
	}
	if what.Assignee != nil {
		values["assignee_id"] = nil
		if *what.Assignee != "" {
			id, err := memberOf(tx, accountID, *what.Assignee)
			if err != nil {
				return nil, err
			}
			values["assignee_id"] = id
		}
	}
	return values, nil
}

// memberOf returns the id of the member of an account with that e-mail address, in any letter case.
func memberOf(tx *gorm.DB, accountID, email string) (string, error) {
	if err := models.PlainText("assignee", email); err != nil {
		return "", err
	}
	u, err := db.One[models.User](tx.Select("id").Where("account_id = ? and lower(email) = lower(?)", accountID, email),
		models.InvalidBody("assignee", "assignee must be the e-mail address of a member of this account"))
	if err != nil {
		return "", err
	}
	return u.ID, nil
}

// dismissal begins or ends the dismissal of a hit, as its answer says.
func dismissal(ctx context.Context, tx *joint.Tx, hit *models.DismissedHit, what *models.Handling) (err error) {
	if *what.Answer != models.Dismiss {
		return tx.Gorm().Where("hit_id = ?", hit.HitID).Delete(&models.DismissedHit{}).Error
	}
	if what.Scope == models.ThisSpelling {
		if hit.Spelling, err = spelt(tx, hit.HitID); err != nil {
			return err
		}
	}
	// Said again, it is what was said last.
	last := clause.OnConflict{Columns: []clause.Column{{Name: "hit_id"}}, DoUpdates: clause.AssignmentColumns([]string{"spelling"})}
	if err := tx.Gorm().Clauses(last).Create(hit).Error; err != nil {
		return err
	}
	return dropDismissed(ctx, tx.Pgx(), hit.HitID, hit.WatcherID, hit.At)
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
