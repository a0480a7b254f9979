package auth

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"rollcall/internal/turn"
	"rollcall/models"
)

// lineTime bounds the wait of a request in the line of its account.
const lineTime = 20 * time.Second

// Line lets an account have a few requests answered at once, and the others of it wait. The limit by the minute lets through
// a hundred costly requests in one second. Without a line they would share the processors with everybody else's one by one.
// A stream takes no place in it. It is safe for concurrent use; a nil Line bounds nothing.
type Line struct {
	each  int
	turns *turn.Turns
}

// NewLine returns a line in which an account has a request for each processor, and at least two.
func NewLine() *Line {
	each := max(2, runtime.GOMAXPROCS(0))
	return &Line{each: each, turns: turn.New(each, 0)}
}

// lineKey marks in a context how to leave the line.
type lineKey struct{}

// Enter waits until a request of the caller of ctx has its turn. The request calls leave when it is answered; before that
// LeaveLine may have been called with the context that Enter returns. CodeUnavailable: it waited for too long.
func (l *Line) Enter(ctx context.Context) (in context.Context, leave func(), err error) {
	c, ok := FromContext(ctx)
	if !ok {
		return ctx, func() {}, nil
	}
	return l.enter(ctx, c.Account.ID)
}

// enter is Enter for a request of an account.
func (l *Line) enter(ctx context.Context, account string) (in context.Context, leave func(), err error) {
	if l == nil {
		return ctx, func() {}, nil
	}
	within, cancel := context.WithTimeout(ctx, lineTime)
	defer cancel()
	done, err := l.turns.Take(within, account)
	switch {
	case err == nil:
		leave = sync.OnceFunc(done)
		return context.WithValue(ctx, lineKey{}, leave), leave, nil
	case ctx.Err() != nil:
		return ctx, nil, ctx.Err()
	}
	return ctx, nil, &models.Error{
		Code: models.CodeUnavailable,
		Message: fmt.Sprintf("the account has more than %d requests at a time, and this one waited %d s; send fewer at once",
			l.each, int(lineTime.Seconds())),
	}
}

// LeaveLine frees the place of a request that lasts, such as a stream.
func LeaveLine(ctx context.Context) {
	if leave, ok := ctx.Value(lineKey{}).(func()); ok {
		leave()
	}
}
