package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// manyFiles is a folder of a source that reports only changes, with a file a county.
func manyFiles(t *testing.T) *spool {
	t.Helper()
	d := &spool{bundle: setup(t), dir: t.TempDir()}
	d.source = many(t, changesOnly("decode:", "schedule: {every: 30m}\ntransport: {kind: folder, folder: '"+d.dir+
		`', county: '^([a-z]+)_', pattern: '\.csv$', observed: {regex: '(\d{4}-\d{2}-\d{2}_\d{2}-\d{2})', layout: '2006-01-02_15-04'}}`+"\ndecode:")...)
	return d
}

// TestAFileThatCanNotBeReadKeepsNoOtherCountyWaiting drops one file without a header beside two good ones.
func TestAFileThatCanNotBeReadKeepsNoOtherCountyWaiting(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"empty": "", "another header": "name,number\nORLA,1\n", "UTF-16": "\xff\xfec\x00t\x00"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := manyFiles(t)
			at := d.now
			d.drops("appling_2026-03-08_06-00.csv", manyColumns+rowsOf(3, "$1.00", "Appling"), at)
			d.drops("bacon_2026-03-08_06-00.csv", text, at)
			d.drops("coffee_2026-03-08_06-00.csv", manyColumns+rowsOf(2, "$1.00", "Coffee"), at)
			r := d.read()
			require.Equal(t, []any{source.RunPartial, 5}, []any{r.State, r.New}, r.String())
			require.Len(t, r.Unreadable, 1)
			require.Contains(t, r.Note, "read bacon_2026-03-08_06-00.csv: ")
			require.Contains(t, r.String(), "bacon_2026-03-08_06-00.csv")

			t.Log("it is read again, and alone its run fails")
			require.Equal(t, source.RunFailed, d.read().State)
			require.Equal(t, models.SourceOK, d.sources()[models.ScopeID("many", "appling")].State())

			d.drops("coffee_2026-03-08_18-00.csv", manyColumns+rowsOf(3, "$1.00", "Coffee"), at.Add(time.Hour))
			r = d.read()
			require.Equal(t, []any{source.RunPartial, 1}, []any{r.State, r.New}, r.String())

			d.drops("bacon_2026-03-08_06-00.csv", manyColumns+rowsOf(4, "$1.00", "Bacon"), at.Add(2*time.Hour))
			r = d.read()
			require.Equal(t, []any{source.RunOK, 4}, []any{r.State, r.New}, r.String())
			require.Zero(t, d.read().Run, "all of them are read")
		})
	}
}

// TestTheNameOfAFileSaysOfWhichCountyItsRowsAre reads a file whose converter filled in another county.
func TestTheNameOfAFileSaysOfWhichCountyItsRowsAre(t *testing.T) {
	t.Parallel()
	d := manyFiles(t)
	d.drops("appling_2026-03-08_06-00.csv", manyColumns+rowsOf(3, "$1.00", "Appling")+rowsOf(4, "$1.00", "Bacon"), d.now)
	d.drops("south_2026-03-08_06-00.csv", manyColumns+rowsOf(2, "$1.00", "Bacon", "Coffee"), d.now)
	r := d.read()
	require.Equal(t, []any{source.RunPartial, 7, 4}, []any{r.State, r.New, r.Quarantined}, r.String())
	require.Equal(t, map[string]int{`booking.county: names another county than the name of its file`: 4}, r.Reasons)
	require.Equal(t, "appling 3, bacon 2, coffee 2", one[string](d.bundle, `select string_agg(slug || ' ' || n, ', ' order by slug) from (
 select c.slug, count(*) as n from bookings b join counties c on c.id = b.county_id group by 1) c`))

	t.Log("a blank is the county of the file")
	d.drops("appling_2026-03-08_18-00.csv", manyColumns+",L1,\"MOONSAIL, ORLA\",2026-03-07 06:00,$1.00,N\n", d.now)
	require.Equal(t, 1, d.read().New)
	require.Equal(t, 4, one[int](d.bundle, `select count(*) from bookings where id like 'appling%'`))
}
