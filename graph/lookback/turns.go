package lookback

import (
	"context"
	"sync"
)

// turns lets one look of an account run at a time, and so many of all accounts. A look that waits ends with its context.
type turns struct {
	mu sync.Mutex
	of map[string]*turn
	// One place a look that may run.
	places chan struct{}
}

// turn is that of one account.
type turn struct {
	// Holds the look that runs.
	running chan struct{}
	// Looks that run or wait.
	looks int
}

func newTurns(places int) *turns {
	return &turns{of: map[string]*turn{}, places: make(chan struct{}, places)}
}

// take waits for the account's turn and for a place. The caller calls done when its look has ended.
func (t *turns) take(ctx context.Context, account string) (done func(), err error) {
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

func (t *turns) enter(account string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.of[account]
	if own == nil {
		own = &turn{running: make(chan struct{}, 1)}
		t.of[account] = own
	}
	own.looks++
	return own
}

func (t *turns) leave(account string, own *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own.looks--; own.looks == 0 {
		delete(t.of, account)
	}
}
