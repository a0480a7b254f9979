package ingest

import (
	"context"
	"time"

	"rollcall/internal/backoff"
	"rollcall/models/source"
)

// How long a source that failed is left alone by its schedule. A source that wants a human being is
// asked even less: it has said that it does not want to be asked.
const (
	failedAtMost  = time.Hour
	refusedAtMost = 6 * time.Hour
)

// backOff returns how many runs in a row did not reach the data, and until when the schedule leaves the
// source alone: twice as long after each, up to an hour (six when it refuses), and never less than its
// own interval. An operator's `ingest` asks at once all the same, and a success forgets everything.
func (s *Source) backOff(state source.RunState, before int, now time.Time) (failures int, until *time.Time) {
	most := failedAtMost
	switch state {
	case source.RunFailed:
	case source.RunRefused:
		most = refusedAtMost
	default:
		return 0, nil
	}
	failures = before + 1
	if s.Schedule.Every == 0 {
		return failures, nil
	}
	at := now.Add(max(backoff.After(failures, s.Schedule.Every, most), s.Schedule.Every))
	return failures, &at
}

// Deferred reports whether the source failed lately and is not to be asked yet.
// The schedule asks it before each run. An operator's command does not.
func (r *Runner) Deferred(ctx context.Context, s *Source) (bool, error) {
	entry, err := r.entry(ctx, s)
	if err != nil {
		return false, err
	}
	return entry.NotBefore != nil && r.Now().Before(*entry.NotBefore), nil
}
