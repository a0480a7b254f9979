// Package delivery measures alerts from the transaction of an ingest to a receiver on this machine, over TLS. It starts no
// process by itself: the command passes in what sends and what works the jobs.
package delivery

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
	"time"

	"rollcall/bench/roster"
	"rollcall/ingest"
	"rollcall/models/store"
	"rollcall/notifier"
)

// Options are the sizes of the measurements.
type Options struct {
	Seconds   int // length of each measurement at a steady rate
	Backlog   int // deliveries of the measurements of throughput
	Endpoints int // registrations of which every fifth hangs, in hundreds
}

// Figure is one line of the result. The load is that of the whole machine, the processor seconds are ours.
type Figure struct {
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

// Bench is one run on an empty database.
type Bench struct {
	Options
	Store    *store.Store
	Runner   *ingest.Runner
	Secrets  *notifier.Secrets
	Dir      string    // for the files that are read
	Progress io.Writer // for people
	Log      *slog.Logger
	// Send sends what is due until stopped, to receivers that the authority vouches for; observe sees every attempt.
	Send func(ctx context.Context, authority *x509.Certificate, observe func(notifier.Sent)) (stop func(), err error)
	// Work works the jobs, deliveries among them, until stopped.
	Work func(ctx context.Context, authority *x509.Certificate) (stop func(), err error)

	receiver *endpoints
	clock    time.Time // of the newest snapshot
	people   int       // of all jails so far
	figures  []Figure
}

// Run takes every measurement: how many deliveries a second, how long they take at 100 events a second, and how long
// beside endpoints that hang.
func (b *Bench) Run(ctx context.Context) (figures []Figure, err error) {
	b.clock = roster.Start.AddDate(0, 1, 0)
	if b.receiver, err = newEndpoints(ctx); err != nil {
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

// Print prints figures as a table.
func Print(to io.Writer, figures []Figure) error {
	figure := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.0f", *v)
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tdeliveries\ta second\tp50 ms\tp99 ms\tp50 to match\tp50 to attempt\tmissing\tcpu s\tload")
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%d\t%.1f\t%.1f\n",
			f.What, f.Deliveries, figure(f.PerSecond), figure(f.P50), figure(f.P99), figure(f.Made), figure(f.Started), f.Missing, f.CPU, f.Load)
	}
	return w.Flush()
}
