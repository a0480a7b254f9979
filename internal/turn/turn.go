// Package turn bounds work of requests: an account does a few things at a time, and a process a few of all accounts. Work
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
	// How many things an account does at a time.
	each int
	// One place for each work that may run; nil: as many as there are accounts' turns.
	places chan struct{}
}

// turn is that of one account.
type turn struct {
	// Holds the works that run.
	running chan struct{}
	// Works that run or wait.
	works int
}

// New returns turns of which an account takes so many at a time, and all accounts together so many as there are places.
// Without places they are not bounded together.
func New(each, places int) *Turns {
	t := &Turns{of: map[string]*turn{}, each: each}
	if places > 0 {
		t.places = make(chan struct{}, places)
	}
	return t
}

// Half returns turns for heavy work: an account does one thing at a time, and half of the processors are left to others.
func Half() *Turns { return New(1, max(1, runtime.GOMAXPROCS(0)/2)) }

// Take waits for the account's turn and for a place. The caller calls done when its work has ended.
func (t *Turns) Take(ctx context.Context, account string) (done func(), err error) {
	own := t.enter(account)
	select {
	case own.running <- struct{}{}:
	case <-ctx.Done():
		t.leave(account, own)
		return nil, ctx.Err()
	}
	if t.places == nil {
		return func() {
			<-own.running
			t.leave(account, own)
		}, nil
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
		own = &turn{running: make(chan struct{}, t.each)}
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
