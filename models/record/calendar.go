package record

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// CalendarOf returns the events of a case for a calendar subscription, in the order of time, cancelled
// hearings included: a calendar that showed a hearing has to remove it. What the court took back is known by
// its version rows alone, which say when it would have begun, and no more. Revision counts the changes of an
// event, as SEQUENCE of iCalendar (RFC 5545) needs.
func (s *Store) CalendarOf(ctx context.Context, c *models.CourtCase) (events []models.CalendarEvent, err error) {
	args := pgx.StrictNamedArgs{"case": c.Key, "first_seen": c.FirstSeen}
	if err := s.find(ctx, models.Courts, "calendar", args, &events); err != nil {
		return nil, fmt.Errorf("read calendar of case: %w", err)
	}
	return events, nil
}
