package notifier_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/notifier"
	"rollcall/rest/resttest"
)

// desk is an account with a jail that it watches: snapshots go in, events come out.
type desk struct {
	db      *testdb.DB
	store   *store.Store
	matcher *notifier.Matcher
	clock   time.Time
	account string
	source  string
}

// start is when these tests begin.
var start = time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)

// newDesk makes a desk; tracers see the statements of its store.
func newDesk(tb testing.TB, tracer ...pgx.QueryTracer) *desk {
	tb.Helper()
	d := &desk{db: testdb.New(tb), clock: start, source: "jail"}
	var err error
	o := store.Options{Now: func() time.Time { return d.clock }}
	if len(tracer) > 0 {
		o.Tracer = tracer[0]
	}
	d.store, err = store.Open(tb.Context(), d.db.URL, o)
	require.NoError(tb, err)
	tb.Cleanup(d.store.Close)
	d.matcher = &notifier.Matcher{Store: d.store, Standing: notifier.NewStanding(d.store, slog.New(slog.DiscardHandler))}
	d.account = d.newAccount(tb, "desk@example.org")
	return d
}

func (d *desk) newAccount(tb require.TestingT, email string) string {
	a := &models.Account{Name: "Desk", Email: email, Plan: models.Enterprise}
	require.NoError(tb, d.store.CreateAccount(context.Background(), a))
	return a.ID
}

// person is a row of the jail's list. Its booking key is its name's first word and number.
type person struct {
	key      string
	name     string // default "QUILLFEATHER, MARLOWE"
	dob      string
	booked   time.Time // default some hours before start, by the key
	released *time.Time
	bond     int64 // cents; 0: none set
	withheld models.WithheldReason
	who      string // the source's number of the person
	number   string // by which a court may name the booking
}

func (p person) row(tb require.TestingT, seen time.Time) *snapshot.RosterRow {
	r := &snapshot.RosterRow{
		Key: p.key, PersonKey: p.who, Number: p.number, CountyID: 17, Name: cmp.Or(p.name, "QUILLFEATHER, MARLOWE"), BookedAt: p.booked, ReleasedAt: p.released,
		Charges: []snapshot.Charge{{Description: "THEFT"}}, Withheld: p.withheld, SeenAt: seen,
	}
	if r.BookedAt.IsZero() { // of every key another minute: one person under two keys in one minute is one booking
		r.BookedAt = start
		for _, c := range []byte(p.key) {
			r.BookedAt = r.BookedAt.Add(-time.Duration(max(c, '1')-'1') * 5 * time.Minute)
		}
	}
	if p.bond > 0 {
		r.BondCents = &p.bond
	}
	if p.dob != "" {
		dob, err := models.ParseDate(p.dob)
		require.NoError(tb, err)
		r.DOB, r.BirthYear = &dob, int16(dob.Year)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", p))
	r.Fingerprint = sum[:]
	return r
}

// list loads a complete snapshot of everybody, half an hour after the last, and matches what changed.
func (d *desk) list(tb require.TestingT, people ...person) {
	d.load(tb, true, people...)
	d.match(tb)
}

// load loads a snapshot without matching.
func (d *desk) load(tb require.TestingT, complete bool, people ...person) {
	d.clock = d.clock.Add(30 * time.Minute)
	require.NoError(tb, d.reconcile(context.Background(), tb, complete, people...))
}

// reconcile loads a snapshot until it is done or ctx ends.
func (d *desk) reconcile(ctx context.Context, tb require.TestingT, complete bool, people ...person) error {
	_, err := d.store.PutSource(context.WithoutCancel(ctx), source.Entry{ID: d.source, Title: "Jail", Kind: "roster", Interval: 30 * time.Minute})
	require.NoError(tb, err)
	run, err := d.store.BeginRun(context.WithoutCancel(ctx), d.source, d.clock)
	require.NoError(tb, err)
	rows := iter.Seq2[*snapshot.RosterRow, error](func(yield func(*snapshot.RosterRow, error) bool) {
		for _, p := range people {
			if !yield(p.row(tb, d.clock), nil) {
				return
			}
		}
	})
	_, _, err = d.store.ReconcileRoster(ctx, snapshot.Reconciler{
		Header: snapshot.Header{SourceID: d.source, RunID: run, At: d.clock, Now: d.clock, Tracks: true, Releases: true, Confirmations: 1},
		Prove:  func(int) snapshot.Completeness { return snapshot.Completeness{Complete: complete} },
		Exempt: func() snapshot.Exempt { return snapshot.Exempt{} },
	}, rows)
	return err
}

func (d *desk) match(tb require.TestingT) {
	_, err := d.matcher.Drain(context.Background())
	require.NoError(tb, err)
}

func (d *desk) watch(tb require.TestingT, n models.NewWatcher) *models.Watcher {
	if n.Name == "" {
		n.Name = "Marlowe Quillfeather"
	}
	d.clock = d.clock.Add(time.Second)
	w, err := d.store.CreateWatcher(context.Background(), d.account, &n)
	require.NoError(tb, err)
	return w
}

func (d *desk) register(tb require.TestingT, n models.NewWebhook) *models.Webhook {
	if n.URL == "" {
		n.URL = "https://receiver.example.org"
	}
	if n.Events == nil {
		n.Events = models.EventKinds()
	}
	h, err := d.store.CreateWebhook(context.Background(), d.account, &n, []byte("sealed"))
	require.NoError(tb, err)
	return h
}

// fired tells every event so far, in order: kind, booking key, watched name.
func (d *desk) fired(tb require.TestingT) []string {
	rows, err := d.db.Pool.Query(context.Background(), `select e.kind, coalesce((select g.key from roster_claims g where g.record = e.rid order by g.source_id limit 1), ''), coalesce(w.name, '') from events e left join watchers w on w.id = e.watcher_id order by e.seq`)
	require.NoError(tb, err)
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var kind, key, name string
		require.NoError(tb, rows.Scan(&kind, &key, &name))
		out = append(out, strings.TrimSpace(kind+" "+key+" "+name))
	}
	require.NoError(tb, rows.Err())
	return out
}

// kinds tells the kinds of every event so far, in order.
func (d *desk) kinds(tb require.TestingT) string {
	fired := d.fired(tb)
	for i, f := range fired {
		fired[i], _, _ = strings.Cut(f, " ")
	}
	return strings.Join(fired, " ")
}

func (d *desk) deliveries(tb require.TestingT) []*models.Delivery {
	page, err := d.store.Deliveries(context.Background(), d.account, models.DeliveryFilter{}, models.Page{Limit: 200})
	require.NoError(tb, err)
	slices.Reverse(page.Deliveries)
	for _, one := range page.Deliveries {
		if len(one.Body) > 0 { // empty when the record must not be shown any more
			h := http.Header{"Content-Type": {"application/json"}}
			notifier.Keyring{Current: notifier.NewSecret()}.Sign(h, one.MessageID, d.clock, one.Body)
			require.NoError(tb, resttest.CheckEvent(context.Background(), h, one.Body), "%s", one.Body)
		}
	}
	return page.Deliveries
}
