package ingest_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// spool is a folder where a jail drops files; their times are told, not those of this machine.
type spool struct {
	*bundle
	dir    string
	source *ingest.Source
}

func newSpool(t *testing.T) *spool {
	t.Helper()
	d := &spool{bundle: setup(t), dir: t.TempDir()}
	d.source = sourceWith(t, "county-a", "decode:", "schedule: {every: 30m}\ntransport: {kind: folder, folder: '"+d.dir+
		`', pattern: '\.csv$', observed: {regex: '(\d{4}-\d{2}-\d{2}_\d{2}-\d{2})', layout: '2006-01-02_15-04'}}`+"\ndecode:")
	return d
}

func (d *spool) drops(name, text string, at time.Time) {
	d.Helper()
	file := filepath.Join(d.dir, name)
	require.NoError(d, os.WriteFile(file, []byte(text), 0o600))
	require.NoError(d, os.Chtimes(file, at, at))
}

// loses takes a file away.
func (d *spool) loses(name string) {
	d.Helper()
	require.NoError(d, os.Remove(filepath.Join(d.dir, name)))
}

// read asks the folder, ten minutes later.
func (d *spool) read() *ingest.Report {
	d.Helper()
	d.now = d.now.Add(10 * time.Minute)
	report, err := d.runner.Run(d.Context(), d.source, ingest.Input{})
	require.NoError(d, err)
	return report
}

func (d *spool) runs() int { return one[int](d.bundle, `select count(*) from runs`) }

func TestGuarantee2EachDroppedFileIsReadOnceAndInOrder(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	d.drops("b_2026-03-08_06-00.csv", roster(5, 0), d.now)
	d.drops("a_2026-03-07_06-00.csv", roster(5), d.now)
	d.drops(".c_2026-03-09_06-00.csv", "half", d.now)
	d.drops("notes.txt", "nothing of ours", d.now)
	r := d.read()
	require.Equal(t, []any{source.RunOK, 5, 1}, []any{r.State, r.New, r.Closed}, r.String())
	require.Equal(t, "2026-03-08 06:00", one[string](d.bundle, `select to_char(released_at at time zone 'America/New_York', 'YYYY-MM-DD HH24:MI') from bookings where status = 'released'`))
	require.Equal(t, 2, d.runs())

	r = d.read()
	require.Equal(t, []any{int64(0), source.RunOK, "county-a: no file is new\n"}, []any{r.Run, r.State, r.String()})
	require.Equal(t, 2, d.runs(), "what was read is not read again")

	d.drops("b_2026-03-08_06-00.csv", roster(6, 0), d.now.Add(time.Minute))
	require.Equal(t, 1, d.read().New, "a file that was written again is new")
	d.drops("c_2026-03-07_18-00.csv", roster(7), d.now)
	r = d.read()
	require.Equal(t, []any{1, 0}, []any{r.New, r.Reopened}, "an older file that comes late tells what it knows and rolls nothing back: %s", r)
	require.Equal(t, 4, d.runs())
}

func TestGuarantee2AFileWhoseRunFailedIsReadAgain(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	d.source.Limits.Rows = 10
	d.drops("a_2026-03-07_06-00.csv", roster(20), d.now)
	for range 2 {
		r := d.read()
		require.Equal(t, source.RunFailed, r.State)
		require.Contains(t, r.Note, "more than 10 rows")
	}
	d.source.Limits.Rows = 100
	require.Equal(t, 20, d.read().New)

	d.source.Limits.Bytes = 100
	d.drops("b_2026-03-08_06-00.csv", roster(20), d.now)
	r := d.read()
	require.Equal(t, source.RunFailed, r.State)
	require.Contains(t, r.Note, "beyond the limits")
	require.NoError(t, os.RemoveAll(d.dir))
	r = d.read()
	require.Equal(t, source.RunFailed, r.State, "a folder that is not there is the source's trouble, and shown with it")
	require.Contains(t, r.Note, "list folder")
}

