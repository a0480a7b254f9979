package notifier

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkSender is deliveries that wait in the database, taken, sent over TLS to a fast receiver on this machine,
// verified there, and recorded. The goal is 1,000 a second on 2 cores (docs/performance.md, "Delivery").
func BenchmarkSender(b *testing.B) {
	for _, endpoints := range []int{1, 16} {
		b.Run(strconv.Itoa(endpoints)+"_endpoints", func(b *testing.B) {
			o := newOffice(b, time.Now)
			in, handler := o.inbox(200)
			e := o.serve(b, true, handler)
			var webhooks []string
			for i := range endpoints {
				webhooks = append(webhooks, o.register(b, fmt.Sprintf("%s/%d", e.URL, i)))
			}
			o.post(b, (b.N+endpoints-1)/endpoints, webhooks...)
			b.ResetTimer()
			o.sender(b)
			for o.standing(b)["delivered"] < b.N {
				pause(20 * time.Millisecond)
			}
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
			_, requests := in.counts()
			require.GreaterOrEqual(b, requests, b.N)
		})
	}
}

// latencies are how long events took from their commit to the receiver.
type latencies struct {
	mu     sync.Mutex
	posted map[string]time.Time
	early  map[string]time.Time // received before the commit was known here
	took   []time.Duration
}

func newLatencies() *latencies {
	return &latencies{posted: map[string]time.Time{}, early: map[string]time.Time{}}
}

func (l *latencies) receive(r *http.Request) {
	now, id := time.Now(), r.Header.Get(HeaderStandardID)
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, ok := l.posted[id]; ok {
		l.took = append(l.took, now.Sub(at))
		delete(l.posted, id)
	} else {
		l.early[id] = now
	}
}

// post notes an event that was committed at the moment start or a little later.
func (l *latencies) post(id string, start time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, ok := l.early[id]; ok {
		l.took = append(l.took, at.Sub(start))
		return
	}
	l.posted[id] = start
}

func (l *latencies) report(b *testing.B) {
	b.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	require.NotEmpty(b, l.took)
	slices.Sort(l.took)
	b.ReportMetric(float64(l.took[len(l.took)/2])/1e6, "p50-ms")
	b.ReportMetric(float64(l.took[len(l.took)*99/100])/1e6, "p99-ms")
	b.ReportMetric(float64(len(l.posted)), "missing")
}

// BenchmarkHangingEndpoints spreads 100 deliveries a second over 10,000 endpoints of which every fifth never answers, for
// 20 seconds, and tells how long those to the others take from commit to receiver. The goal is a 99th percentile under 2 s.
func BenchmarkHangingEndpoints(b *testing.B) {
	const endpoints, each, rounds = 10_000, 10, 200
	for b.Loop() {
		o := newOffice(b, time.Now)
		l := newLatencies()
		well := o.serve(b, false, func(_ http.ResponseWriter, r *http.Request) { read(r); l.receive(r) })
		end := make(chan struct{})
		ill := o.serve(b, false, func(http.ResponseWriter, *http.Request) { <-end })
		o.register(b, well.URL)
		_, err := o.db.Pool.Exec(b.Context(), `insert into webhooks (id, account_id, url, events, created_at)
 select 'wh_' || i, $1, case when i % 5 = 0 then $2 else $3 end || '/' || i, '{booking,release,bond_change}', now() from generate_series(0, $4 - 1) i`,
			o.account, ill.URL, well.URL, endpoints)
		require.NoError(b, err)
		o.sender(b)
		tick := time.NewTicker(time.Second * each / 100)
		for i := range rounds {
			<-tick.C
			webhooks := make([]string, each)
			for j := range webhooks {
				webhooks[j] = "wh_" + strconv.Itoa((i*each+j)*7919%endpoints)
			}
			o.post10(b, l, webhooks)
		}
		tick.Stop()
		pause(3 * time.Second) // what comes later than that counts as missing
		l.report(b)
		close(end)
	}
}

// post10 makes an event for each webhook and notes the time of the commit, except for those that never answer.
func (o *office) post10(b *testing.B, l *latencies, webhooks []string) {
	b.Helper()
	start := time.Now()
	rows, err := o.db.Pool.Query(b.Context(), `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) select 'jail', now(), 1 from unnest($3::text[]) returning id
), change as (
  insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, booked_at, charges, bond_cents)
  select batch.id, 'bond_change', now(), 'jail', b.rid, b.id, b.county_id, b.name, b.booked_at, b.charges, batch.id from batch, bookings b returning id, rid
), event as (
  insert into events (id, account_id, kind, change_id, watcher_id, rid, at, created_at)
  select 'evt_' || id, $1, 'bond_change', id, $2, rid, now(), now() from change returning id
), numbered as (select id, row_number() over () n from event)
insert into deliveries (id, account_id, webhook_id, event_id, message_id, watcher_id, kind, body, state, next_attempt, created_at, updated_at)
select 'dlv_' || e.id, $1, w.id, e.id, e.id, $2, 'bond_change', '{}', 'pending', $4, $4, $4
from numbered e join unnest($3::text[]) with ordinality w(id, n) using (n) returning message_id, webhook_id`, o.account, o.watcher, webhooks, start)
	require.NoError(b, err)
	posted := map[string]bool{}
	for rows.Next() {
		var id, webhook string
		require.NoError(b, rows.Scan(&id, &webhook))
		n, err := strconv.Atoi(webhook[len("wh_"):])
		require.NoError(b, err)
		posted[id] = n%5 != 0
	}
	require.NoError(b, rows.Err())
	for id, answers := range posted {
		if answers {
			l.post(id, start)
		}
	}
}
