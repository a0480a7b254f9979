package delivery

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"rollcall/internal/machine"
	"rollcall/notifier"
)

// backlog measures how fast deliveries that wait in the database are taken, sent, verified and recorded.
// Everything is matched before the sender starts, so that nothing else is measured.
func (b *Bench) backlog(ctx context.Context, registrations int) error {
	people := max(b.Backlog/registrations, 1)
	account, err := b.subscribe(ctx, registrations, 0)
	if err != nil {
		return err
	}
	feed, err := b.feed(ctx, account, people)
	if err != nil {
		return err
	}
	if err := feed.change(ctx, 1); err != nil {
		return err
	}
	matcher := &notifier.Matcher{Store: b.Store, Standing: notifier.NewStanding(b.Store, b.Log)}
	if _, err := matcher.Drain(ctx); err != nil {
		return err
	}
	// Each change of a person is an event, and each event a delivery to every endpoint.
	n := people * registrations
	recorded := make(chan struct{}, n)
	began, cpu := time.Now(), machine.ProcessorTime().Seconds()
	stop, err := b.Send(ctx, b.receiver.authority, func(s notifier.Sent) {
		if s.Delivered() {
			recorded <- struct{}{}
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	for range n {
		select {
		case <-recorded:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	rate := float64(n) / time.Since(began).Seconds()
	b.receiver.take()
	b.add(Figure{What: fmt.Sprintf("a backlog, endpoints: %d", registrations), Deliveries: n, PerSecond: &rate, CPU: machine.ProcessorTime().Seconds() - cpu})
	return nil
}

// steady measures how long 100 events a second take from their detection to the receiver. The events of a
// second come in one snapshot of each feed, so more feeds mean smaller transactions.
func (b *Bench) steady(ctx context.Context, feeds int) error {
	const events = 100
	account, err := b.subscribe(ctx, 1, 0)
	if err != nil {
		return err
	}
	all := make([]*jail, feeds)
	for i := range all {
		if all[i], err = b.feed(ctx, account, events/feeds); err != nil {
			return err
		}
	}
	spent, stop, err := b.working(ctx)
	if err != nil {
		return err
	}
	defer stop()
	group, gctx := errgroup.WithContext(ctx)
	start := time.NewTicker(time.Second / time.Duration(feeds))
	defer start.Stop()
	// The feeds start evenly spread over a second, and each keeps its place in it.
	for _, feed := range all {
		group.Go(func() error { return feed.tick(gctx, b.Seconds) })
		<-start.C
	}
	if err := group.Wait(); err != nil {
		return err
	}
	// What is still on its way belongs to the measurement.
	b.receiver.await(ctx, b.Seconds*events, patience)
	cpu := spent()
	what := fmt.Sprintf("%d events a second in snapshots of %d: detected to received", events, events/feeds)
	return b.latency(ctx, what, b.Seconds*events, cpu, account)
}

// working works the jobs until stop. spent ends the measurement: it returns the processor time in seconds since
// the start, and stops the work, so that every attempt is recorded before it is counted.
func (b *Bench) working(ctx context.Context) (spent func() float64, stop func(), err error) {
	ended, err := b.Work(ctx, b.receiver.authority)
	if err != nil {
		return nil, nil, err
	}
	stop = sync.OnceFunc(ended)
	began := machine.ProcessorTime().Seconds()
	return func() float64 {
		seconds := machine.ProcessorTime().Seconds() - began
		stop()
		return seconds
	}, stop, nil
}

// hanging measures 100 deliveries a second over many endpoints of which every fifth never answers. Each second
// is an event of another account with a hundred endpoints. The figure is that of the others: it must not suffer
// from those that hang.
func (b *Bench) hanging(ctx context.Context) error {
	const each = 100
	accounts := make([]string, max(b.Endpoints/each, b.Seconds))
	feeds := make([]*jail, b.Seconds)
	b.say("registering %d endpoints", len(accounts)*each)
	var err error
	for i := range accounts {
		if accounts[i], err = b.subscribe(ctx, each, 5); err != nil {
			return err
		}
		if i < len(feeds) {
			// Only as many accounts have a jail as there are seconds; the others are there to be scheduled
			// around.
			if feeds[i], err = b.feed(ctx, accounts[i], 1); err != nil {
				return err
			}
		}
	}
	spent, stop, err := b.working(ctx)
	if err != nil {
		return err
	}
	defer stop()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for _, feed := range feeds {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := feed.change(ctx, 1); err != nil {
			return err
		}
	}
	// Only four in five can be delivered.
	n := b.Seconds * each * 4 / 5
	b.receiver.await(ctx, n, patience)
	cpu := spent()
	what := fmt.Sprintf("100 deliveries a second over %d endpoints, a fifth hangs: to the others", len(accounts)*each)
	return b.latency(ctx, what, n, cpu, accounts[:len(feeds)]...)
}
