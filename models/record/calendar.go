package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// CalendarOf returns the events of a case for a calendar subscription, in the order of time, cancelled
// hearings included: a calendar that showed a hearing has to remove it. What the court took back is known by
// its version rows alone, which say when it would have begun, and no more. Revision counts the changes of an
// event, as SEQUENCE of iCalendar (RFC 5545) needs.
func (s *Store) CalendarOf(ctx context.Context, c *models.CourtCase) ([]models.CalendarEvent, error) {
	rows, err := s.Pool().Query(ctx, statements[models.Courts].Get("calendar"), pgx.NamedArgs{"case": c.Key})
	if err != nil {
		return nil, fmt.Errorf("read calendar of case: %w", err)
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (models.CalendarEvent, error) {
		var e models.CalendarEvent
		var changed *time.Time
		err := r.Scan(&e.Event, &e.StartsAt, &e.WholeDay, &e.Kind, &e.Judge, &e.Location, &e.Link, &e.Cancelled, &e.Revision, &changed)
		if err != nil {
			return e, fmt.Errorf("read calendar of case: %w", err)
		}
		e.StartsAt, e.Changed = e.StartsAt.In(models.Georgia), c.FirstSeen
		if changed != nil {
			e.Changed = changed.UTC()
		}
		return e, nil
	})
}
