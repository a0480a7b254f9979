package graph

import (
	"context"
	"sync"
)

// places carry the ids of a subscription's events from its resolver to the stream that writes them, one for each
// answer and in their order, so that a client that lost its connection can say where it was (the header
// Last-Event-ID of server-sent events), whatever fields it asked for. A nil one takes nothing.
type places struct {
	after string // where the client says that it was; empty: it does not say

	mu    sync.Mutex
	first string // where the subscription begins
	// Places of events that are on their way to the client, oldest first.
	queue []string
}

type placesKey struct{}

// placesFrom returns the places of a stream; nil on transports without any.
func placesFrom(ctx context.Context) *places {
	p, _ := ctx.Value(placesKey{}).(*places)
	return p
}

// begin notes where the client wants to go on.
func (p *places) begin(id string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.first = id
}

// begun is the place at which a subscription begins; empty for other operations.
func (p *places) begun() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.first
}

// add notes the id of the event that is handed on next.
func (p *places) add(id string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, id)
}

// take gives the id of the event that an answer is about; empty when it is about none.
func (p *places) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return ""
	}
	id := p.queue[0]
	p.queue = p.queue[1:]
	return id
}
