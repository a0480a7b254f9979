package search_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/match"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/search"
)

// bundle is a database with records of the three families and two stores over it: one answers
// lists by index, one by SQL.
type bundle struct {
	pool    *pgxpool.Pool
	indexed *store.Store
	plain   *store.Store
	index   map[models.Family]*search.Index
}

func setup(t *testing.T, fill func(b *bundle)) *bundle {
	t.Helper()
	db := testdb.New(t)
	b := &bundle{pool: db.Pool, index: map[models.Family]*search.Index{}}
	b.exec(t, `insert into sources (id, title, kind) values ('jail', 'Jail', 'roster'), ('court', 'Court', 'courts'), ('prison', 'Prison', 'corrections')`)
	fill(b)
	b.plain, b.indexed = open(t, db.URL, 0), open(t, db.URL, 1<<20)
	for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
		b.index[f] = search.New(b.indexed, f, slog.New(slog.DiscardHandler))
		b.indexed.UseIndex(f, b.index[f])
	}
	return b
}

func open(t *testing.T, url string, keep int) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url, store.Options{Secret: []byte("test"), KeepRecords: keep})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// run keeps the indexes current until the test ends and waits until they are loaded.
func (b *bundle) run(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for f, ix := range b.index {
		running.Go(func() {
			if err := ix.Run(ctx); err != nil {
				t.Errorf("run index of %s: %v", f, err)
			}
		})
	}
	t.Cleanup(func() { stop(); running.Wait() })
	for f := range b.index {
		b.caughtUp(t, f)
	}
}

// caughtUp waits until the index has seen all that is committed.
func (b *bundle) caughtUp(t *testing.T, f models.Family) {
	t.Helper()
	gen, err := b.plain.Generation(t.Context(), f)
	require.NoError(t, err)
	for range 30 { // each waits a second at most
		if err = b.index[f].CatchUp(t.Context(), gen); err == nil {
			return
		}
	}
	require.NoError(t, err)
}

