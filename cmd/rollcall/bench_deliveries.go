package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/notifier"
)

type benchDeliveriesCmd struct {
	Seconds   int  `default:"20" help:"Length of each measurement at a steady rate. Default ${default}."`
	Backlog   int  `default:"3000" help:"Deliveries of the measurements of throughput. Default ${default}."`
	Endpoints int  `default:"10000" help:"Registrations of which every fifth hangs, in hundreds. Default ${default}."`
	JSON      bool `name:"json" help:"Print JSON."`
}

// deliveryFigure is one line of the result. The load is that of the whole machine, the processor seconds are ours.
type deliveryFigure struct {
	What       string   `json:"what"`
	Deliveries int      `json:"deliveries"`
	PerSecond  *float64 `json:"per_second"`
	P50        *float64 `json:"p50_ms"`
	P99        *float64 `json:"p99_ms"`
	Made       *float64 `json:"p50_made_ms"`    // of P50: until matching began
	Started    *float64 `json:"p50_started_ms"` // until the attempt began
	Missing    int      `json:"missing"`        // that did not come in time
	CPU        float64  `json:"cpu_seconds"`
	Load       float64  `json:"load_1min"`
}

// deliveryBench is one run on a database of its own.
type deliveryBench struct {
	app      *App
	cmd      *benchDeliveriesCmd
	url      string
	store    *models.Store
	runner   *ingest.Runner
	secrets  *notifier.Secrets
	receiver *benchReceiver
	clock    time.Time // of the newest snapshot
	people   int       // of all feeds so far
	figures  []deliveryFigure
}

// Run measures alerts from an ingest's transaction to a receiver on this machine, over TLS: how many deliveries a second,
// how long they take at 100 events a second, and how long beside endpoints that hang.
func (c *benchDeliveriesCmd) Run(ctx context.Context, a *App) error {
	return alone(ctx, a, func(own *App) error { return c.run(ctx, own) })
}

func (c *benchDeliveriesCmd) run(ctx context.Context, own *App) error {
	own.Log = slog.New(slog.DiscardHandler) // what goes wrong ends the bench
	own.WebhookAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	url, closeServer, err := own.database(ctx)
	if err != nil {
		return err
	}
	defer closeServer()
	figures, err := c.measure(ctx, own, url)
	if err != nil {
		return err
	}
	return c.print(own, figures)
}

// measure takes every measurement on the empty database at url.
func (c *benchDeliveriesCmd) measure(ctx context.Context, a *App, url string) (figures []deliveryFigure, err error) {
	b := &deliveryBench{app: a, cmd: c, url: url, clock: benchStart.AddDate(0, 1, 0)}
	if b.store, err = a.open(ctx, url); err != nil {
		return nil, err
	}
	defer b.store.Close()
	if b.runner, err = a.runner(b.store); err != nil {
		return nil, err
	}
	if b.secrets, err = a.secrets(b.store); err != nil {
		return nil, err
	}
	if b.receiver, err = newBenchReceiver(ctx); err != nil {
		return nil, err
	}
	defer b.receiver.stop()
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return b.backlog(ctx, 16) },
		func(ctx context.Context) error { return b.backlog(ctx, 1) },
		func(ctx context.Context) error { return b.steady(ctx, 1) },
		func(ctx context.Context) error { return b.steady(ctx, 10) },
		b.hanging,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if n := b.receiver.forgeries(); n > 0 {
		return nil, fmt.Errorf("bench: %d deliveries did not verify", n)
	}
	return b.figures, nil
}

func (c *benchDeliveriesCmd) print(a *App, figures []deliveryFigure) error {
	if c.JSON {
		return a.printJSON(figures)
	}
	figure := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.0f", *v)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tdeliveries\ta second\tp50 ms\tp99 ms\tp50 to match\tp50 to attempt\tmissing\tcpu s\tload")
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%d\t%.1f\t%.1f\n",
			f.What, f.Deliveries, figure(f.PerSecond), figure(f.P50), figure(f.P99), figure(f.Made), figure(f.Started), f.Missing, f.CPU, f.Load)
	}
	return w.Flush()
}

