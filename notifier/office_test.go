package notifier

import (
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// clock is one that a test sets.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

func (c *clock) add(d time.Duration) { c.set(c.now().Add(d)) }

// office is a database with one account, its watcher and its secret, and what a Sender needs.
type office struct {
	*bundle
	db      *testdb.DB
	store   *store.Store
	seal    *Sealer
	now     func() time.Time
	account string
	watcher string
}

// newOffice makes an office whose clock is now.
func newOffice(tb testing.TB, now func() time.Time) *office {
	tb.Helper()
	db := testdb.New(tb)
	o := &office{bundle: setup(tb, func(o *ClientOptions) { o.Now = now }), db: db, now: now}
	var err error
	o.store, err = store.Open(tb.Context(), db.URL, store.Options{Secret: []byte("test"), Now: now})
	require.NoError(tb, err)
	tb.Cleanup(o.store.Close)
	o.seal, err = NewSealer(make([]byte, 32))
	require.NoError(tb, err)
	a := &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise, RateLimit: models.DefaultRateLimit}
	require.NoError(tb, o.store.CreateAccount(tb.Context(), a))
	o.account = a.ID
	w, err := o.store.CreateWatcher(tb.Context(), a.ID, &models.NewWatcher{Name: "Wren Moonsail"})
	require.NoError(tb, err)
	o.watcher = w.ID
	db.Add(tb, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN"})
	return o
}

// register gives the id of a new registration.
func (o *office) register(tb testing.TB, url string) string {
	tb.Helper()
	h, err := o.store.CreateWebhook(tb.Context(), o.account, &models.NewWebhook{URL: url, Events: models.EventKinds()}, o.seal.Seal(o.keys.Current, o.account))
	require.NoError(tb, err)
	return h.ID
}

// post makes n events of the watcher, with a delivery each to every webhook, due at once.
func (o *office) post(tb testing.TB, n int, webhooks ...string) {
	tb.Helper()
	_, err := o.db.Pool.Exec(tb.Context(), `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) select 'jail', $1, 1 from generate_series(1, $2) returning id
), change as (
  insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, booked_at, charges, bond_cents)
  select batch.id, 'bond_change', $1, 'jail', b.rid, b.id, b.county_id, b.name, b.booked_at, b.charges, batch.id from batch, bookings b returning id, rid
), event as (
  insert into events (id, account_id, kind, change_id, watcher_id, rid, at, created_at)
  select 'evt_' || id, $3, 'bond_change', id, $4, rid, $1, $1 from change returning id
)
insert into deliveries (id, account_id, webhook_id, event_id, message_id, watcher_id, kind, body, match, state, next_attempt, created_at, updated_at)
select 'dlv_' || e.id || '_' || w.id, $3, w.id, e.id, e.id, $4, 'bond_change', convert_to('{"event":"bond_change","alert_id":"' || $4 || '","record":{"id":"' || e.id || '"}}', 'UTF8'),
 '{"probability": 0.97, "level": "normal", "reasons": ["surname agrees"]}', 'pending', $1, $1, $1 from event e, unnest($5::text[]) w(id)`,
		o.now(), n, o.account, o.watcher, webhooks)
	require.NoError(tb, err)
}

// sender runs a sender until the test ends or stop is called.
func (o *office) sender(tb testing.TB, change ...func(*SenderOptions)) (stop func()) {
	tb.Helper()
	options := SenderOptions{Store: o.store, Client: o.Client, Seal: o.seal, Log: slog.New(slog.NewTextHandler(tb.Output(), nil)), Now: o.now}
	for _, c := range change {
		c(&options)
	}
	ctx, cancel := newContext(tb)
	ended := make(chan struct{})
	go func() { defer close(ended); NewSender(options).Run(ctx) }()
	stop = func() { cancel(); <-ended }
	tb.Cleanup(stop)
	return stop
}

// standing counts deliveries by state, and by reason where they were dropped.
func (o *office) standing(tb testing.TB) map[string]int {
	tb.Helper()
	rows, err := o.db.Pool.Query(tb.Context(), `select state || coalesce(' ' || reason, ''), count(*) from deliveries group by 1`)
	require.NoError(tb, err)
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var state string
		var n int
		require.NoError(tb, rows.Scan(&state, &n))
		out[state] = n
	}
	require.NoError(tb, rows.Err())
	return out
}

// await waits until the deliveries stand so.
func (o *office) await(tb testing.TB, want map[string]int) {
	tb.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		got := o.standing(tb)
		if mapsEqual(got, want) {
			return
		}
		require.True(tb, time.Now().Before(deadline), "deliveries stand at %v, not %v", got, want)
		pause(10 * time.Millisecond)
	}
}

// inbox is a receiver that verifies what it gets and counts it by webhook-id.
type inbox struct {
	mu     sync.Mutex
	status int
	got    map[string]int
	bodies map[string]map[string]bool
	heads  []http.Header
}

func (o *office) inbox(status int) (*inbox, http.HandlerFunc) {
	in := &inbox{status: status, got: map[string]int{}, bodies: map[string]map[string]bool{}}
	return in, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || VerifyService(r.Header, body, o.keys.Current) != nil || VerifyStandard(r.Header, body, o.keys.Current, o.now()) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		id := r.Header.Get(HeaderStandardID)
		in.got[id]++
		if in.bodies[id] == nil {
			in.bodies[id] = map[string]bool{}
		}
		in.bodies[id][string(body)] = true
		in.heads = append(in.heads, r.Header.Clone())
		w.WriteHeader(in.status)
	}
}

// answer sets the status of what comes next.
func (in *inbox) answer(status int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.status = status
}

// counts gives how many ids came and how many requests.
func (in *inbox) counts() (ids, requests int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, n := range in.got {
		requests += n
	}
	return len(in.got), requests
}
