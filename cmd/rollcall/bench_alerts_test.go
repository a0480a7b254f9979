package main

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/internal/testdb"
	"rollcall/notifier"
)

// BenchmarkAlerts is the whole way at 100 events a second: each second a snapshot of 100 people with another bond is
// ingested, matched against a watcher for each of them, and delivered over TLS. It tells how long events take from their
// detection, within the transaction of the ingest, to the receiver. The goals are 250 ms in the middle and 1 s at the 99th
// percentile (docs/performance.md, "Delivery").
func BenchmarkAlerts(b *testing.B) {
	const people, seconds = 100, 20
	var mu sync.Mutex
	received := map[string]time.Time{}
	cert, err := newLocalCert(time.Now())
	require.NoError(b, err)
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		defer mu.Unlock()
		if id := r.Header.Get("Webhook-Id"); received[id].IsZero() {
			received[id] = time.Now()
		}
	}))
	receiver.TLS = cert.server()
	receiver.StartTLS()
	b.Cleanup(receiver.Close)
	caFile := filepath.Join(b.TempDir(), "ca.pem")
	require.NoError(b, writeFile(caFile, cert.pem()))
	db := testdb.New(b)
	app := &App{
		Config: Config{
			DatabaseURL: db.URL, DataDir: b.TempDir(), SecretKey: strings.Repeat("k", 40), WebhookCAFile: caFile,
			WebhookAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		},
		Stdout: io.Discard, Stderr: io.Discard, Log: slog.New(slog.DiscardHandler),
	}
	store, done, err := app.Store(b.Context())
	require.NoError(b, err)
	b.Cleanup(done)
	f := &field{t: b, dir: b.TempDir(), store: store}
	names := make([]string, people)
	for i := range names {
		names[i] = strings.ToUpper(word(i/10)) + "FORD, " + strings.ToUpper(word(i%10))
	}
	f.subscribe(receiver.URL+"/hook", notifier.NewSecret(), names)
	j, err := app.startJobs(b.Context(), db.URL, jobOptions{})
	require.NoError(b, err)
	b.Cleanup(j.stop)
	runner, err := app.runner(store)
	require.NoError(b, err)
	source, err := ingest.Load("common-csv")
	require.NoError(b, err)
	begun := time.Now()
	snapshot := func(i int) {
		file := f.file(names, begun.Add(-72*time.Hour), begun.Add(time.Duration(i-3600)*time.Second), 1000+i)
		report, err := runner.Run(b.Context(), source, ingest.Input{Files: []string{file}})
		require.NoError(b, err)
		require.True(b, report.OK(), "%s", report)
	}
	snapshot(0) // a baseline: they were booked too long ago to tell
	for b.Loop() {
		tick := time.NewTicker(time.Second)
		for i := range seconds {
			<-tick.C
			snapshot(i + 1)
		}
		tick.Stop()
		require.Eventually(b, func() bool { mu.Lock(); defer mu.Unlock(); return len(received) >= people*seconds }, time.Minute, 50*time.Millisecond)
	}
	detected := map[string]time.Time{}
	rows, err := db.Pool.Query(b.Context(), `select id, at from events`)
	require.NoError(b, err)
	for rows.Next() {
		var id string
		var at time.Time
		require.NoError(b, rows.Scan(&id, &at))
		detected[id] = at
	}
	require.NoError(b, rows.Err())
	require.Len(b, detected, people*seconds)
	var took []time.Duration
	for id, at := range received {
		took = append(took, at.Sub(detected[id]))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2])/1e6, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
}

// word is the i-th of ten words that no one takes for another.
func word(i int) string {
	return []string{"Albert", "Beatrix", "Caspian", "Dorothea", "Evander", "Florian", "Gwendolyn", "Horatio", "Ignatius", "Jocasta"}[i]
}