// backlog is how fast deliveries that wait in the database are taken, sent, verified and recorded.
func (b *deliveryBench) backlog(ctx context.Context, registrations int) error {
	people := max(b.cmd.Backlog/registrations, 1)
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
	matcher := &notifier.Matcher{Store: b.store, Standing: notifier.NewStanding(b.store, b.app.Log)}
	if _, err := matcher.Drain(ctx); err != nil {
		return err
	}
	n := people * registrations
	recorded := make(chan struct{}, n)
	began, cpu := time.Now(), cpuSeconds()
	sending, err := b.app.startDeliveries(ctx, b.url, jobOptions{authority: b.receiver.authority, observe: func(s notifier.Sent) {
		if s.Delivered() {
			recorded <- struct{}{}
		}
	}})
	if err != nil {
		return err
	}
	defer sending.stop()
	for range n {
		select {
		case <-recorded:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	rate := float64(n) / time.Since(began).Seconds()
	b.receiver.take()
	b.add(deliveryFigure{What: fmt.Sprintf("a backlog, registrations: %d", registrations), Deliveries: n, PerSecond: &rate, CPU: cpuSeconds() - cpu})
	return nil
}

// steady is how long 100 events a second take from their detection to the receiver: so many feeds one after another in
// each second, each with its share of changes in one snapshot.
func (b *deliveryBench) steady(ctx context.Context, feeds int) error {
	const events = 100
	account, err := b.subscribe(ctx, 1, 0)
	if err != nil {
		return err
	}
	all := make([]*benchFeed, feeds)
	for i := range all {
		if all[i], err = b.feed(ctx, account, events/feeds); err != nil {
			return err
		}
	}
	j, err := b.app.startJobs(ctx, b.url, jobOptions{authority: b.receiver.authority})
	if err != nil {
		return err
	}
	stop := sync.OnceFunc(j.stop)
	defer stop()
	cpu := cpuSeconds()
	group, gctx := errgroup.WithContext(ctx)
	start := time.NewTicker(time.Second / time.Duration(feeds))
	defer start.Stop()
	for _, feed := range all {
		group.Go(func() error { return feed.tick(gctx, b.cmd.Seconds) })
		<-start.C
	}
	if err := group.Wait(); err != nil {
		return err
	}
	b.receiver.await(ctx, b.cmd.Seconds*events, benchPatience)
	cpu = cpuSeconds() - cpu
	stop() // what has come is recorded
	what := fmt.Sprintf("%d events a second in snapshots of %d: detected to received", events, events/feeds)
	return b.latency(ctx, what, b.cmd.Seconds*events, cpu, account)
}

// hanging is the same for 100 deliveries a second over many registrations of which every fifth never answers. Each second
// is an event of another account, which has a hundred.
func (b *deliveryBench) hanging(ctx context.Context) error {
	const each = 100
	accounts := make([]string, max(b.cmd.Endpoints/each, b.cmd.Seconds))
	feeds := make([]*benchFeed, b.cmd.Seconds)
	b.say("registering %d endpoints", len(accounts)*each)
	var err error
	for i := range accounts {
		if accounts[i], err = b.subscribe(ctx, each, 5); err != nil {
			return err
		}
		if i < len(feeds) {
			if feeds[i], err = b.feed(ctx, accounts[i], 1); err != nil {
				return err
			}
		}
	}
	j, err := b.app.startJobs(ctx, b.url, jobOptions{authority: b.receiver.authority})
	if err != nil {
		return err
	}
	stop := sync.OnceFunc(j.stop)
	defer stop()
	cpu := cpuSeconds()
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
	n := b.cmd.Seconds * each * 4 / 5
	b.receiver.await(ctx, n, benchPatience)
	cpu = cpuSeconds() - cpu
	stop() // what has come is recorded
	what := fmt.Sprintf("100 deliveries a second over %d endpoints, a fifth hangs: to the others", len(accounts)*each)
	return b.latency(ctx, what, n, cpu, accounts[:len(feeds)]...)
}
