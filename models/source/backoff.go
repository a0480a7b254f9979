package source

import (
	"time"

	"rollcall/internal/backoff"
)

// How long a source that failed is left alone by its schedule. A source that wants a human being is
// asked even less: it has said that it does not want to be asked.
const (
	failedAtMost  = time.Hour
	refusedAtMost = 6 * time.Hour
)

// BackOff returns, after a run that ended as state, how many runs in a row did not reach the data, and until when the schedule
// leaves the source alone: twice as long after each, up to an hour (six when it refuses), and never less than every, its own
// interval. Nil is for a source without one. before is how many runs failed before this one; a success forgets everything.
func BackOff(state RunState, before int, every time.Duration, now time.Time) (failures int, until *time.Time) {
	most := failedAtMost
	switch state {
	case RunFailed:
	case RunRefused:
		most = refusedAtMost
	default:
		return 0, nil
	}
	failures = before + 1
	if every == 0 {
		return failures, nil
	}
	at := now.Add(max(backoff.After(failures, every, most), every))
	return failures, &at
}
