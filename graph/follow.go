package graph

import (
	"context"
	"log/slog"
	"time"

	"rollcall/graph/transport"
	"rollcall/internal/backoff"
	"rollcall/models"
)

const (
	// eventsAtOnce is how many events a subscription reads ahead of its client.
	eventsAtOnce = 50
	// eventsRetry is the first wait after a failed read; it grows to eventsRetryMax.
	eventsRetry    = time.Second
	eventsRetryMax = 30 * time.Second
)

// follower sends the events or notices of one account to one subscriber, in the order of their
// numbers. It holds a place and no queue: a client that takes nothing costs no memory, and reads
// later what it has not taken. One goroutine, run, uses it.
type follower[T any] struct {
	*Resolver
	// Id of the account; read returns only what belongs to it.
	account string
	// Number of the last event that the client took.
	seq int64
	// Reads up to limit events after number seq, oldest first.
	read func(ctx context.Context, account string, seq int64, limit int) ([]T, error)
	// Returns the event inside a T, for its id and number.
	event func(T) *models.AlertEvent
	// Unbuffered, so that an event counts as taken only when the transport has it.
	out chan T
	// Receives the id of each event; nil where the transport has no use for them.
	places *transport.Places
	tries  backoff.Backoff
}

// follow begins a subscription after the event or notice with the id after, or with the next event
// when after is nil. An unknown id is CodeInvalidParameter. The channel is closed when the
// subscription ends, be it by the client, a revoked key or shutdown.
func follow[T any](ctx context.Context, r *Resolver, account string, after *string,
	read func(context.Context, string, int64, int) ([]T, error), event func(T) *models.AlertEvent,
) (<-chan T, error) {
	f := &follower[T]{Resolver: r, account: account, read: read, event: event, out: make(chan T), places: transport.PlacesFrom(ctx)}
	f.tries = backoff.Backoff{First: eventsRetry, Most: eventsRetryMax, Jitter: backoff.Spread}
	if last := f.places.After(); last != "" { // a client that reconnects sends its last event, which is newer than the argument
		after = &last
	}
	var id string
	var err error
	if after != nil && *after != "" {
		id = *after
		f.seq, err = r.store.EventSeq(ctx, account, id)
	} else {
		id, f.seq, err = r.store.LastEvent(ctx, account)
	}
	if err != nil {
		return nil, err
	}
	f.places.Begin(id)
	go f.run(ctx)
	return f.out, nil
}

// run sends events until the subscriber leaves. Events are read from the database on each
// notification and never taken from the notification itself. So a subscriber misses none, on any
// replica, also when the connection that notifies was lost.
func (f *follower[T]) run(ctx context.Context) {
	defer close(f.out)
	news, leave := f.store.EventNews(ctx, f.account, f.alerts.Log)
	defer leave()
	for {
		more, err := f.give(ctx)
		if err == nil && !more {
			err = f.awaitEvents(ctx, news)
		}
		if err != nil {
			if ctx.Err() == nil {
				transport.EndingFrom(ctx).Set(err)
			}
			return
		}
	}
}

// give sends the events after the place and moves the place on. more reports whether to read again
// at once. An error ends the subscription; a failed read does not, it waits and reports more. The
// caller's standing is checked before each event, so that a revoked key receives nothing further.
func (f *follower[T]) give(ctx context.Context) (more bool, err error) {
	list, err := f.read(ctx, f.account, f.seq, eventsAtOnce)
	if err != nil {
		wait := f.tries.Next()
		if ctx.Err() == nil {
			f.alerts.Log.WarnContext(ctx, "events not read", slog.String("error", models.WithoutValues(err)), slog.Duration("retry", wait))
		}
		return true, f.pause(ctx, wait)
	}
	f.tries.Reset()
	if len(list) == 0 {
		return false, f.standing(ctx)
	}
	for _, e := range list {
		if err := f.standing(ctx); err != nil { // after the read: the key may have been revoked while it waited
			return false, err
		}
		f.places.Add(f.event(e).ID)
		select {
		case f.out <- e:
			f.seq = f.event(e).Seq
		case <-f.alerts.Closing:
			return false, transport.ErrStopping
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	return len(list) == eventsAtOnce, nil
}

// standing returns an error once the subscriber must not receive anything further. A check that
// itself failed also ends the subscription, and is logged: the client comes again with its last
// event id.
func (r *Resolver) standing(ctx context.Context) error {
	if r.alerts.Standing == nil {
		return nil
	}
	err := r.alerts.Standing(ctx)
	if err != nil && models.CodeOf(err) != models.CodeUnauthorized && models.CodeOf(err) != models.CodeForbidden && ctx.Err() == nil {
		r.alerts.Log.WarnContext(ctx, "subscription ended: its key could not be checked", slog.String("error", models.WithoutValues(err)))
	}
	return err
}

// pause waits before another try. An error means that the subscription ended meanwhile.
func (r *Resolver) pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-r.alerts.Closing:
		return transport.ErrStopping
	case <-ctx.Done():
		return ctx.Err()
	}
}

// awaitEvents waits for news. An error means that the subscription ended.
func (r *Resolver) awaitEvents(ctx context.Context, news <-chan struct{}) error {
	select {
	case <-news:
		return nil
	case <-r.alerts.Closing:
		return transport.ErrStopping
	case <-ctx.Done():
		return ctx.Err()
	}
}
