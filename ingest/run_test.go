package ingest_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/raw"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

// bundle is a database, a runner on it, and a clock that tests set.
type bundle struct {
	*testing.T
	db     *testdb.DB
	store  *store.Store
	runner *ingest.Runner
	now    time.Time
	dir    string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t, db: testdb.New(t), now: time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC), dir: t.TempDir()}
	var err error
	b.store, err = store.Open(t.Context(), b.db.URL, store.Options{Now: func() time.Time { return b.now }})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	seal, err := raw.NewSeal([]byte("a secret key of a test, 32 bytes"))
	require.NoError(t, err)
	b.runner = &ingest.Runner{Store: b.store, Seal: seal, Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return b.now }}
	return b
}

// run reads a file under a source and gives the report.
func (b *bundle) run(source, name, text string, at time.Time) *ingest.Report {
	b.Helper()
	s, err := ingest.Load(source)
	require.NoError(b, err)
	return b.runSource(s, name, text, at)
}

func (b *bundle) runSource(s *ingest.Source, name, text string, at time.Time) *ingest.Report {
	b.Helper()
	file := filepath.Join(b.dir, name)
	require.NoError(b, os.WriteFile(file, []byte(text), 0o600))
	report, err := b.runner.Run(context.Background(), s, ingest.Input{Files: []string{file}, At: at})
	require.NoError(b, err)
	return report
}

// release releases a source as an operator does, and gives the report of its held snapshot.
func (b *bundle) release(s *ingest.Source) *ingest.Report {
	b.Helper()
	report, err := b.runner.Release(context.Background(), s, b.heldCounty(s), ingest.Decision{})
	require.NoError(b, err)
	return report
}

// heldCounty is the county of the only scope of a source that is held; nil where the source itself is.
func (b *bundle) heldCounty(s *ingest.Source) *models.County {
	b.Helper()
	if held := b.sources()[s.ID].Held(); len(held) > 0 && held[0].Parent != "" {
		return held[0].County
	}
	return nil
}

// discard ends a hold as an operator does who saw that the held snapshot is wrong.
func (b *bundle) discard(s *ingest.Source) {
	b.Helper()
	_, err := b.runner.Release(context.Background(), s, b.heldCounty(s), ingest.Decision{Discard: true})
	require.NoError(b, err)
}

// sample gives the text of a shipped source's sample.
func (b *bundle) sample(source, name string) string {
	b.Helper()
	text, err := os.ReadFile(filepath.Join("sources", source, "samples", name))
	require.NoError(b, err)
	return string(text)
}

// one gives the value of a query.
func one[T any](b *bundle, query string, args ...any) T {
	b.Helper()
	var v T
	require.NoError(b, b.db.Pool.QueryRow(b.Context(), query, args...).Scan(&v))
	return v
}

func TestShippedSamplesBecomeRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	name := "clarke_2017-11-14_06-30-00.csv"
	r := b.run("common-csv", name, b.sample("common-csv", name), time.Time{})
	require.Equal(t, []int{8, 5, 5, 3}, []int{r.Fetched, r.Parsed, r.New, r.Quarantined}, r.String())
	require.Equal(t, source.RunPartial, r.State)
	require.False(t, r.OK())
	require.Equal(t, 4, one[int](b, `select n from roster_totals where county_id = 0 and status = 'booked'`)+one[int](b, `select n from roster_totals where county_id = 0 and status = 'released'`))
	require.Equal(t, "clarke-2017-000005", one[string](b, `select max(id) from bookings`))

	r = b.run("court-delta", "delta.txt", b.sample("court-delta", "delta.txt"), b.now)
	require.Equal(t, []int{11, 9, 4, 2}, []int{r.Fetched, r.Parsed, r.New, r.Quarantined}, r.String())
	require.Equal(t, "BATTERY - FAMILY VIOLENCE", one[string](b, `select offense from court_cases where case_number = '2026-CR/000123 A'`))
	require.Equal(t, "HON. WINTERBOURNE", one[string](b, `select judge from court_cases where case_number = '2026-CR/000123 A'`))
	require.Equal(t, 1, one[int](b, `select count(*) from hearings`))

	r = b.run("corrections-fixed", "offenders_20260105.txt", b.sample("corrections-fixed", "offenders_20260105.txt"), time.Time{})
	require.Equal(t, []int{7, 6, 6, 1}, []int{r.Fetched, r.Parsed, r.New, r.Quarantined}, r.String())
	require.Equal(t, map[string]map[string]int{"offender.status": {"Q": 1}}, r.Unknown)

	r = b.run("zuercher", "page1.json", b.sample("zuercher", "page1.json"), time.Time{})
	require.Equal(t, []int{5, 4, 4, 1}, []int{r.Fetched, r.Parsed, r.New, r.Quarantined}, r.String())
	require.True(t, r.Complete, r.String())
}

func TestGuarantee5TheSameBytesTwiceChangeNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	files := map[string]string{
		"common-csv": "clarke_2017-11-14_06-30-00.csv", "court-delta": "delta.txt", "corrections-fixed": "offenders_20260105.txt", "zuercher": "page1.json",
	}
	facts := func() string { // when a delta told a part of a case last is no fact of it
		return one[string](b, `select md5(string_agg(t, '')) from (
 select b::text from bookings b union all select (to_jsonb(c) - '{snapshot_at,last_seen}'::text[])::text from court_cases c union all
 select (to_jsonb(h) - 'snapshot_at')::text from hearings h union all select (to_jsonb(c) - 'snapshot_at')::text from case_charges c union all
 select d::text from dispositions d union all select c::text from corrections_records c union all select g::text from booking_charges g union all select h::text from record_changes h order by 1) x (t)`)
	}
	for source, file := range files {
		b.run(source, file, b.sample(source, file), day)
	}
	before := facts()
	b.now = b.now.Add(time.Hour)
	for source, file := range files {
		r := b.run(source, file, b.sample(source, file), day)
		require.Zero(t, r.New+r.Changed+r.Closed+r.Reopened+r.Missing+r.Adopted, r.String())
	}
	require.Equal(t, before, facts())
}
