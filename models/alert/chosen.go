package alert

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
	"rollcall/models/delivery"
)

// Chosen says which watchers of an account a change of many is for: those of a label, those that IDs name, or all of them.
// Exactly one of the three is given.
type Chosen struct {
	Label *string
	IDs   []string
	All   bool
	// Seen is the WatcherRevision of the list that they were chosen from: those that were made or changed since are left as
	// they are, and counted. nil: they are changed whatever they are by now.
	Seen *int64
}

// ManyChange is what may be changed of many watchers at once; nil leaves it as it is. An empty label takes labels away.
type ManyChange struct {
	Paused *bool
	Level  *models.MatchLevel
	Label  *string
	By     models.Actor // who changes them
}

// Many is what became of chosen watchers.
type Many struct {
	// Found are those that exist.
	Found int
	// Done are those of them that became another, or were deleted.
	Done int
	// Newer are those of them that were left as they are, as they changed after Chosen.Seen.
	Newer int
	// Examples are some of the newer ones, with id and name.
	Examples []*models.Watcher
}

// maxExamples bounds Many.Examples.
const maxExamples = 10

// WatcherRevision returns the revision of the newest change of an account's watchers. Read before a list, it is what
// Chosen.Seen takes.
func (s *Store) WatcherRevision(ctx context.Context, accountID string) (rev int64, err error) {
	sums, err := sumsOf(s.rows(ctx), accountID)
	return sums.Rev, db.Known("read revision of watchers", err)
}

// ChangeWatchers changes the chosen watchers in one transaction. What was under way for those that are paused ends as
// UpdateWatcher has it. If none is chosen, it is CodeNotFound.
func (s *Store) ChangeWatchers(ctx context.Context, accountID string, which Chosen, c ManyChange) (*Many, error) {
	as := models.Watcher{Level: models.LevelNormal}
	if err := as.Apply(c.each()); err != nil {
		return nil, err
	}
	values := map[string]any{}
	if c.Paused != nil {
		values["paused"] = as.Paused
	}
	if c.Level != nil {
		values["level"] = as.Level
	}
	if c.Label != nil {
		values["label"] = as.Label
	}
	if len(values) == 0 {
		return nil, models.InvalidBody("input", "say what to change: paused, level or label")
	}
	out, err := s.many(ctx, accountID, which, func(tx *joint.Tx, chosen narrowing) ([]string, error) {
		if c.Level != nil {
			if err := allKeepFinding(tx.Gorm().Scopes(chosen), as.Level); err != nil {
				return nil, err
			}
		}
		ids, err := s.change(ctx, tx, c, values, func(q *gorm.DB) *gorm.DB {
			return q.Scopes(chosen).Where("? and paused <> ? or ? and level <> ? or ? and label is distinct from ?",
				c.Paused != nil, as.Paused, c.Level != nil, as.Level, c.Label != nil, as.Label)
		})
		if err != nil || !as.Paused {
			return ids, err
		}
		return ids, delivery.CancelPaused(ctx, tx.Pgx(), s.Moment(), ids...)
	})
	return out, db.Known("change watchers", err)
}

// each is the change of one of the watchers.
func (c *ManyChange) each() models.WatcherChange {
	return models.WatcherChange{Level: c.Level, Label: c.Label, Paused: c.Paused}
}

// change writes values, which are those of c, to the watchers that become another, with an edit of each. It returns their ids. The
// account's lock, which every change of a watcher takes, keeps what is read here as it is until it is written.
func (s *Store) change(ctx context.Context, tx *joint.Tx, c ManyChange, values map[string]any, others narrowing) ([]string, error) {
	var before []*models.Watcher
	if err := tx.Gorm().Scopes(others).Select("id", "paused", "level", "label").Find(&before).Error; err != nil {
		return nil, err
	}
	rows, err := updated(tx.Gorm().Scopes(others), values)
	if err != nil {
		return nil, err
	}
	revs := make(map[string]int64, len(rows))
	for _, w := range rows {
		revs[w.ID] = w.Rev
	}
	log := edits{s: s, by: c.By}
	for _, was := range before {
		now := *was
		if err := now.Apply(c.each()); err != nil {
			return nil, err
		}
		now.Rev = revs[now.ID]
		log.add(was, &now)
	}
	return idsOf(rows), log.write(ctx, tx)
}

// allKeepFinding refuses another level if one of the watchers finds nobody there.
func allKeepFinding(chosen *gorm.DB, level models.MatchLevel) error {
	var others []*models.Watcher
	err := chosen.Select("id", "level", "name", "county_id", "dob", "birth_year", "age", "age_on").Where("level <> ?", level).Find(&others).Error
	if err != nil {
		return err
	}
	for _, w := range others {
		if err := keepsFinding(w, &level); err != nil {
			return err
		}
	}
	return nil
}

