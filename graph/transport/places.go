package transport

import (
	"context"
	"sync"
)

// Places carries the ids of a subscription's events from its resolver to the stream that writes
// them, one for each answer and in their order. So a client that lost its connection can name the
// last event it got (the header Last-Event-ID of server-sent events), whatever fields it asked for.
// Methods called by the resolver accept a nil receiver. It is safe for concurrent use.
type Places struct {
	// Value of Last-Event-ID; empty: the client named none.
	after string

	mu sync.Mutex
	// Id of the place where the subscription begins.
	first string
	// Ids of events on their way to the client, oldest first.
	queue []string
}

type placesKey struct{}

// PlacesFrom returns the places of a stream, or nil on other transports.
func PlacesFrom(ctx context.Context) *Places {
	p, _ := ctx.Value(placesKey{}).(*Places)
	return p
}

// After returns the id of the last event that the client got before it lost its connection; empty when it
// named none.
func (p *Places) After() string {
	if p == nil {
		return ""
	}
	return p.after
}

// Begin stores the place where the subscription begins.
func (p *Places) Begin(id string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.first = id
}

// begun returns the place where the subscription begins; empty for other operations.
func (p *Places) begun() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.first
}

// Add appends the id of the event that is sent next. It must come before the event is handed over,
// else the stream could write the event without its id.
func (p *Places) Add(id string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, id)
}

// take removes and returns the id of the event that an answer is about; empty when it is about
// none.
func (p *Places) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return ""
	}
	id := p.queue[0]
	p.queue = p.queue[1:]
	return id
}
