package source_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/source"
)

var (
	modelBooking  = modelstest.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}
	modelBooking2 = modelstest.Booking{ID: "fulton-2026-000002", Name: "ROE, JOHN"}
)

// put quarantines rows of a run of a source for a day.
func (b *bundle) put(t *testing.T, run int64, source string, rows ...source.QuarantinedRow) {
	t.Helper()
	_, err := b.Store.Quarantine(b.Ctx, run, source, b.Now, b.Now.Add(24*time.Hour), rows)
	require.NoError(t, err)
}

// bad is a row whose booking date cannot be read.
func bad(line int64, mark string) source.QuarantinedRow {
	return source.QuarantinedRow{Line: line, Field: "booked_at", Reason: "is no date", Encrypted: []byte(mark), Fingerprint: []byte(mark)}
}

func TestARowThatComesAgainIsKeptOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
	b.put(t, first, "jail", bad(1, "a"), bad(2, "b"), bad(3, "a"))
	b.Now = b.Now.Add(time.Hour)
	second := b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
	b.put(t, second, "jail", bad(9, "a"), source.QuarantinedRow{Line: 4, Reason: "is too short", Encrypted: []byte("c")})

	rows, err := b.Store.WaitingRows(b.Ctx, "jail", 0, 10)
	require.NoError(t, err)
	require.Equal(t, []source.WaitingRow{
		{Run: second, Line: 4, Reason: "is too short", Times: 1, Last: rows[0].Last, Encrypted: []byte("c")},
		{Run: second, Line: 9, Field: "booked_at", Reason: "is no date", Times: 3, Last: rows[1].Last, Encrypted: []byte("a")},
		{Run: first, Line: 2, Field: "booked_at", Reason: "is no date", Times: 1, Last: rows[2].Last, Encrypted: []byte("b")},
	}, rows)
	require.True(t, b.Now.Equal(rows[0].Last))
	next, err := b.Store.WaitingRows(b.Ctx, "jail", 1, 10)
	require.NoError(t, err)
	require.Equal(t, rows[1:], next)
	rows, err = b.Store.WaitingRows(b.Ctx, "jail", 0, 1)
	require.NoError(t, err)
	require.Len(t, rows, 1)

	counts, err := b.Store.QuarantineCounts(b.Ctx, "jail")
	require.NoError(t, err)
	require.Equal(t, []source.QuarantineCount{
		{Field: "booked_at", Reason: "is no date", Rows: 2, Last: counts[0].Last, Times: 4}, {Reason: "is too short", Rows: 1, Last: counts[1].Last, Times: 1},
	}, counts)
	sizes, err := b.Store.QuarantineSizes(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"jail": 3}, sizes)

	b.Now = b.Now.Add(23*time.Hour + 30*time.Minute)
	sizes, err = b.Store.QuarantineSizes(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"jail": 2}, sizes, "those of the first run alone have expired")
}

func TestIgnoredRowsStayIgnoredUntilTheyChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := func(rows ...source.QuarantinedRow) (id int64, fresh int) {
		t.Helper()
		b.Now = b.Now.Add(time.Hour)
		id = b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
		b.archived(t, id, 1, b.Now)
		fresh, err := b.Store.Quarantine(b.Ctx, id, "jail", b.Now, b.Now.Add(24*time.Hour), rows)
		require.NoError(t, err)
		return id, fresh
	}
	other := source.QuarantinedRow{Line: 3, Reason: "is too short", Encrypted: []byte("c"), Fingerprint: []byte("c")}
	first, fresh := run(bad(1, "a"), bad(2, "b"), bad(5, "a"), other)
	require.Equal(t, 3, fresh)
	n, err := b.Store.IgnoreRows(b.Ctx, "jail", "booked_at", "is no date")
	require.NoError(t, err)
	require.Equal(t, 2, n)

	second, fresh := run(bad(1, "a"), bad(2, "changed"), other)
	require.Equal(t, 1, fresh, "the one that changed")
	waits := func() map[string]int {
		counts, err := b.Store.QuarantineCounts(b.Ctx, "jail")
		require.NoError(t, err)
		out := map[string]int{}
		for _, c := range counts {
			out[c.Reason] = c.Rows
		}
		return out
	}
	require.Equal(t, map[string]int{"is no date": 1, "is too short": 1}, waits())
	sizes, err := b.Store.QuarantineSizes(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"jail": 2}, sizes)
	ignored, err := b.Store.IgnoredCounts(b.Ctx, "jail")
	require.NoError(t, err)
	require.Len(t, ignored, 1)
	require.Equal(t, 2, ignored[0].Rows)
	needed, err := b.Store.QuarantinedRuns(b.Ctx, "jail")
	require.NoError(t, err)
	require.Equal(t, []int64{second}, needed, "nobody replays what is ignored")

	noted := func() bool {
		b.Now = b.Now.Add(time.Second) // sources are kept for less
		all, err := b.Store.SourcesByID(b.Ctx)
		require.NoError(t, err)
		return all["jail"].PlainNote() != nil
	}
	b.Exec(t, `update sources set note = '2 rows are in quarantine' where id = 'jail'`)
	require.True(t, noted(), "one that changed waits")
	run(bad(1, "a"))
	b.Exec(t, `update sources set note = '1 row is in quarantine' where id = 'jail'`)
	require.False(t, noted(), "the last run had nothing but what is ignored")

	n, err = b.Store.UnignoreRows(b.Ctx, "jail", "booked_at", "is no date")
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, map[string]int{"is no date": 3, "is too short": 1}, waits())
	needed, err = b.Store.QuarantinedRuns(b.Ctx, "jail")
	require.NoError(t, err)
	require.Contains(t, needed, first)
	require.True(t, noted())
}

func TestRowsOfEarlierFilesDoNotWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := func(complete bool, rows ...source.QuarantinedRow) int64 {
		t.Helper()
		b.Now = b.Now.Add(time.Hour)
		id := b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
		b.archived(t, id, 1, b.Now)
		b.Exec(t, `update runs set complete = $2, documents = 1, snapshot_at = $3 where id = $1`, id, complete, b.Now)
		b.put(t, id, "jail", rows...)
		return id
	}
	// counted are the rows that wait, and those of earlier files, at every place that counts them.
	counted := func() [2]int {
		t.Helper()
		sum := func(counts []source.QuarantineCount, err error) (n int) {
			require.NoError(t, err)
			for _, c := range counts {
				n += c.Rows
			}
			return n
		}
		waiting := sum(b.Store.QuarantineCounts(b.Ctx, "jail"))
		sizes, err := b.Store.QuarantineSizes(b.Ctx)
		require.NoError(t, err)
		rows, err := b.Store.WaitingRows(b.Ctx, "jail", 0, 10)
		require.NoError(t, err)
		_, listed, _, err := b.Store.QuarantineGroups(b.Ctx, source.QuarantineFilter{}, 10)
		require.NoError(t, err)
		require.Equal(t, []int{waiting, waiting, waiting}, []int{sizes["jail"], len(rows), listed}, "one count")
		earlier := sum(b.Store.EarlierCounts(b.Ctx, "jail"))
		_, listed, err = b.Store.QuarantineRows(b.Ctx, source.QuarantineFilter{Earlier: true}, 10)
		require.NoError(t, err)
		require.Equal(t, earlier, listed)
		return [2]int{waiting, earlier}
	}
	first := run(true, bad(1, "a"), bad(2, "b"))
	require.Equal(t, [2]int{2, 0}, counted())
	run(false, bad(1, "a"))
	require.Equal(t, [2]int{2, 0}, counted(), "a file that may lack rows replaces none")
	last := run(true, bad(1, "a"))
	require.Equal(t, [2]int{1, 1}, counted(), "a complete one does")
	needed, err := b.Store.QuarantinedRuns(b.Ctx, "jail")
	require.NoError(t, err)
	require.Equal(t, []int64{first, last}, needed, "a retry still reads what can be read")

	b.Exec(t, `insert into runs (source_id, state, started_at, snapshot_at, replay_of) select 'jail', 'partial', $2, snapshot_at, id from runs where id = $1`, first, b.Now)
	var replay int64
	require.NoError(t, b.Store.Pool().QueryRow(b.Ctx, `select max(id) from runs`).Scan(&replay))
	b.put(t, replay, "jail", bad(2, "b"))
	require.Equal(t, [2]int{1, 1}, counted(), "a replay of the earlier file does not bring it back")
	b.put(t, replay, "jail", bad(7, "a"))
	require.Equal(t, [2]int{1, 1}, counted(), "nor does it make one earlier that the last file still has")
	waits, err := b.Store.WaitingRows(b.Ctx, "jail", 0, 10)
	require.NoError(t, err)
	require.Equal(t, []int64{last, 1, 4}, []int64{waits[0].Run, waits[0].Line, int64(waits[0].Times)})
	b.Exec(t, `delete from archives where run_id = $1`, last)
	require.Equal(t, [2]int{0, 2}, counted(), "its file is not there any more")
}

func TestAReadingWithoutFaultsResolvesRows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
	b.put(t, run, "jail", bad(1, "a"), bad(2, "b"))
	quarantined := func() []int64 {
		ids, err := b.Store.QuarantinedRuns(b.Ctx, "jail")
		require.NoError(t, err)
		return ids
	}
	require.Empty(t, quarantined(), "its documents are gone")
	b.archived(t, run, 1, b.Now)
	require.Equal(t, []int64{run}, quarantined())

	replay, err := b.Store.BeginReplay(b.Ctx, "jail", run, b.Now)
	require.NoError(t, err)
	b.put(t, replay, "jail", bad(2, "b"))
	n, err := b.Store.ResolveQuarantine(b.Ctx, run, replay, b.Now)
	require.NoError(t, err)
	require.Equal(t, 1, n, "the other one is still wrong")
	require.Equal(t, []int64{replay}, quarantined(), "what it read again is still there")
	again, err := b.Store.BeginReplay(b.Ctx, "jail", replay, b.Now)
	require.NoError(t, err)
	n, err = b.Store.ResolveQuarantine(b.Ctx, replay, again, b.Now)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Empty(t, quarantined())
}

func TestPendingClaimsAreCountedWithTheirSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t, modelBooking)
	waits := func(table, source, key string, said time.Time) {
		t.Helper()
		b.Exec(t, `insert into `+table+` (source_id, key, how, how_at, fingerprint, first_at, said_at, present, facts) values ($1, $2, 'own', $3, '', $3, $3, false, '{}')`, source, key, said)
	}
	b.Exec(t, `insert into sources (id, kind, title, parent) values ('court:fulton', 'courts', 'Fulton', 'court')`)
	waits("court_claims", "court", "1/state/1/C1", b.Now)
	waits("court_claims", "court:fulton", "1/state/1/C2", b.Now.Add(time.Hour))
	waits("court_claims", "court", "1/state/*/C1", b.Now)
	waits("roster_claims", "jail", "B9", b.Now)
	for id, want := range map[string][]source.PendingCount{
		"court":        {{Family: models.Courts, Claims: 2, Last: b.Now.Add(time.Hour)}},
		"court:fulton": {{Family: models.Courts, Claims: 1, Last: b.Now.Add(time.Hour)}},
		"jail":         {{Family: models.Roster, Claims: 1, Last: b.Now}},
	} {
		got, err := b.Store.PendingCounts(b.Ctx, id)
		require.NoError(t, err)
		for i := range got {
			got[i].Last = got[i].Last.UTC()
		}
		require.Equal(t, want, got, id)
	}
	sizes, err := b.Store.QuarantineSizes(b.Ctx)
	require.NoError(t, err)
	require.Empty(t, sizes, "no operator has to look")
}

func TestRawDataExpire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
	b.archived(t, run, 1, b.Now)
	b.put(t, run, "jail", bad(1, "a"), bad(2, "b"))
	gone, err := b.Store.ExpireRaw(b.Ctx, b.Now.Add(23*time.Hour))
	require.NoError(t, err)
	require.Zero(t, gone.Documents+gone.Rows)
	gone, err = b.Store.ExpireRaw(b.Ctx, b.Now.Add(24*time.Hour))
	require.NoError(t, err)
	require.Equal(t, source.Expired{Documents: 1, Rows: 2, Needed: []string{"jail"}}, gone, "the rows can not be read again")
	docs, err := b.Store.Archives(b.Ctx, run)
	require.NoError(t, err)
	require.Empty(t, docs)
}

func TestRowsInQuarantineAreListedByTheirReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Exec(t, `update sources set county_id = 1 where id = 'jail'`)
	run := b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
	b.put(t, run, "jail", bad(1, "a"), bad(2, "b"))
	b.Now = b.Now.Add(time.Hour)
	county, err := b.Store.Counties().BySlug("wheeler")
	require.NoError(t, err)
	later := source.QuarantinedRow{Line: 7, Field: "case.number", Reason: "is missing", County: county.ID, Encrypted: []byte("c")}
	b.put(t, run, "court", later)
	for name, c := range map[string]struct {
		filter source.QuarantineFilter
		want   int
	}{
		"all":                     {source.QuarantineFilter{}, 3},
		"of a source":             {source.QuarantineFilter{Source: "jail"}, 2},
		"of a county":             {source.QuarantineFilter{County: county.ID}, 1},
		"by a part of the reason": {source.QuarantineFilter{Reason: "NUMBER: is"}, 1},
		"since a time":            {source.QuarantineFilter{Since: b.Now}, 1},
		"none":                    {source.QuarantineFilter{Source: "jail", County: county.ID}, 0},
	} {
		_, rows, _, err := b.Store.QuarantineGroups(b.Ctx, c.filter, 10)
		require.NoError(t, err, name)
		require.Equal(t, c.want, rows, name)
		list, rows, err := b.Store.QuarantineRows(b.Ctx, c.filter, 10)
		require.NoError(t, err, name)
		require.Equal(t, []int{c.want, c.want}, []int{rows, len(list)}, name)
	}
	groups, rows, all, err := b.Store.QuarantineGroups(b.Ctx, source.QuarantineFilter{}, 1)
	require.NoError(t, err)
	require.Equal(t, []int{3, 2, 1, 2}, []int{rows, all, len(groups), groups[0].Rows}, "the largest first, and the rest is counted")
	row, err := b.Store.QuarantineRow(b.Ctx, groups[0].Example)
	require.NoError(t, err)
	require.Equal(t, groups[0].Reason, row.Reason)
	require.NotNil(t, row.CountyID, "a row that does not say is of the county of its source")
	_, err = b.Store.QuarantineRow(b.Ctx, 99)
	requireCode(t, models.CodeNotFound, err)
}
