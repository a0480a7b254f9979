package source_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
	"rollcall/models/source"
)

var (
	modelBooking  = modelstest.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}
	modelBooking2 = modelstest.Booking{ID: "fulton-2026-000002", Name: "ROE, JOHN"}
)

// put quarantines rows of a run of a source for a day.
func (b *bundle) put(t *testing.T, run int64, source string, rows ...source.QuarantinedRow) {
	t.Helper()
	require.NoError(t, b.Store.Quarantine(b.Ctx, run, source, b.Now, b.Now.Add(24*time.Hour), rows))
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

	rows, err := b.Store.WaitingRows(b.Ctx, "jail", 10)
	require.NoError(t, err)
	require.Equal(t, []source.WaitingRow{
		{Run: second, Line: 4, Reason: "is too short", Times: 1, Last: rows[0].Last, Encrypted: []byte("c")},
		{Run: second, Line: 9, Field: "booked_at", Reason: "is no date", Times: 3, Last: rows[1].Last, Encrypted: []byte("a")},
		{Run: first, Line: 2, Field: "booked_at", Reason: "is no date", Times: 1, Last: rows[2].Last, Encrypted: []byte("b")},
	}, rows)
	require.True(t, b.Now.Equal(rows[0].Last))
	rows, err = b.Store.WaitingRows(b.Ctx, "jail", 1)
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

func TestRowsThatWaitForTheirCaseOrBookingAreReadWhenItCame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run, err := b.Store.BeginRun(b.Ctx, "court", b.Now)
	require.NoError(t, err)
	b.archived(t, run, 1, b.Now)
	waits := func(mark string, a snapshot.Parent) source.QuarantinedRow {
		a.SeenAt = b.Now
		return source.QuarantinedRow{Line: 1, Reason: "waits", Encrypted: []byte(mark), Fingerprint: []byte(mark), Pending: &a}
	}
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	b.put(t, run, "court", waits("case", snapshot.Parent{CaseKey: snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: "C1"}}))
	b.put(t, run, "jail", waits("booking", snapshot.Parent{Booking: "B1"}))
	came := func() (sources []string, runs []int64) {
		sources, err := b.Store.PendingSources(b.Ctx)
		require.NoError(t, err)
		runs, err = b.Store.PendingRuns(b.Ctx, "court")
		require.NoError(t, err)
		return sources, runs
	}
	sources, runs := came()
	require.Empty(t, sources)
	require.Empty(t, runs)
	sizes, err := b.Store.QuarantineSizes(b.Ctx)
	require.NoError(t, err)
	require.Empty(t, sizes, "no operator has to look")
	counts, err := b.Store.QuarantineCounts(b.Ctx, "court")
	require.NoError(t, err)
	require.True(t, counts[0].Pending)

	b.Add(t, testdb.Case{Number: "C1", Defendant: "JANE DOE"})
	b.Book(t, modelBooking)
	b.Exec(t, `update roster_claims set key = 'B1'`)
	sources, runs = came()
	require.Equal(t, []string{"court", "jail"}, sources)
	require.Equal(t, []int64{run}, runs)
	require.NoError(t, b.Store.HoldSource(b.Ctx, "court", "the clerk moves", b.Now))
	_, runs = came()
	require.Empty(t, runs, "nothing of a held source may be applied")
}

func TestTheLatestInstantOfAWaitingRowCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
	at := func(line int64, seen time.Time) source.QuarantinedRow {
		return source.QuarantinedRow{Line: line, Reason: "waits", Encrypted: []byte{byte(line)}, Fingerprint: []byte("p"), Pending: &snapshot.Parent{Booking: "B1", SeenAt: seen}}
	}
	b.put(t, run, "jail", at(1, b.Now), at(2, b.Now.Add(time.Minute)), at(3, b.Now))
	b.put(t, run, "jail", at(4, b.Now.Add(-time.Hour)))
	rows, err := b.Store.WaitingRows(b.Ctx, "jail", 10)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.EqualValues(t, 2, rows[0].Line)
	require.Equal(t, 4, rows[0].Times)
}

func TestRawDataExpire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := b.ran(t, source.RunEnd{State: source.RunPartial, DataAt: b.Now})
	b.archived(t, run, 1, b.Now)
	b.put(t, run, "jail", bad(1, "a"), bad(2, "b"))
	documents, rows, err := b.Store.ExpireRaw(b.Ctx, b.Now.Add(23*time.Hour))
	require.NoError(t, err)
	require.Zero(t, documents+rows)
	documents, rows, err = b.Store.ExpireRaw(b.Ctx, b.Now.Add(24*time.Hour))
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{documents, rows})
	docs, err := b.Store.Archives(b.Ctx, run)
	require.NoError(t, err)
	require.Empty(t, docs)
}
