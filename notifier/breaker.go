package notifier

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// ErrCrowded means that enough deliveries wait for an endpoint in this process. It says nothing about the
// delivery: no attempt was made and none is used up.
var ErrCrowded = errors.New("enough deliveries wait for this endpoint")

// Outcome is what a finished attempt says about its endpoint.
type Outcome int

// The outcomes.
const (
	Unknown Outcome = iota // no attempt came of it (Client.Send gave an error)
	Took                   // delivered
	Refused                // failed, in whatever way
)

// LaneOptions are the widths of Lanes; 0 means the default named.
type LaneOptions struct {
	// Total bounds attempts at once in this process; 1024.
	Total int
	// Endpoint bounds attempts at once to one endpoint that works; 16.
	Endpoint int
	// Floor bounds attempts at once to an endpoint that fails; 2.
	Floor int
	// Waiting is how many deliveries may wait in one lane before Enter returns ErrCrowded; 64.
	Waiting int
}

// Lanes decide who may send now. Each endpoint has a lane of its own. Each failure halves its width down to
// Floor, each success doubles it up to Endpoint. All lanes that last failed share at most half of Total, and
// free places go round the lanes with a waiting delivery, one each. So neither a dead endpoint with a thousand
// deliveries nor a thousand dead endpoints delay a healthy one.
//
// Lanes bound how many attempts run at once. They know no clock and never move an attempt (DECISIONS.md,
// "Webhooks"). They are safe for concurrent use.
type Lanes struct {
	o LaneOptions

	mu sync.Mutex
	// Lanes in use, and those not at full width, by endpoint.
	lanes map[string]*lane
	// Attempts under way, by class when they started.
	busy [2]int
	// Deliveries waiting, by class when they came.
	waiting [2]int
	// Of *lane: those with a waiting delivery and room, by class when queued.
	turns [2]list.List
	// Class that had the last turn.
	last class
}

// Pass is the right to make one attempt. Leave returns it.
type Pass struct {
	lanes *Lanes
	lane  *lane
	class class
	once  sync.Once
}

// NewLanes returns the lanes of one process.
func NewLanes(o LaneOptions) *Lanes {
	for _, d := range []struct {
		field     *int
		otherwise int
	}{{&o.Total, 1024}, {&o.Endpoint, 16}, {&o.Floor, 2}, {&o.Waiting, 64}} {
		if *d.field <= 0 {
			*d.field = d.otherwise
		}
	}
	o.Floor = min(o.Floor, o.Endpoint)
	return &Lanes{o: o, lanes: map[string]*lane{}}
}

// Enter waits for a place to make an attempt to an endpoint, named by its id. It returns ErrCrowded at once
// when too many wait already, and ctx's cause when ctx ends first. Leave the Pass once the attempt is over.
func (l *Lanes) Enter(ctx context.Context, endpoint string) (*Pass, error) {
	l.mu.Lock()
	at := l.lane(endpoint)
	if at.waiters.Len() >= l.o.Waiting || (at.class == suspect && l.waiting[suspect] >= l.half()) {
		l.mu.Unlock()
		return nil, ErrCrowded
	}
	w := &waiter{class: at.class, ready: make(chan *Pass, 1)}
	element := at.waiters.PushBack(w)
	l.waiting[w.class]++
	l.queue(at)
	l.grant()
	l.mu.Unlock()
	select {
	case p := <-w.ready:
		return p, nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	granted := w.granted // at the same moment
	if !granted {
		at.waiters.Remove(element)
		l.waiting[w.class]--
		l.forget(at)
	}
	l.mu.Unlock()
	if granted {
		(<-w.ready).Leave(Unknown)
	}
	return nil, context.Cause(ctx)
}

// Leave returns the place with the outcome of the attempt. Only the first call counts.
func (p *Pass) Leave(o Outcome) {
	p.once.Do(func() {
		l := p.lanes
		l.mu.Lock()
		defer l.mu.Unlock()
		p.lane.busy--
		l.busy[p.class]--
		switch o {
		case Took:
			l.change(p.lane, min(p.lane.width*2, l.o.Endpoint), sound)
		case Refused:
			l.change(p.lane, max(p.lane.width/2, l.o.Floor), suspect)
		case Unknown:
		}
		l.queue(p.lane)
		l.grant()
		l.forget(p.lane)
	})
}

// LaneLoad is how busy the lanes are, for metrics.
type LaneLoad struct {
	Sending int // attempts under way
	Waiting int // deliveries waiting for a place
	Suspect int // endpoints whose last attempt failed
}

// Load counts attempts and waiting deliveries at this moment.
func (l *Lanes) Load() LaneLoad {
	l.mu.Lock()
	defer l.mu.Unlock()
	load := LaneLoad{Sending: l.busy[sound] + l.busy[suspect], Waiting: l.waiting[sound] + l.waiting[suspect]}
	for _, at := range l.lanes {
		if at.class == suspect {
			load.Suspect++
		}
	}
	return load
}

// Forget drops what is known of an endpoint, after it was disabled, deleted or enabled anew.
func (l *Lanes) Forget(endpoint string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, ok := l.lanes[endpoint]; ok {
		l.change(at, l.o.Endpoint, sound)
		l.queue(at)
		l.grant()
		l.forget(at)
	}
}
