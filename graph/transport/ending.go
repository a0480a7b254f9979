package transport

import (
	"context"
	"errors"
	"sync"

	"rollcall/models"
)

// Reasons for which the service ends a subscription that its client still wants. After both a client
// connects again.
var (
	ErrStopping  = &models.Error{Code: models.CodeUnavailable, Message: "the service is stopping; connect again"}
	errUnchecked = &models.Error{Code: models.CodeUnavailable, Message: "the API key cannot be checked right now; connect again"}
)

// Ending carries why the service ended a subscription from its resolver to the transport, which says so
// to the client. Methods called by the resolver accept a nil receiver. It is safe for concurrent use.
type Ending struct {
	mu     sync.Mutex
	reason *models.Error
}

type endingKey struct{}

// withEnding returns a context whose subscription can say why it ended.
func withEnding(ctx context.Context) (context.Context, *Ending) {
	e := &Ending{}
	return context.WithValue(ctx, endingKey{}, e), e
}

// EndingFrom returns the ending of a subscription, or nil where no transport asks for it.
func EndingFrom(ctx context.Context) *Ending {
	e, _ := ctx.Value(endingKey{}).(*Ending)
	return e
}

// Set stores why a subscription ends. An error that is not about the caller's key or account means that
// these could not be checked.
func (e *Ending) Set(err error) {
	if e == nil {
		return
	}
	reason := errUnchecked
	errors.As(err, &reason)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reason = reason
}

// why returns why the service ended a subscription of ctx; nil when it ended by itself or its client
// left. The cause of a context is a reason too: a session that ended (auth.Guard.AuthenticateEither).
func (e *Ending) why(ctx context.Context) *models.Error {
	e.mu.Lock()
	defer e.mu.Unlock()
	reason := e.reason
	if reason == nil {
		errors.As(context.Cause(ctx), &reason)
	}
	return reason
}

// final reports whether a client that connects again would be refused.
func final(reason *models.Error) bool {
	return reason.Code == models.CodeUnauthorized || reason.Code == models.CodeForbidden
}
