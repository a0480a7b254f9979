package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Session is a time during which somebody watched, so that something happened once per Pace.
type Session struct {
	From  time.Time     `json:"from"`
	Until time.Time     `json:"until"`
	Pace  time.Duration `json:"paceNanoseconds"` // mean time between two happenings
}

// State is all that is needed to find the same world again: the world is replayed, not stored.
type State struct {
	Seed     uint64    `json:"seed"`
	Founded  time.Time `json:"founded"`
	People   int       `json:"people"`
	Rosters  []Roster  `json:"rosters"`
	Sessions []Session `json:"sessions"`
}

// saveAhead is how far State reaches into the future. After a crash the world goes on from there. So it never takes
// back what it has shown, if it is saved at least this often.
const saveAhead = time.Minute

// Load reads a state that Save wrote. A missing file is no error: the state is nil then.
func Load(path string) (*State, error) {
	data, err := os.ReadFile(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // a first start has no state, which Options.Resume takes as nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the simulator's state: %w", err)
	}
	var state State
	if err := json.Unmarshal(data, &state); err != nil {
		return nil, fmt.Errorf("read the simulator's state in %s: %w", path, err)
	}
	return &state, nil
}

// Save writes the state to a file, completely or not at all.
func (s *Simulator) Save(path string) error {
	data, err := json.MarshalIndent(s.State(), "", "  ")
	if err != nil {
		return fmt.Errorf("write the simulator's state: %w", err)
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the simulator's state: %w", err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("write the simulator's state: %w", err)
	}
	return nil
}

// State returns what a later New needs to continue this world.
func (s *Simulator) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	sessions := slices.Clone(s.timeline.sessions)
	last := &sessions[len(sessions)-1]
	if last.Until = s.options.Now().Add(saveAhead); last.Until.Before(last.From) {
		last.Until = last.From
	}
	o := s.options
	return State{Seed: o.Seed, Founded: o.Founded, People: o.People, Rosters: slices.Clone(o.Rosters), Sessions: sessions}
}

// timeline is when things happen: at the pace of a session while it lasts, and rarely between two.
type timeline struct {
	sessions []Session
	spans    []span
}

// span is a time with one thing happening in each interval; an interval of 0 is a time without any.
type span struct {
	from, until time.Time
	interval    time.Duration
}

// forever is when the running session ends.
var forever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// quiet is the least time between two happenings while nobody watches.
const quiet = 20 * time.Minute

// newTimeline lays the earlier sessions and the one that begins now end to end. In the gap between two of them at most
// `most` things happen.
func newTimeline(earlier []Session, now time.Time, pace time.Duration, still bool, most int) timeline {
	var t timeline
	for _, session := range earlier {
		if session.Until.After(now) {
			session.Until = now
		}
		t.add(session, most)
	}
	if still {
		pace = 0
	}
	t.add(Session{From: now, Until: forever, Pace: pace}, most)
	return t
}

// add appends a session and the gap before it. Sessions never overlap: a later one begins at the earlier's end.
func (t *timeline) add(next Session, most int) {
	if n := len(t.sessions); n > 0 {
		if last := t.sessions[n-1].Until; next.From.After(last) {
			gap := next.From.Sub(last)
			t.spans = append(t.spans, span{last, next.From, max(quiet, gap/time.Duration(max(most, 1)))})
		} else {
			next.From = last
		}
	}
	t.sessions = append(t.sessions, next)
	t.spans = append(t.spans, span{next.From, next.Until, next.Pace})
}

// cursor is a place on the timeline.
type cursor struct {
	span, interval int
}

// next returns the time of the happening at the cursor, somewhere within its interval, and moves on. It returns false
// when the next happening is after now.
func (t timeline) next(c *cursor, w *world, now time.Time) (time.Time, bool) {
	for ; c.span < len(t.spans); c.span, c.interval = c.span+1, 0 {
		s := t.spans[c.span]
		if s.interval > 0 {
			part := time.Duration(w.draw(streamTime, w.happenings).Int64N(int64(s.interval)))
			at := s.from.Add(time.Duration(c.interval)*s.interval + part)
			if at.After(now) && s.until.After(now) {
				return time.Time{}, false
			}
			if at.Before(s.until) {
				c.interval++
				return at, true
			}
		}
	}
	return time.Time{}, false
}
