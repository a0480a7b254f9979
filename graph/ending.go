package graph

import (
	"context"
	"errors"
	"sync"

	"rollcall/models"
)

// Reasons for which the service ends a subscription that its client still wants. After both a client
// connects again.
var (
	errStopping  = &models.Error{Code: models.CodeUnavailable, Message: "the service is stopping; connect again"}
	errUnchecked = &models.Error{Code: models.CodeUnavailable, Message: "the API key cannot be checked right now; connect again"}
)

// ending carries why the service ended a subscription from its resolver to the transport, which says so
// to the client. Methods called by the resolver accept a nil receiver. It is safe for concurrent use.
type ending struct {
	mu     sync.Mutex
	reason *models.Error
}

type endingKey struct{}

// withEnding returns a context whose subscription can say why it ended.
func withEnding(ctx context.Context) (context.Context, *ending) {
	e := &ending{}
	return context.WithValue(ctx, endingKey{}, e), e
}

// endingFrom returns the ending of a subscription, or nil where no transport asks for it.
func endingFrom(ctx context.Context) *ending {
	e, _ := ctx.Value(endingKey{}).(*ending)
	return e
}

// set stores why a subscription ends. An error that is not about the caller's key or account means that
// these could not be checked.
func (e *ending) set(err error) {
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
func (e *ending) why(ctx context.Context) *models.Error {
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
