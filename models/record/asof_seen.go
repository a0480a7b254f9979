package record

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// seen is when a record was seen, as rollcall knew it at some instant.
type seen struct {
	// first is when a source first showed the record.
	first time.Time
	// until is when a snapshot lacked the record, so none from then on showed it; nil if none is known.
	until *time.Time
	// last is where seenThen writes when the record was last seen.
	last *time.Time
}

// reportedBy are the statements that read the newest instants that were known at a time.
var reportedBy = map[models.Family]string{
	models.Roster: "reported_by_roster", models.Courts: "reported_by_courts", models.Corrections: "reported_by_corrections",
}

// seenThen sets when records, by key, were last seen as far as rollcall knew at an instant: not later than
// today's value, and in no snapshot that was read after that instant. It is never before the record was first
// seen.
func (s *Store) seenThen(ctx context.Context, f models.Family, at time.Time, of map[int64]*seen) error {
	if len(of) == 0 {
		return nil
	}
	keys := slices.Sorted(maps.Keys(of))
	today, err := s.LastSeenOf(ctx, f, keys)
	if err != nil {
		return err
	}
	until := make([]*time.Time, len(keys))
	for i, k := range keys {
		until[i] = of[k].until
	}
	var rows []struct {
		Key      int64
		Reported *time.Time
	}
	if err := s.find(ctx, f, reportedBy[f], pgx.StrictNamedArgs{"keys": keys, "at": at, "until": until}, &rows); err != nil {
		return fmt.Errorf("read when %s had been seen: %w", f, err)
	}
	for _, row := range rows {
		r, last := of[row.Key], today[row.Key]
		// Without such a snapshot the record was last seen when it was first seen.
		reported := r.first
		if row.Reported != nil && row.Reported.After(reported) {
			reported = *row.Reported
		}
		for _, bound := range []time.Time{reported, at} {
			if bound.Before(last) {
				last = bound.UTC()
			}
		}
		*r.last = last
	}
	return nil
}
