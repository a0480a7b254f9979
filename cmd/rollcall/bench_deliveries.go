package main

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net/netip"

	"rollcall/bench/delivery"
	"rollcall/internal/service"
	"rollcall/notifier"
)

// benchDeliveriesCmd measures alerts. The measurements and their sizes are described in bench/delivery.
type benchDeliveriesCmd struct {
	Seconds   int  `default:"20" help:"Length of each measurement at a steady rate. Default ${default}."`
	Backlog   int  `default:"3000" help:"Deliveries of the measurements of throughput. Default ${default}."`
	Endpoints int  `default:"10000" help:"Endpoints of which every fifth hangs, in hundreds. Default ${default}."`
	JSON      bool `name:"json" help:"Print JSON."`
}

// Run measures alerts from the transaction of an ingest to a receiver on this machine.
func (c *benchDeliveriesCmd) Run(ctx context.Context, a *service.App) error {
	return alone(ctx, a, func(own *service.App) error { return c.run(ctx, own) })
}

// run measures on a database of its own. Receivers listen on this machine, where webhooks are refused
// otherwise. Logs are discarded: an error that matters ends the benchmark.
func (c *benchDeliveriesCmd) run(ctx context.Context, own *service.App) error {
	own.Log = slog.New(slog.DiscardHandler) // what goes wrong ends the bench
	own.WebhookAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	url, closeServer, err := own.Database(ctx)
	if err != nil {
		return err
	}
	defer closeServer()
	figures, err := c.measure(ctx, own, url)
	if err != nil {
		return err
	}
	if c.JSON {
		return own.PrintJSON(figures)
	}
	return delivery.Print(own.Stdout, figures)
}

// measure takes every measurement on the empty database at url. The sender and the jobs are passed as
// functions, because bench/delivery may not import the service.
func (c *benchDeliveriesCmd) measure(ctx context.Context, a *service.App, url string) ([]delivery.Figure, error) {
	store, err := a.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	// The ingest of the measurements is that of the service, with its transactions and events.
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	secrets, err := a.Secrets(store)
	if err != nil {
		return nil, err
	}
	b := &delivery.Bench{
		Options: delivery.Options{Seconds: c.Seconds, Backlog: c.Backlog, Endpoints: c.Endpoints},
		Store:   store, Runner: runner, Secrets: secrets, Dir: a.DataDir, Progress: a.Stderr, Log: a.Log,
		// Send runs only the sender: what waits is in the database already, and matching would compete with it.
		Send: func(ctx context.Context, authority *x509.Certificate, observe func(notifier.Sent)) (func(), error) {
			d, err := a.StartDeliveries(ctx, url, service.JobOptions{Authority: authority, Observe: observe})
			if err != nil {
				return nil, err
			}
			return d.Stop, nil
		},
		Work: func(ctx context.Context, authority *x509.Certificate) (func(), error) {
			j, err := a.StartJobs(ctx, url, service.JobOptions{Authority: authority})
			if err != nil {
				return nil, err
			}
			return j.Stop, nil
		},
	}
	return b.Run(ctx)
}
