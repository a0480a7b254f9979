// Package delivery measures alerts from the transaction of an ingest to a receiver on this machine, over TLS,
// with both signatures verified. `rollcall bench deliveries` runs it on an empty database. It starts no process
// by itself. The command passes in what sends and what works the jobs, so that the parts measured are those of
// the service.
//
// Three questions are asked. How many deliveries a second leave a backlog (backlog)? How long does an alert
// take at 100 events a second (steady)? Do endpoints that hang delay the others (hanging)? docs/performance.md
// has the answers.
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

// Options are the sizes of the measurements. Larger ones take longer and vary less.
type Options struct {
	// Seconds is the length of each measurement at a steady rate.
	Seconds int
	// Backlog is the number of deliveries in the measurements of throughput.
	Backlog int
	// Endpoints is how many there are beside each other while every fifth hangs, in hundreds.
	Endpoints int
}

// Figure is one line of the result. A figure that a measurement does not have is nil. Latencies are in
// milliseconds, from the detection of the event within the ingest's transaction.
type Figure struct {
	What       string `json:"what"`
	Deliveries int    `json:"deliveries"`
	// PerSecond is the throughput until an outcome was recorded.
	PerSecond *float64 `json:"per_second"`
	// P50 and P99 are until the receiver had the request.
	P50 *float64 `json:"p50_ms"`
	P99 *float64 `json:"p99_ms"`
	// Made is the part of P50 until matching began, and Started the part until the attempt began.
	Made    *float64 `json:"p50_made_ms"`
	Started *float64 `json:"p50_started_ms"`
	// Missing counts deliveries that did not come in time.
	Missing int `json:"missing"`
	// CPU is the processor time of this process in seconds. PostgreSQL is not counted.
	CPU float64 `json:"cpu_seconds"`
	// Load is that of the whole machine. Beside a high load a latency says little.
	Load float64 `json:"load_1min"`
}

// Bench is one run on an empty database. It is used once.
type Bench struct {
	Options
	Store   *store.Store
	Runner  *ingest.Runner
	Secrets *notifier.Secrets
	// Dir is for the files that are read.
	Dir string
	// Progress is for people.
	Progress io.Writer
	Log      *slog.Logger
	// Send sends what is due until it is stopped, to receivers that the authority vouches for. observe sees
	// every attempt.
	Send func(ctx context.Context, authority *x509.Certificate, observe func(notifier.Sent)) (stop func(), err error)
	// Work works the jobs, deliveries among them, until it is stopped.
	Work func(ctx context.Context, authority *x509.Certificate) (stop func(), err error)

	receiver *endpoints
	// clock is the instant of the newest snapshot. Later snapshots must have later ones.
	clock time.Time
	// people counts those of all jails so far, so that no two jails share a person.
	people  int
	figures []Figure
}

// Run takes every measurement and returns the figures in that order. A delivery that does not verify is an
// error: its figures would be those of a broken sender.
func (b *Bench) Run(ctx context.Context) (figures []Figure, err error) {
	// A month after the bookings: none of them is recent enough to fire in the first run of its source.
	b.clock = roster.Start.AddDate(0, 1, 0)
	if b.receiver, err = newEndpoints(ctx); err != nil {
		return nil, err
	}
	defer b.receiver.stop()
	// The measurements share one database, so later ones have the deliveries of earlier ones beside them.
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

// Print prints figures as a table; "-" is a figure that a measurement does not have.
func Print(to io.Writer, figures []Figure) error {
	figure := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.0f", *v)
	}
	// Whole milliseconds are enough: the differences that matter are larger.
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tdeliveries\ta second\tp50 ms\tp99 ms\tp50 to match\tp50 to attempt\tmissing\tcpu s\tload")
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%d\t%.1f\t%.1f\n",
			f.What, f.Deliveries, figure(f.PerSecond), figure(f.P50), figure(f.P99), figure(f.Made), figure(f.Started), f.Missing, f.CPU, f.Load)
	}
	return w.Flush()
}