func (b *bundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := b.pool.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

// The statements write one record, in one transaction with its generation; $1 is the key.
const (
	putBooking = `with g as (update generations set gen = gen + 1 where family = 'roster' returning gen)
 insert into bookings (rid, id, county_id, source_id, name, name_key, booked_at, released_at, withheld, first_seen, last_seen, last_change, gen)
 select $1::bigint, 'fulton-2026-' || $1::bigint, $2::smallint, 'jail', $3::text, $4::text, timestamptz '2026-03-01 12:00Z' + $5::int * interval '1 day', case when $6::int = 1 then now() end,
  case when $7::bool then 'restricted'::withheld_reason end, now(), now(), timestamptz '2026-03-01 12:00Z' + $5::int * interval '1 hour', gen from g
 on conflict (rid) do update set county_id = excluded.county_id, name = excluded.name, name_key = excluded.name_key, booked_at = excluded.booked_at,
  released_at = excluded.released_at, withheld = excluded.withheld, last_change = excluded.last_change, gen = excluded.gen`
	putCase = `with g as (update generations set gen = gen + 1 where family = 'courts' returning gen)
 insert into court_cases (id, party, case_number, county_id, source_id, defendant, name_key, filed_date, court_type, status, withheld, offense, snapshot_at, first_seen, last_seen, last_change, gen)
 select $1::bigint, 'party ' || $1::bigint, 'CR-' || $1::bigint % 7, $2::smallint, 'court', $3::text, $4::text, date '2026-03-01' + $5::int, (array['state', 'superior', 'magistrate', 'warrants'])[1 + $6::int % 4],
  (array['pending', 'closed', 'warrant', 'unknown'])[1 + $1::bigint % 4], case when $7::bool then 'restricted'::withheld_reason end, 'THEFT', now(), now(), now(), timestamptz '2026-03-01 12:00Z' + $5::int * interval '1 hour', gen from g
 on conflict (id) do update set defendant = excluded.defendant, name_key = excluded.name_key, filed_date = excluded.filed_date,
  status = excluded.status, withheld = excluded.withheld, last_change = excluded.last_change, gen = excluded.gen`
	putOffender = `with g as (update generations set gen = gen + 1 where family = 'corrections' returning gen)
 insert into corrections_records (cid, gdc_id, source_id, name, name_key, category, categories, status, withheld, first_seen, last_seen, last_change, gen)
 select $1::bigint, (1000 + $1::bigint)::text, 'prison', $3::text, $4::text, (array['offender', 'parolee', 'sex_offender'])[1 + $2::smallint % 3], array['offender'],
  (array['incarcerated', 'paroled', 'released', 'unknown'])[1 + ($5::int + $6::int) % 4], case when $7::bool then 'restricted'::withheld_reason end, now(), now(), timestamptz '2026-03-01 12:00Z' + $5::int * interval '1 hour', gen from g
 on conflict (cid) do update set name = excluded.name, name_key = excluded.name_key, category = excluded.category, status = excluded.status,
  withheld = excluded.withheld, last_change = excluded.last_change, gen = excluded.gen`
)

var (
	surnames = []string{"SMITH", "SMITHSON", "JONES", "O'BRIEN", "GARCÍA-LOPEZ", "JOHN", "LEE"}
	givens   = []string{"John", "Johnny", "Jo", "Ann", "Anna Ann", "Zoë", "Lee"}
)

func drawName(r *rand.Rand) string {
	last, first := surnames[r.IntN(len(surnames))], givens[r.IntN(len(givens))]
	if r.IntN(2) == 0 {
		return last + ", " + first
	}
	return first + " " + last
}

// put writes n records of each family with keys up to most.
func (b *bundle) put(t *testing.T, r *rand.Rand, n, most int) {
	t.Helper()
	for range n {
		for _, sql := range []string{putBooking, putCase, putOffender} {
			name := drawName(r)
			b.exec(t, sql, 1+r.IntN(most), 1+2*r.IntN(3), name, match.SearchKey(name), r.IntN(5), r.IntN(2), r.IntN(8) == 0)
		}
	}
}

var tables = map[models.Family]struct{ table, key string }{
	models.Roster: {"bookings", "rid"}, models.Courts: {"court_cases", "id"}, models.Corrections: {"corrections_records", "cid"},
}

// delete deletes a record of each family, as an expungement does.
func (b *bundle) delete(t *testing.T, r *rand.Rand, most int) {
	t.Helper()
	for _, f := range tables {
		b.exec(t, fmt.Sprintf("delete from %s where %s = $1", f.table, f.key), 1+r.IntN(most))
	}
}

// answer is what two pages of a list say.
type answer struct {
	total [2]int
	more  [2]bool
	keys  []int64
}

// ask draws a query of a family and asks a store for a page of it, and for the page behind that.
func ask(t *testing.T, r *rand.Rand) func(s *store.Store) map[models.Family]answer {
	t.Helper()
	name := []*string{nil, new("smith"), new("jo"), new("lee lee"), new("o'br"), new("garcia jo"), new("n"), new("ann an a"), new("zoe smith"), new("nobody")}[r.IntN(10)]
	county := []*string{nil, nil, new("appling"), new("bacon")}[r.IntN(4)]
	page := models.Page{Limit: 1 + r.IntN(9), Offset: r.IntN(3) * r.IntN(30), Order: []models.Order{models.OrderOwn, models.OrderRelevance}[r.IntN(2)]}
	day := func() *models.Date {
		if r.IntN(2) == 0 {
			return nil
		}
		d, err := models.ParseDate(fmt.Sprintf("2026-03-%02d", 1+r.IntN(6)))
		require.NoError(t, err)
		return &d
	}
	from, to := day(), day()
	if from != nil && to != nil && from.After(*to) {
		from, to = to, from
	}
	var since *time.Time
	if r.IntN(2) == 0 {
		since = new(time.Date(2026, 3, 1, 12+r.IntN(5), 0, r.IntN(2), 0, time.UTC))
	}
	roster := models.RosterFilter{UpdatedSince: since, Name: name, County: county, FromDate: from, ToDate: to, Status: []*models.RosterStatus{nil, new(models.Booked)}[r.IntN(2)]}
	courts := models.CourtFilter{
		UpdatedSince: since, Name: name, County: county, KnownStatus: r.IntN(2) == 0,
		CourtType: []*models.CourtType{nil, new(models.StateCourt)}[r.IntN(2)],
		Status:    []*models.CourtStatus{nil, nil, new(models.PendingCase), new(models.UnknownCase)}[r.IntN(4)],
	}
	corrections := models.CorrectionsFilter{
		UpdatedSince: since, Name: name, KnownStatus: r.IntN(2) == 0, Category: []*models.Category{nil, new(models.Offender)}[r.IntN(2)],
		Status: []*models.CorrectionsStatus{nil, nil, new(models.Paroled), new(models.UnknownCustody)}[r.IntN(4)],
	}
	behind := func(info models.PageInfo) models.Page {
		cursor, err := info.EndCursor()
		require.NoError(t, err)
		if cursor == nil {
			return page
		}
		return models.Page{Limit: page.Limit, After: *cursor, Order: page.Order}
	}
	return func(s *store.Store) map[models.Family]answer {
		b, err := s.ListBookings(t.Context(), roster, page)
		require.NoError(t, err)
		b2, err := s.ListBookings(t.Context(), roster, behind(b.PageInfo))
		require.NoError(t, err)
		c, err := s.ListCourtCases(t.Context(), courts, page)
		require.NoError(t, err)
		c2, err := s.ListCourtCases(t.Context(), courts, behind(c.PageInfo))
		require.NoError(t, err)
		o, err := s.ListCorrections(t.Context(), corrections, page)
		require.NoError(t, err)
		o2, err := s.ListCorrections(t.Context(), corrections, behind(o.PageInfo))
		require.NoError(t, err)
		rid, key, cid := func(b *models.Booking) int64 { return b.RID }, func(c *models.CourtCase) int64 { return c.Key }, func(o *models.CorrectionsRecord) int64 { return o.CID }
		return map[models.Family]answer{
			models.Roster:      {[2]int{b.Total, b2.Total}, [2]bool{b.PageInfo.HasNextPage, b2.PageInfo.HasNextPage}, append(keys(b.Records, rid), keys(b2.Records, rid)...)},
			models.Courts:      {[2]int{c.Total, c2.Total}, [2]bool{c.PageInfo.HasNextPage, c2.PageInfo.HasNextPage}, append(keys(c.Records, key), keys(c2.Records, key)...)},
			models.Corrections: {[2]int{o.Total, o2.Total}, [2]bool{o.PageInfo.HasNextPage, o2.PageInfo.HasNextPage}, append(keys(o.Records, cid), keys(o2.Records, cid)...)},
		}
	}
}

func keys[T any](records []T, key func(T) int64) []int64 {
	out := []int64{}
	for _, r := range records {
		out = append(out, key(r))
	}
	return out
}
