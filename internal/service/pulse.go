package service

import (
	"context"
	"sync"
	"time"
)

// pulseFor is how long the answer of a pulse is believed.
const pulseFor = time.Second

// pulse asks whether something answers, at most once a second however many ask. /readyz is open to everybody, and must not
// be a way to use up the connections of the database. It is safe for concurrent use.
type pulse struct {
	check func(context.Context) error
	now   func() time.Time

	mu    sync.Mutex
	asked time.Time
	err   error
}

// Err returns the last answer, and asks anew if it is older than pulseFor. Those who come meanwhile wait for the same answer.
func (p *pulse) Err(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); p.asked.IsZero() || now.Sub(p.asked) >= pulseFor {
		// Others wait for it, so the end of the request that began it does not cancel it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout)
		defer cancel()
		p.err = p.check(ctx)
		p.asked = p.now()
	}
	return p.err
}
