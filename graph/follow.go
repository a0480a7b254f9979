package graph

import (
	"context"
	"log/slog"
	"time"

	"rollcall/internal/backoff"
	"rollcall/models"
)

const (
	eventsAtOnce   = 50          // events that a subscription reads ahead of its client
	eventsRetry    = time.Second // after a read that failed; then longer
	eventsRetryMax = 30 * time.Second
)

// follower yields an account's events, or its notices, after one of them, or from now on. It keeps its place and no
// queue, so a client that takes nothing costs nothing: what it has not taken it reads later.
type follower[T any] struct {
	*Resolver
	account string
	seq     int64
	read    func(ctx context.Context, account string, seq int64, limit int) ([]T, error)
	event   func(T) *models.AlertEvent
	out     chan T
	places  *places // nil: the transport has no use for them
	tries   backoff.Backoff
}

// follow begins a subscription.
func follow[T any](ctx context.Context, r *Resolver, account string, after *string,
	read func(context.Context, string, int64, int) ([]T, error), event func(T) *models.AlertEvent,
) (<-chan T, error) {
	f := &follower[T]{Resolver: r, account: account, read: read, event: event, out: make(chan T), places: placesFrom(ctx)}
	f.tries = backoff.Backoff{First: eventsRetry, Most: eventsRetryMax, Jitter: backoff.Spread}
	if f.places != nil && f.places.after != "" { // a client that comes again knows better than its first request
		after = &f.places.after
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
	f.places.begin(id)
	go f.run(ctx)
	return f.out, nil
}

// run sends events until the subscriber leaves. Events are read from the database and never from memory, so a
// subscriber misses none, on any replica.
func (f *follower[T]) run(ctx context.Context) {
	defer close(f.out)
	news, leave := f.store.EventNews(ctx, f.account, f.alerts.Log)
	defer leave()
	for {
		more, err := f.give(ctx)
		if err != nil {
			return
		}
		if !more && !f.awaitEvents(ctx, news) {
			return
		}
	}
}

// give hands on what comes after the place and moves it on; more says whether to ask again at once. An error ends
// the subscription.
func (f *follower[T]) give(ctx context.Context) (more bool, err error) {
	if err := f.standing(ctx); err != nil {
		return false, err
	}
	list, err := f.read(ctx, f.account, f.seq, eventsAtOnce)
	if err != nil {
		wait := f.tries.Next()
		if ctx.Err() == nil {
			f.alerts.Log.WarnContext(ctx, "events not read", slog.String("error", withoutValues(err)), slog.Duration("retry", wait))
		}
		return true, f.pause(ctx, wait)
	}
	f.tries.Reset()
	for i, e := range list {
		if i > 0 {
			if err := f.standing(ctx); err != nil {
				return false, err
			}
		}
		f.places.add(f.event(e).ID)
		select {
		case f.out <- e:
			f.seq = f.event(e).Seq
		case <-f.alerts.Closing:
			return false, context.Canceled
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	return len(list) == eventsAtOnce, nil
}

// standing says whether the subscriber may still be told anything.
func (r *Resolver) standing(ctx context.Context) error {
	if r.alerts.Standing == nil {
		return nil
	}
	err := r.alerts.Standing(ctx)
	if err != nil && models.CodeOf(err) != models.CodeUnauthorized && models.CodeOf(err) != models.CodeForbidden && ctx.Err() == nil {
		r.alerts.Log.WarnContext(ctx, "subscription ended: its key could not be checked", slog.String("error", withoutValues(err)))
	}
	return err
}

// pause waits before another try; its error says that the subscription ended meanwhile.
func (r *Resolver) pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-r.alerts.Closing:
		return context.Canceled
	case <-ctx.Done():
		return ctx.Err()
	}
}

// awaitEvents waits for news; false means that the subscription ended.
func (r *Resolver) awaitEvents(ctx context.Context, news <-chan struct{}) bool {
	select {
	case <-news:
		return true
	case <-r.alerts.Closing:
		return false
	case <-ctx.Done():
		return false
	}
}
