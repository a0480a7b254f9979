package graph

import (
	"context"
	"log/slog"
	"time"

	"rollcall/models"
)

const (
	eventsAtOnce = 50          // events that a subscription reads ahead of its client
	eventsRetry  = time.Second // after a read that failed
)

// followEvents yields the account's events after one of them, or from now on. A subscription keeps its
// place and no queue, so a client that takes nothing costs nothing: what it has not taken it reads later.
func (r *Resolver) followEvents(ctx context.Context, account string, after *string) (<-chan *models.AlertEvent, error) {
	seq, err := r.place(ctx, account, after)
	if err != nil {
		return nil, err
	}
	out := make(chan *models.AlertEvent)
	go func() {
		defer close(out)
		news, leave := r.store.EventNews(ctx, account, r.alerts.Log)
		defer leave()
		for {
			more, err := r.giveEvents(ctx, account, &seq, out)
			if err != nil {
				return
			}
			if !more && !r.awaitEvents(ctx, news) {
				return
			}
		}
	}()
	return out, nil
}

// place is the number of the event after which a subscription begins.
func (r *Resolver) place(ctx context.Context, account string, after *string) (int64, error) {
	if after != nil && *after != "" {
		return r.store.EventSeq(ctx, account, *after)
	}
	return r.store.LastEventSeq(ctx, account)
}

// giveEvents hands on events after number seq and moves it on; more says whether to ask again at once.
// An error ends the subscription.
func (r *Resolver) giveEvents(ctx context.Context, account string, seq *int64, out chan<- *models.AlertEvent) (more bool, err error) {
	if err := r.standing(ctx); err != nil {
		return false, err
	}
	list, err := r.store.EventsAfter(ctx, account, *seq, eventsAtOnce)
	if err != nil {
		if ctx.Err() == nil {
			r.alerts.Log.WarnContext(ctx, "events not read", slog.String("error", withoutValues(err)), slog.Duration("retry", eventsRetry))
		}
		return true, r.pause(ctx)
	}
	for i, e := range list {
		if i > 0 {
			if err := r.standing(ctx); err != nil {
				return false, err
			}
		}
		select {
		case out <- e:
			*seq = e.Seq
		case <-r.alerts.Closing:
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
func (r *Resolver) pause(ctx context.Context) error {
	timer := time.NewTimer(eventsRetry)
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
