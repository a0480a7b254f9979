package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"rollcall/bench/mix"
	"rollcall/internal/service"
	"rollcall/models"
)

// benchmarks groups what can be measured. docs/performance.md has the results and how they were taken.
type benchmarks struct {
	Mix         benchCmd            `cmd:"" default:"withargs" help:"The query mix on the records that are there."`
	Ingest      benchIngestCmd      `cmd:"" help:"Fills an empty database of its own, which is deleted after."`
	Links       benchLinksCmd       `cmd:"" help:"Linking bookings to corrections records, on a database of its own."`
	Deliveries  benchDeliveriesCmd  `cmd:"" help:"Alerts from an ingest to receivers on this machine, on a database of its own."`
	Photographs benchPhotographsCmd `cmd:"" help:"Photographs from the page of a jail to callers, on a database of its own."`
}

// benchCmd measures the query mix of bench/peers, at a service that runs elsewhere or at one started here.
type benchCmd struct {
	// URL is empty to start the service here. With it Key is needed, because no key can be made there.
	URL string `help:"Measure the service at this address instead of one started here." placeholder:"http://HOST:PORT"`
	// Key needs an account without a rate limit: refused requests are counted as failed.
	Key string `help:"API key for --url, with a rate limit that does not bite." env:"ROLLCALL_BENCH_KEY"`
	// For is the time for one measurement; each query has two, at one connection and at Many.
	For  time.Duration `name:"seconds" default:"3s" help:"Time for each query at each number of connections. Default ${default}."`
	Many int           `default:"32" help:"Connections of the throughput column; latencies are taken at one. Default ${default}."`
	// Only takes letters: c stands for all queries by name, c1 for the first of them.
	Only []string `help:"Only these queries, by their letters." placeholder:"a,f"`
	JSON bool     `name:"json" help:"Print JSON."`
}

// Run measures the query mix on the records that are there and prints one line for each query. It writes
// nothing but a key of its own, which is revoked after.
func (c benchCmd) Run(ctx context.Context, a *service.App) error {
	bench := &mix.Bench{
		URL: strings.TrimSuffix(strings.TrimRight(c.URL, "/"), "/v1"), Key: c.Key, For: c.For, Many: c.Many, Only: c.Only, Progress: a.Stderr,
	}
	// Without an address the service of this process is measured, which shares its processors with the load.
	if c.URL == "" {
		stop, err := serveBench(ctx, a, bench)
		if err != nil {
			return err
		}
		defer stop()
	}
	if bench.Key == "" {
		return errors.New("--url needs --key (or ROLLCALL_BENCH_KEY)")
	}
	rows, err := bench.Run(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.PrintJSON(rows)
	}
	return bench.Print(a.Stdout, rows)
}

// serveBench starts the service on a free port, with a key for this run alone. It waits for the list indexes:
// without them SQL answers name searches, and the figures would be those of a service that has just started.
func serveBench(ctx context.Context, a *service.App, bench *mix.Bench) (stop func(), err error) {
	// A free port, and no metrics, so that a service that runs on this machine is not in the way.
	a.Addr, a.MetricsAddr = "127.0.0.1:0", "off"
	s, err := a.Start(ctx)
	if err != nil {
		return nil, err
	}
	key, done, err := mix.Key(ctx, s.Store)
	if err != nil {
		s.Stop()
		return nil, err
	}
	bench.URL, bench.Key = "http://"+s.Listener.Addr().String(), key.Reveal()
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		if err := s.AwaitIndex(ctx, f); err != nil {
			done()
			s.Stop()
			return nil, err
		}
	}
	return func() { done(); s.Stop() }, nil
}
