package photograph

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// RemovalDays is by when a request to remove a photograph must be decided (O.C.G.A. 10-1-393.5: within 30 days).
const RemovalDays = 30

// AskRemoval notes a request to remove the photograph of a booking or corrections record, by its public id or the address of the
// photograph, as letters quote it. askedAt is when the request came. It covers the records that were merged with that one, too: none
// of them shows a photograph from then on, and the next pass deletes the pictures. An id without a record is CodeNotFound. While an
// open request covers all of them, a second one is CodeInvalidParameter and names the first.
func (s *Store) AskRemoval(ctx context.Context, id string, askedAt time.Time, actor, note string) (*Removal, error) {
	note, err := models.NameText("note", note, 500)
	if err != nil {
		return nil, err
	}
	if askedAt.After(s.Now()) {
		return nil, models.Invalid("asked", "the day of the request lies in the future")
	}
	if askedAt.Before(s.Now().AddDate(-1, 0, 0)) {
		return nil, models.Invalid("asked", "the day of the request lies more than a year back")
	}
	family, records, plain, err := s.needs.Find(ctx, quoted(id))
	if err != nil {
		return nil, err
	}
	if family == models.Courts {
		return nil, models.Invalid("record", plain+" is a court case, and cases have no photographs: name the booking")
	}
	r := &Removal{
		Family: family, PublicID: plain, AskedAt: askedAt.UTC(), DueAt: askedAt.AddDate(0, 0, RemovalDays).UTC(), Note: note, Actor: actor, State: "open",
	}
	// The request comes first: from then on nothing takes the photograph again.
	err = s.rows(ctx).Transaction(func(tx *gorm.DB) error {
		// Requests are few and come one after the other, so that two that arrive at once do not both find no open one.
		if err := tx.Exec("lock table photograph_removals in share row exclusive mode").Error; err != nil {
			return fmt.Errorf("note request: %w", err)
		}
		open, err := openRemoval(tx, family, records)
		if err != nil {
			return err
		}
		if open != nil {
			return models.Invalid("record", fmt.Sprintf("request %d of %s is open for %s; decide that one",
				open.ID, open.AskedAt.In(models.Georgia).Format("Jan 2, 2006"), plain))
		}
		if err := tx.Create(r).Error; err != nil {
			return fmt.Errorf("note request: %w", err)
		}
		covered := make([]Removed, len(records))
		for i, record := range records {
			covered[i] = Removed{Request: r.ID, Family: family, Record: record}
		}
		if err := tx.Create(&covered).Error; err != nil {
			return fmt.Errorf("note request: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, s.needs.Remove(ctx, family, records[0])
}

// openRemoval returns the open request that covers all of some records, or nil.
func openRemoval(tx *gorm.DB, family models.Family, records []int64) (*Removal, error) {
	var list []*Removal
	covers := tx.Model(&Removed{}).Select("request").Where("family = ? and record in ?", family, records).
		Group("request").Having("count(*) = ?", len(records))
	if err := tx.Where("state = 'open' and id in (?)", covers).Order("id").Limit(1).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("look up request: %w", err)
	}
	if len(list) == 0 {
		return nil, nil //nolint:nilnil // nil: none
	}
	return list[0], nil
}

// quoted returns the id that a letter quotes: by itself, or in an address such as https://records.example.org/v1/roster/ID/mugshot.
func quoted(id string) string {
	id = strings.TrimSpace(id)
	for _, list := range []string{"/roster/", "/corrections/"} {
		if _, rest, ok := strings.Cut(id, list); ok {
			id, _, _ = strings.Cut(rest, "/")
		}
	}
	return strings.ToLower(id)
}

// DecideRemoval ends a request: its photograph stays removed, or the request is declined and the photograph may be taken again. One
// that was granted by mistake can be declined later. Any other request that is not open is CodeNotFound.
func (s *Store) DecideRemoval(ctx context.Context, id int64, removed bool, actor string) error {
	state, from := "declined", []string{"open", "removed"}
	if removed {
		state, from = "removed", []string{"open"}
	}
	return s.rows(ctx).Transaction(func(tx *gorm.DB) error {
		done := tx.Model(&Removal{}).Where("id = ? and state in ?", id, from).
			Updates(map[string]any{"state": state, "decided_at": s.Now().UTC(), "decided_by": actor})
		if done.Error != nil {
			return fmt.Errorf("decide request: %w", done.Error)
		}
		if done.RowsAffected == 0 {
			return models.NotFound(fmt.Sprintf("no request %d is open", id))
		}
		if removed {
			return nil
		}
		if err := tx.Where("request = ?", id).Delete(&Removed{}).Error; err != nil {
			return fmt.Errorf("decide request: %w", err)
		}
		return nil
	})
}

// DecidedRemovals returns those that were decided, newest first.
func (s *Store) DecidedRemovals(ctx context.Context, limit int) (list []*Removal, err error) {
	list = []*Removal{}
	if err = s.rows(ctx).Where("state <> 'open'").Order("decided_at desc, id desc").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("list decided requests: %w", err)
	}
	return list, nil
}

// Removals returns requests, those that are due first; with open those that are not decided.
func (s *Store) Removals(ctx context.Context, open bool) (list []*Removal, err error) {
	list = []*Removal{}
	err = s.rows(ctx).Scopes(func(q *gorm.DB) *gorm.DB {
		if open {
			return q.Where("state = 'open'")
		}
		return q
	}).Order("due_at, id").Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list requests: %w", err)
	}
	return list, nil
}
