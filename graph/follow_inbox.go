package graph

import (
	"context"
	"log/slog"

	"rollcall/graph/transport"
	"rollcall/internal/backoff"
	"rollcall/models"
)

// followInbox sends the counts of an account's inbox at once, and whenever the inbox stands otherwise. The channel is closed when
// the subscription ends, as that of follow is.
//
// It sends counts and no changes of hits: handlings have no number that ascends with their commits, so a stream of them could
// leave one out. Who reads the inbox again after each value sees all of them, however many came at once, and whichever connection
// was lost in between.
func (r *Resolver) followInbox(ctx context.Context, account string) <-chan *models.HitCounts {
	out := make(chan *models.HitCounts)
	go func() {
		defer close(out)
		news, leave := r.store.EventNews(ctx, account, r.alerts.Log)
		defer leave()
		if err := r.sendStandings(ctx, account, news, out); err != nil && ctx.Err() == nil {
			transport.EndingFrom(ctx).Set(err)
		}
	}()
	return out
}

// sendStandings sends counts until the subscription ends, which is its error.
func (r *Resolver) sendStandings(ctx context.Context, account string, news <-chan struct{}, out chan<- *models.HitCounts) error {
	var last *models.InboxStanding // that was sent
	tries := backoff.Backoff{First: eventsRetry, Most: eventsRetryMax, Jitter: backoff.Spread}
	for {
		now, err := r.store.InboxStanding(ctx, account)
		if err != nil {
			wait := tries.Next()
			if ctx.Err() == nil {
				r.alerts.Log.WarnContext(ctx, "inbox not read", slog.String("error", models.WithoutValues(err)), slog.Duration("retry", wait))
			}
			if err := r.pause(ctx, wait); err != nil {
				return err
			}
			continue
		}
		tries.Reset()
		if err := r.standing(ctx); err != nil { // after the read: the key may have been revoked while it waited
			return err
		}
		if last == nil || *last != now {
			select {
			case out <- &now.Counts:
				last = &now
			case <-r.alerts.Closing:
				return transport.ErrStopping
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err := r.awaitEvents(ctx, news); err != nil {
			return err
		}
	}
}