func TestGuarantee4ASnapshotOfSeveralFilesIsReadWhole(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	first, second := roster(8, 4, 5, 6, 7), roster(8, 0, 1, 2, 3)
	d.drops("men_2026-03-07_06-00.csv", first, d.now)
	d.drops("women_2026-03-07_06-00.csv", second, d.now)
	require.Equal(t, 8, d.read().New)
	d.drops("women_2026-03-07_06-00.csv", second+" ", d.now.Add(time.Minute))
	r := d.read()
	require.Equal(t, []int{8, 0}, []int{r.Fetched, r.Closed}, "the half that is not new is read with the half that is: %s", r)
}

func TestGuarantee12WhatGoesBeyondTheLimitsWaitsForTheNextRun(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	d.source.Limits.Pages = 1
	d.drops("a_2026-03-07_06-00.csv", roster(5), d.now)
	d.drops("b_2026-03-08_06-00.csv", roster(5, 0), d.now)
	require.Equal(t, []int{0, 1, 0}, []int{d.read().Closed, d.read().Closed, d.read().Closed})
}

func TestGuarantee13AFolderWhereNothingNewComesIsNotOK(t *testing.T) {
	t.Parallel()
	d := unscheduled(t, "schedule: {every: 30m}")
	require.NoError(t, d.runEnabled())
	day := 24 * time.Hour
	d.drops("roster.csv", roster(5), d.now)
	d.read()
	written := d.now.Add(-10 * time.Minute)
	for _, step := range []struct {
		age  time.Duration
		want models.SourceState
	}{{30 * time.Minute, models.SourceOK}, {2*day - time.Minute, models.SourceOK}, {2 * day, models.SourceLate}, {3 * day, models.SourceDown}} {
		d.now = written.Add(step.age - 10*time.Minute)
		d.read()
		s := d.shown()
		require.Equal(t, []any{step.want, int(step.age / time.Second)}, []any{s.State(), *s.LagSeconds()})
		require.Equal(t, d.now, s.LastSuccess.UTC(), "it answers")
		require.Equal(t, step.want != models.SourceOK, s.Note != nil)
	}
	require.Equal(t, "it answers, but its newest data is of Mar 9, 2026, 8:00 AM", *d.shown().Note)
	require.Equal(t, "This source answers, but its newest data is from Mar 9, 2026, 8:00 AM.", *d.shown().PlainNote())
	county := "ben-hill"
	fresh, err := d.store.Freshness(t.Context(), models.Roster, &county)
	require.NoError(t, err)
	require.Equal(t, []any{written, []string{county}}, []any{fresh.AsOf.UTC(), fresh.Stale})

	d.drops("roster.csv", roster(5, 0), d.now)
	d.read()
	require.Equal(t, models.SourceOK, d.shown().State())
}

func (d *spool) runEnabled() error {
	entry, err := d.source.Entry(d.store.Counties())
	if err != nil {
		return err
	}
	if _, err := d.store.PutSource(d.Context(), entry); err != nil {
		return err
	}
	return d.store.EnableSource(d.Context(), d.source.ID, true)
}

// shown is the source as it is shown.
func (b *bundle) shown() *models.Source {
	b.Helper()
	sources, err := b.store.Sources(b.Context())
	require.NoError(b, err)
	require.Len(b, sources, 1)
	return sources[0]
}

func TestGuarantee13AHostThatKeepsSendingOldDataIsNotOK(t *testing.T) {
	t.Parallel()
	b := setup(t)
	dated := func(at time.Time) string {
		return "id,name,booked,bond,as_of\nK1,\"QUILLFEATHER, WREN\",2026-01-05 10:00,$500.00," + at.In(models.Georgia).Format("2006-01-02 15:04") + "\n#end\n"
	}
	stamp := b.now
	p := newPortal(t, dated(stamp))
	s := sourceWith(t, "county-a", "columns: [", "columns: [as_of, ", "number: id,", "number: id, observed_at: {from: as_of, layouts: ['2006-01-02 15:04']},",
		"decode:", "schedule: {every: 30m, data: 2h}\ntransport: {kind: http, pause: 1ms, steps: [{url: '"+p.URL+"', keep: true}]}\ndecode:")
	b.work(s)
	require.NoError(t, b.store.EnableSource(t.Context(), s.ID, true))
	for _, want := range []struct {
		hours int
		state models.SourceState
	}{{3, models.SourceOK}, {4, models.SourceLate}, {6, models.SourceDown}} {
		b.now = stamp.Add(time.Duration(want.hours) * time.Hour)
		b.work(s)
		require.Equal(t, []any{want.state, want.hours * 3600, "ok"}, []any{b.shown().State(), *b.shown().LagSeconds(), one[string](b, `select state from runs order by id desc limit 1`)})
	}
	p.says(dated(b.now.Add(time.Hour)))
	b.work(s)
	require.Equal(t, []any{models.SourceOK, 0}, []any{b.shown().State(), *b.shown().LagSeconds()}, "a stamp of the future is no advance on the clock")
}

