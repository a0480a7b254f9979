package alert

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// publishedEvents is the view of events whose booking is published. Every read of events for an account goes
// through it or through published_bookings, so that withholding a record hides its events too.
const publishedEvents = "published_events"

// errNoEvent is for an id that no event of the account has, also when another account has it.
var errNoEvent = models.Invalid("after", "after is not the id of an event of this account")

// place reads the id and number of one event.
func place(q *gorm.DB) (*models.AlertEvent, error) {
	return db.One[models.AlertEvent](q.Select("id", "seq"), errNoEvent)
}

// LastEvent returns the id and number of the account's newest event, notices included; models.BeforeEvents
// and 0 if there is none. A subscription without a cursor begins there.
func (s *Store) LastEvent(ctx context.Context, accountID string) (id string, seq int64, err error) {
	e, err := place(s.rows(ctx).Where("account_id = ?", accountID).Order("seq desc"))
	switch {
	case errors.Is(err, errNoEvent):
		return models.BeforeEvents, 0, nil
	case err != nil:
		return "", 0, fmt.Errorf("read newest event: %w", err)
	}
	return e.ID, e.Seq, nil
}

// EventSeq returns the number of an event or notice of the account by its id, and 0 for models.BeforeEvents.
// An unknown id is CodeInvalidParameter on after. An event whose record was withheld meanwhile still has its
// number, so that a subscription can go on.
func (s *Store) EventSeq(ctx context.Context, accountID, id string) (int64, error) {
	if err := models.PlainText("after", id); err != nil {
		return 0, err
	}
	if id == models.BeforeEvents {
		return 0, nil
	}
	e, err := place(s.rows(ctx).Where("id = ? and account_id = ?", id, accountID))
	if err != nil {
		return 0, db.Known("read event", err)
	}
	return e.Seq, nil
}

// LatestEvents returns up to limit of an account's newest events, the newest first. Notices and events of
// withheld records are left out, as in EventsAfter.
func (s *Store) LatestEvents(ctx context.Context, accountID string, limit int) ([]*models.AlertEvent, error) {
	var found []*models.AlertEvent
	err := s.rows(ctx).Table(publishedEvents).Where("account_id = ? and kind in ?", accountID, models.EventKinds()).
		Order("seq desc").Limit(limit).Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("read newest events: %w", err)
	}
	return found, nil
}

// EventsAfter returns up to limit events of an account after number seq, in order. Notices, and events of
// records that are not published any more, are left out. Numbers ascend in the order of commits, so an event
// that is not there yet gets a higher number than all that are: following by Seq misses none. EventNews says
// when to read.
func (s *Store) EventsAfter(ctx context.Context, accountID string, seq int64, limit int) ([]*models.AlertEvent, error) {
	var found []*models.AlertEvent
	err := s.rows(ctx).Table(publishedEvents).Where("account_id = ? and seq > ? and kind in ?", accountID, seq, models.EventKinds()).
		Order("seq").Limit(limit).Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	return found, nil
}

// NoticesAfter returns up to limit notices of an account after number seq, in order: retractions, withheld
// records, and sources that became stale or recovered. Retractions about records that are not published any
// more are left out. A notice about a source has no watcher and names the source instead of a record.
func (s *Store) NoticesAfter(ctx context.Context, accountID string, seq int64, limit int) ([]*models.AlertNotice, error) {
	var found []*models.AlertNotice
	err := s.rows(ctx).Table("events e").Joins("join changes c on c.id = e.change_id").Joins("left join published_bookings b on b.rid = e.rid").
		Select("e.id, e.seq, e.account_id, e.kind, e.watcher_id, e.rid, e.hit_id, e.at, e.retracts, c.record_id, "+
			"case when e.watcher_id is null then c.source_id end as source_id").
		Where("e.account_id = ? and e.seq > ? and e.kind not in ?", accountID, seq, models.EventKinds()).
		Where("e.kind <> ? or b.rid is not null", models.EventRetraction).
		Order("e.seq").Limit(limit).Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("read notices: %w", err)
	}
	return found, nil
}
