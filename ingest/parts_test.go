package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

// men and women are the two halves of a jail of ten.
func men() string   { return roster(10, 7, 8, 9) }
func women() string { return roster(10, 0, 1, 2, 3, 4, 5, 6) }

func (d *spool) booked() int {
	d.Helper()
	return one[int](d.bundle, `select count(*) from bookings where status = 'booked'`)
}

const stillCopied = "it is 1 file and the last complete one was 2, so others may still be on their way; it counts when the next one has as few"

func TestGuarantee4AFileThatIsStillBeingCopiedReleasesNobody(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	d.drops("men_2026-03-07_06-00.csv", men(), d.now)
	d.drops("women_2026-03-07_06-00.csv", women(), d.now)
	require.Equal(t, 10, d.read().New)

	d.drops("men_2026-03-08_06-00.csv", roster(11, 7, 8, 9), d.now)
	r := d.read()
	require.Equal(t, []any{source.RunPartial, 1, 0, []string{stillCopied}}, []any{r.State, r.New, r.Closed, r.Doubts}, r.String())
	require.Equal(t, 11, d.booked())

	d.drops("women_2026-03-08_06-00.csv", roster(10, 0, 1, 2, 3, 4, 5, 6, 9), d.now)
	r = d.read()
	require.Equal(t, []any{source.RunOK, 1, 0}, []any{r.State, r.Closed, r.Reopened}, r.String())
	require.Equal(t, "QUILLFEATHERJ, WREN", one[string](d.bundle, `select name from bookings where status = 'released'`))

	t.Log("a file that was read and taken away again is no smaller snapshot")
	d.drops("men_2026-03-08_06-00.csv", roster(11, 7, 8, 9)+" ", d.now.Add(time.Minute))
	d.loses("women_2026-03-08_06-00.csv")
	r = d.read()
	require.Equal(t, []any{source.RunPartial, 0, []string{stillCopied}}, []any{r.State, r.Closed, r.Doubts}, r.String())
}

func TestGuarantee4AVendorMayJoinItsFiles(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	d.drops("men_2026-03-06_06-00.csv", men(), d.now)
	d.drops("women_2026-03-06_06-00.csv", women(), d.now)
	d.read()
	d.drops("all_2026-03-07_06-00.csv", roster(10, 0), d.now)
	require.Equal(t, 0, d.read().Closed)
	d.drops("all_2026-03-08_06-00.csv", roster(10, 0, 1), d.now)
	r := d.read()
	require.Equal(t, []any{source.RunOK, 2}, []any{r.State, r.Closed}, "the second of one file shows that it is the way now: %s", r)
	d.drops("all_2026-03-09_06-00.csv", roster(10, 0, 1, 2), d.now)
	require.Equal(t, 1, d.read().Closed)
}

func TestGuarantee4ACopyOfManyDaysThatGoesOnReleasesNobody(t *testing.T) {
	t.Parallel()
	d := newSpool(t)
	d.drops("men_2026-03-05_06-00.csv", men(), d.now)
	d.drops("women_2026-03-05_06-00.csv", women(), d.now)
	d.read()
	for _, day := range []string{"06", "07", "08"} {
		d.drops("men_2026-03-"+day+"_06-00.csv", men(), d.now)
	}
	require.Equal(t, 0, d.read().Closed, "the women's files of the same days are copied next")
	for _, day := range []string{"06", "07", "08"} {
		d.drops("women_2026-03-"+day+"_06-00.csv", women(), d.now)
	}
	r := d.read()
	require.Equal(t, []any{source.RunOK, 0, 0}, []any{r.State, r.Closed, r.Reopened}, r.String())
	require.Equal(t, 10, d.booked())
}

func TestGuarantee4FilesOfOneSnapshotMayTellInstantsSecondsApart(t *testing.T) {
	t.Parallel()
	d := &spool{bundle: setup(t), dir: t.TempDir()}
	d.source = sourceWith(t, "county-a", "decode:", "transport: {kind: folder, folder: '"+d.dir+
		`', pattern: '\.csv$', observed: {regex: '(\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})', layout: '2006-01-02_15-04-05'}}`+"\ndecode:")
	d.drops("men_2026-03-07_06-00-00.csv", men(), d.now)
	d.drops("women_2026-03-07_06-00-05.csv", women(), d.now)
	r := d.read()
	require.Equal(t, []any{source.RunOK, 10, 0, 1}, []any{r.State, r.New, r.Closed, d.runs()}, r.String())
	d.drops("men_2026-03-08_06-00-00.csv", men(), d.now)
	require.Equal(t, []string{stillCopied}, d.read().Doubts)
	d.drops("women_2026-03-08_06-00-05.csv", women(), d.now)
	r = d.read()
	require.Equal(t, []any{source.RunOK, 10, 0}, []any{r.State, r.Fetched, r.Closed}, r.String())

	d.drops("men_2026-03-08_06-00-30.csv", men(), d.now)
	d.read()
	require.Equal(t, "2026-03-08 06:00:30", one[string](d.bundle, `select to_char(max(snapshot_at) at time zone 'America/New_York', 'YYYY-MM-DD HH24:MI:SS') from runs`), "a name that comes again is the next snapshot")
	require.Equal(t, 10, d.booked())
}

func TestGuarantee4FilesWithoutAnInstantAreOneSnapshotHoweverLongApartTheyWereWritten(t *testing.T) {
	t.Parallel()
	d := &spool{bundle: setup(t), dir: t.TempDir()}
	d.source = sourceWith(t, "county-a", "decode:", "transport: {kind: folder, folder: '"+d.dir+"'}\ndecode:")
	d.drops("men.csv", men(), d.now.Add(-2*time.Hour))
	d.drops("women.csv", women(), d.now.Add(-time.Hour))
	r := d.read()
	require.Equal(t, []any{source.RunOK, 10, 0}, []any{r.State, r.New, r.Closed}, r.String())
	d.drops("men.csv", roster(10, 0, 7, 8, 9), d.now)
	r = d.read()
	require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.Closed}, r.String())
}
