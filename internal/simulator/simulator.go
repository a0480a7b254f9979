package simulator

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"rollcall/internal/simulator/gallery"
)

// Simulator is one world and the sources that publish it. It is safe for concurrent use.
type Simulator struct {
	options Options
	zone    *time.Location
	feeds   []Feed
	handler http.Handler
	album   gallery.Album

	// mu guards what follows: the world as far as it has moved, the faults, and what readers are in the middle of.
	mu       sync.Mutex
	timeline timeline
	world    *world
	cursor   cursor
	chaos    Chaos
	pins     map[string]pin

	// late is a second world that follows the first by LateBy; nil until a feed has the fault Late.
	late       *world
	lateCursor cursor
}

// Feed is one source that the simulator serves.
type Feed struct {
	// ID is `zuercher/bartow`, or the shape alone for a source of the whole state.
	ID string `json:"id"`
	// Shape is one of the Shape constants; County a slug, or empty for the whole state.
	Shape  string `json:"shape"`
	County string `json:"county,omitempty"`
	// Base is the path that stands for the vendor's host. Pages, details and warm-ups are below it.
	Base string `json:"base"`
	// Method and Path are the request for the first page, or for the file.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Interval is how often to ask. It is short enough for a demo.
	Interval time.Duration `json:"intervalNanoseconds"`
}

// New founds a world, or continues the one of Options.Resume. The error names the option that is wrong.
func New(o Options) (*Simulator, error) {
	o, err := o.settle()
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	s := &Simulator{options: o, zone: zone, chaos: Chaos{}, pins: map[string]pin{}}
	s.world = found(o, zone)
	var earlier []Session
	if o.Resume != nil {
		earlier = o.Resume.Sessions
	}
	s.timeline = newTimeline(earlier, o.Now(), o.Pace, o.Still, s.world.size/20)
	for _, roster := range o.Rosters {
		s.feeds = append(s.feeds, jailShapes[roster.Shape].feed(roster))
	}
	s.feeds = append(s.feeds,
		Feed{ID: ShapeCourtDelta, Shape: ShapeCourtDelta, Base: "/court-delta", Method: "GET", Path: "/court-delta/cases.txt", Interval: 15 * time.Second},
		Feed{
			ID: ShapeCorrections, Shape: ShapeCorrections, Base: "/corrections-fixed", Method: "GET", Path: "/corrections-fixed/offenders.txt",
			Interval: 30 * time.Second,
		},
	)
	if err := s.SetChaos(o.Chaos); err != nil {
		return nil, err
	}
	s.handler = s.routes()
	return s, nil
}

// Feeds returns the sources: the jails in the order of Options.Rosters, then the courts and corrections.
func (s *Simulator) Feeds() []Feed { return slices.Clone(s.feeds) }

// Step makes the world catch up with the clock and returns how many things happened. Callers need it only to see that
// number: every other method steps first.
func (s *Simulator) Step() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.world.happenings
	s.catchUp()
	return s.world.happenings - before
}

// catchUp lets happen what happens until now. The caller holds the lock.
func (s *Simulator) catchUp() {
	advance(s.world, s.timeline, &s.cursor, s.options.Now())
}

// advance moves a world along its timeline until now, one happening at a time.
func advance(w *world, t timeline, c *cursor, now time.Time) {
	for {
		at, ok := t.next(c, w, now)
		if !ok {
			return
		}
		w.happen(at.In(w.zone))
	}
}

// trail returns a second world that follows the first at a distance, for late snapshots. It is made at its first use
// and never goes back. The caller holds the lock.
func (s *Simulator) trail(at time.Time) *world {
	if s.late == nil {
		s.late = found(s.options, s.zone)
	}
	advance(s.late, s.timeline, &s.lateCursor, at)
	return s.late
}
