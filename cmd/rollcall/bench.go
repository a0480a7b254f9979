package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/auth"
	"rollcall/models"
)

type benchCmd struct {
	URL  string        `help:"Measure the service at this address instead of one started here." placeholder:"http://HOST:PORT"`
	Key  string        `help:"API key for --url, with a rate limit that does not bite." env:"ROLLCALL_BENCH_KEY"`
	For  time.Duration `name:"seconds" default:"3s" help:"Time for each query at each number of connections. Default ${default}."`
	Many int           `default:"32" help:"Connections of the throughput column; latencies are taken at one. Default ${default}."`
	Only []string      `help:"Only these queries, by their letters." placeholder:"a,f"`
	JSON bool          `name:"json" help:"Print JSON."`
}

// benchRow is one line of the result.
type benchRow struct {
	Query     string  `json:"query"`
	What      string  `json:"what"`
	PerSecond float64 `json:"requests_per_second"` // at Many connections
	P50       float64 `json:"p50_ms"`              // at one connection
	P99       float64 `json:"p99_ms"`
	Failed    int     `json:"failed"` // answers other than 200
}

// Run measures the query mix of bench/peers on the records that are there, one table out.
func (c benchCmd) Run(ctx context.Context, a *App) error {
	target := strings.TrimSuffix(strings.TrimRight(c.URL, "/"), "/v1")
	if c.URL == "" {
		stop, err := c.serve(ctx, a, &target)
		if err != nil {
			return err
		}
		defer stop()
	}
	if c.Key == "" {
		return errors.New("--url needs --key (or ROLLCALL_BENCH_KEY)")
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: c.Many}}
	load := &loader{client: client, base: target, key: c.Key}
	mix, err := newMix(ctx, load)
	if err != nil {
		return err
	}
	var rows []benchRow
	for _, q := range mix {
		if !wanted(c.Only, q.name) {
			continue
		}
		_, _ = fmt.Fprintf(a.Stderr, "measuring %s: %s\n", q.name, q.what)
		one := load.run(ctx, q.requests, 1, c.For)
		many := load.run(ctx, q.requests, c.Many, c.For)
		rows = append(rows, benchRow{
			Query: q.name, What: q.what, PerSecond: many.perSecond(), P50: one.quantile(.50), P99: one.quantile(.99), Failed: one.failed + many.failed,
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return c.print(a, rows)
}

func wanted(only []string, name string) bool {
	if len(only) == 0 {
		return true
	}
	for _, o := range only {
		if strings.EqualFold(o, name) || strings.EqualFold(o, name[:1]) {
			return true
		}
	}
	return false
}

func (c benchCmd) print(a *App, rows []benchRow) error {
	if c.JSON {
		return a.printJSON(rows)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "query\twhat\treq/s at %d\tp50 ms at 1\tp99 ms at 1\tfailed\n", c.Many)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%.2f\t%.2f\t%d\n", r.Query, r.What, r.PerSecond, r.P50, r.P99, r.Failed)
	}
	return w.Flush()
}

// serve starts the service on a free port, with a key for this run alone.
func (c *benchCmd) serve(ctx context.Context, a *App, target *string) (stop func(), err error) {
	a.Addr, a.MetricsAddr = "127.0.0.1:0", "off"
	s, err := a.start(ctx)
	if err != nil {
		return nil, err
	}
	key, done, err := benchKey(ctx, s.store)
	if err != nil {
		s.stop()
		return nil, err
	}
	*target, c.Key = "http://"+s.listener.Addr().String(), key.Reveal()
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		if err := s.awaitIndex(ctx, f); err != nil {
			done()
			s.stop()
			return nil, err
		}
	}
	return func() { done(); s.stop() }, nil
}

// benchKey makes a key without a limit; done revokes it.
func benchKey(ctx context.Context, store *models.Store) (key auth.Key, done func(), err error) {
	const email = "bench@rollcall.example"
	account, err := store.AccountByEmail(ctx, email)
	if models.CodeOf(err) == models.CodeNotFound {
		account = &models.Account{Name: "Bench", Email: email, Plan: models.Enterprise}
		err = store.CreateAccount(ctx, account)
	}
	if err != nil {
		return auth.Key{}, nil, err
	}
	key = auth.NewKey()
	sum := key.SHA256()
	k := &models.APIKey{AccountID: account.ID, Label: "bench", Prefix: key.Prefix(), SHA256: sum[:]}
	if err := store.CreateKey(ctx, k); err != nil {
		return auth.Key{}, nil, err
	}
	return key, func() { _ = store.RevokeKey(context.WithoutCancel(ctx), k.ID, time.Now()) }, nil
}
