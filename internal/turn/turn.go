// Package turn bounds heavy work of requests: an account does one thing at a time, and a process a few of all accounts. Work
// that waits ends with its context. What the work is, the caller knows.
package turn

import (
	"context"
	"runtime"
	"sync"
)

// Turns are those of a process. It is safe for concurrent use.
type Turns struct {
	mu sync.Mutex
	of map[string]*turn
	// One place for each work that may run.
	places chan struct{}
}

// turn is that of one account.
type turn struct {
	// Holds the work that runs.
	running chan struct{}
	// Works that run or wait.
	works int
}

// New returns turns of which so many are taken at a time.
func New(places int) *Turns {
	return &Turns{of: map[string]*turn{}, places: make(chan struct{}, places)}
}

// Half returns turns that leave half of the processors to others.
func Half() *Turns { return New(max(1, runtime.GOMAXPROCS(0)/2)) }

// Take waits for the account's turn and for a place. The caller calls done when its work has ended.
func (t *Turns) Take(ctx context.Context, account string) (done func(), err error) {
	own := t.enter(account)
	select {
	case own.running <- struct{}{}:
	case <-ctx.Done():
		t.leave(account, own)
		return nil, ctx.Err()
	}
	select {
	case t.places <- struct{}{}:
	case <-ctx.Done():
		<-own.running
		t.leave(account, own)
		return nil, ctx.Err()
	}
	return func() {
		<-t.places
		<-own.running
		t.leave(account, own)
	}, nil
}

func (t *Turns) enter(account string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.of[account]
	if own == nil {
		own = &turn{running: make(chan struct{}, 1)}
		t.of[account] = own
	}
	own.works++
	return own
}

func (t *Turns) leave(account string, own *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own.works--; own.works == 0 {
		delete(t.of, account)
	}
}