// DeleteWatchers deletes the chosen watchers in one transaction as DeleteWatcher does. If none is chosen, it is CodeNotFound.
func (s *Store) DeleteWatchers(ctx context.Context, accountID string, which Chosen) (*Many, error) {
	out, err := s.many(ctx, accountID, which, func(tx *joint.Tx, chosen narrowing) ([]string, error) {
		now := s.Moment()
		rows, err := updated(tx.Gorm().Scopes(chosen), map[string]any{"deleted_at": now})
		if err != nil {
			return nil, err
		}
		ids := idsOf(rows)
		if err := forgetEdits(tx.Gorm(), ids...); err != nil {
			return nil, err
		}
		return ids, delivery.CancelDeleted(ctx, tx.Pgx(), now, ids...)
	})
	return out, db.Known("delete watchers", err)
}

// ChosenWatchers counts the chosen watchers and changes nothing. If none is chosen, it is CodeNotFound.
func (s *Store) ChosenWatchers(ctx context.Context, accountID string, which Chosen) (*Many, error) {
	out, err := s.many(ctx, accountID, which, func(*joint.Tx, narrowing) ([]string, error) { return nil, nil })
	return out, db.Known("count watchers", err)
}

// narrowing narrows a query to some watchers.
type narrowing = func(*gorm.DB) *gorm.DB

// many lets change write the chosen watchers that nobody changed since, in a transaction that holds the account's lock.
// change returns the ids that it wrote.
func (s *Store) many(ctx context.Context, accountID string, which Chosen, change func(*joint.Tx, narrowing) ([]string, error)) (*Many, error) {
	if err := which.check(); err != nil {
		return nil, err
	}
	out := &Many{}
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		if err := tx.Gorm().Exec(db.LockWatchers, accountID).Error; err != nil {
			return err
		}
		all := func(q *gorm.DB) *gorm.DB { return q.Scopes(of(accountID), which.narrow) }
		if err := out.count(tx.Gorm().Model(&models.Watcher{}).Scopes(all), which); err != nil {
			return err
		}
		if which.Seen != nil {
			if err := tx.Gorm().Select("id", "name").Scopes(all).Where("rev > ?", *which.Seen).Order("rev").Limit(maxExamples).Find(&out.Examples).Error; err != nil {
				return err
			}
		}
		ids, err := change(tx, func(q *gorm.DB) *gorm.DB {
			if q = q.Scopes(all); which.Seen != nil {
				q = q.Where("rev <= ?", *which.Seen)
			}
			return q
		})
		out.Done = len(ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// count fills Found and Newer from all chosen watchers.
func (m *Many) count(all *gorm.DB, which Chosen) error {
	err := all.Select("count(*) as found, count(*) filter (where rev > ?) as newer", which.Seen).Row().Scan(&m.Found, &m.Newer)
	switch {
	case err != nil || m.Found > 0:
		return err
	case which.Label != nil:
		return models.NotFound("no alert has this label")
	case which.All:
		return models.NotFound("there is no alert")
	}
	return models.NotFound("there is no alert with one of these ids")
}

// check refuses a choice that is none, or more than one.
func (c Chosen) check() error {
	ways := 0
	for _, is := range []bool{c.Label != nil, len(c.IDs) > 0, c.All} {
		if is {
			ways++
		}
	}
	if ways != 1 {
		return models.InvalidBody("label", "say which alerts: a label, or ids")
	}
	for _, text := range append(slices.Clone(c.IDs), models.EmptyIfNil(c.Label)) {
		if err := models.PlainText("label", text); err != nil {
			return err
		}
	}
	return nil
}

// narrow narrows the watchers of an account to the chosen ones.
func (c Chosen) narrow(q *gorm.DB) *gorm.DB {
	if len(c.IDs) > 0 {
		return q.Where("id = any (?)", column.Array[string](c.IDs))
	}
	return q.Scopes(labelled(c.Label))
}

// updated writes values to watchers in one statement, and returns them with id and new revision.
func updated(chosen *gorm.DB, values map[string]any) (rows []*models.Watcher, err error) {
	returning := clause.Returning{Columns: []clause.Column{{Name: "id"}, {Name: "rev"}}}
	if err := chosen.Model(&rows).Clauses(returning).Updates(values).Error; err != nil {
		return nil, fmt.Errorf("write watchers: %w", err)
	}
	return rows, nil
}

// idsOf returns the ids of watchers.
func idsOf(list []*models.Watcher) []string {
	ids := make([]string, len(list))
	for i, w := range list {
		ids[i] = w.ID
	}
	return ids
}