// TestAFileWhoseNameDoesNotTellItsInstantIsNotTakenForNow holds that an old file under a name that was written
// otherwise undoes nothing: it is refused with its name, once, and the others are read.
func TestAFileWhoseNameDoesNotTellItsInstantIsNotTakenForNow(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	d.drops("a_2026-03-07_06-00.csv", roster(5), d.now)
	require.Equal(t, source.RunOK, d.read().State)

	d.drops("a_2026-03-06 06.00.csv", roster(4), d.now)
	d.drops("a_2026-03-07_07-00.csv", roster(5, 0), d.now)
	r := d.read()
	require.Equal(t, []any{source.RunFailed, 1}, []any{r.State, r.Closed}, r.String())
	require.Contains(t, r.String(), `the name "a_2026-03-06 06.00.csv" does not state the instant as transport.observed of county-a says: name the file so`)
	require.Equal(t, "county-a: no file is new\n", d.read().String(), "that is said once")

	t.Log("by hand the instant can be told")
	by := func(in ingest.Input) (*ingest.Report, error) { return d.runner.Run(d.Context(), d.source, in) }
	file := filepath.Join(d.dir, "a_2026-03-06 06.00.csv")
	_, err := by(ingest.Input{Files: []string{file}})
	require.ErrorContains(t, err, "name the file so, or state the instant (--at)")
	r, err = by(ingest.Input{Files: []string{file}, At: time.Date(2026, 3, 6, 6, 0, 0, 0, models.Georgia)})
	require.NoError(t, err)
	require.Equal(t, []any{source.RunOK, 0, 4}, []any{r.State, r.Closed, r.Older}, r.String())
}

// TestAFileOfTheFutureWaitsByItself holds that a slip in one name keeps nothing else from being read.
func TestAFileOfTheFutureWaitsByItself(t *testing.T) {
	t.Parallel()
	for policy, publish := range map[string][]string{"full roster": nil, "delta": {"policy: full_roster, absence: released", "policy: delta, absence: nothing"}} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			d := newSpool(t)
			d.source = sourceWith(t, "county-a", append(publish, "decode:", "schedule: {every: 30m}\ntransport: {kind: folder, folder: '"+d.dir+
				`', pattern: '\.csv$', observed: {regex: '(\d{4}-\d{2}-\d{2}_\d{2}-\d{2})', layout: '2006-01-02_15-04'}}`+"\ndecode:")...)
			d.drops("a_2026-03-09_06-00.csv", roster(5), d.now)
			d.drops("b_2026-03-09_18-00.csv", roster(7), d.now)
			d.drops("c_2062-03-09_06-30.csv", roster(9), d.now)
			r := d.read()
			require.Equal(t, []any{source.RunFailed, 5}, []any{r.State, r.New}, r.String())
			require.Contains(t, r.String(), `the file "b_2026-03-09_18-00.csv" is named as of 2026-03-09 18:00, which lies in the future (as does 1 more): it waits until then, and the others are read; check its name and the clocks`)
			require.Equal(t, "county-a: no file is new\n", d.read().String(), "that is said once")
			require.Zero(t, one[int](d.bundle, `select failures from sources`))

			d.drops("d_2026-03-09_07-00.csv", roster(6), d.now)
			r = d.read()
			require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.New}, r.String())
			d.drops("c_2062-03-09_06-30.csv", roster(10), d.now)
			require.Contains(t, d.read().Note, `"c_2062-03-09_06-30.csv"`, "a file that was written again is told of again")

			d.now = time.Date(2026, 3, 9, 18, 0, 0, 0, models.Georgia)
			r = d.read()
			require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.New}, "its instant has come: %s", r)
		})
	}
}
