// Package mix measures the queries of bench/peers over HTTP, at a service that runs already. It knows the
// service by its API only, but for the key that it needs. So it measures what a client waits for: keys, limits,
// queries and JSON.
//
// The queries a to j are those of bench/peers, whose tables compare rollcall with other programs on the same
// records.
package mix

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/auth"
	"rollcall/models"
	"rollcall/models/store"
)

// Bench is a run of the mix.
type Bench struct {
	// URL is the address of the service, without a path.
	URL string
	// Key is an API key of an account without a rate limit, or with a very high one.
	Key string
	// For is the time for each query at each number of connections.
	For time.Duration
	// Many is the number of connections for throughput. Latencies are taken at one.
	Many int
	// Only has letters of queries; none means all.
	Only []string
	// Progress is for people.
	Progress io.Writer
}

// Row is one line of the result.
type Row struct {
	// Query is the letter of the query and What its description.
	Query string `json:"query"`
	What  string `json:"what"`
	// PerSecond is at Many connections.
	PerSecond float64 `json:"requests_per_second"`
	// P50 and P99 are in milliseconds, at one connection.
	P50 float64 `json:"p50_ms"`
	P99 float64 `json:"p99_ms"`
	// Failed counts answers other than 200, at both.
	Failed int `json:"failed"`
}

// Run measures each query on the records that are there. Parameters are taken from records that the service
// lists, so every query finds something. It needs some records of each family.
func (b *Bench) Run(ctx context.Context) ([]Row, error) {
	// Every connection is kept open, as a real client's are; making one would be measured otherwise.
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: b.Many}}
	load := &loader{client: client, base: b.URL, key: b.Key}
	mix, err := newMix(ctx, load)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, q := range mix {
		if !wanted(b.Only, q.name) {
			continue
		}
		_, _ = fmt.Fprintf(b.Progress, "measuring %s: %s\n", q.name, q.what)
		// The run at one connection comes first and warms the caches for the one at many.
		one := load.run(ctx, q.requests, 1, b.For)
		many := load.run(ctx, q.requests, b.Many, b.For)
		rows = append(rows, Row{
			Query: q.name, What: q.what, PerSecond: many.perSecond(), P50: one.quantile(.50), P99: one.quantile(.99), Failed: one.failed + many.failed,
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return rows, nil
}

// wanted reports whether a query is among those asked for; "c" means all queries whose name begins with it.
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

// Print prints rows as a table.
func (b *Bench) Print(to io.Writer, rows []Row) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "query\twhat\treq/s at %d\tp50 ms at 1\tp99 ms at 1\tfailed\n", b.Many)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%.0f\t%.2f\t%.2f\t%d\n", r.Query, r.What, r.PerSecond, r.P50, r.P99, r.Failed)
	}
	return w.Flush()
}

// Key makes a key without a limit in the account of the benchmarks, which it makes at first use. done revokes
// the key.
func Key(ctx context.Context, store *store.Store) (key auth.Key, done func(), err error) {
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
	// The key is revoked even after an interrupt.
	return key, func() { _ = store.RevokeKey(context.WithoutCancel(ctx), k.ID, time.Now()) }, nil
}
