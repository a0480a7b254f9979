package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// manyFiles is a folder of a source that reports only changes, with a file a county.
func manyFiles(t *testing.T, more ...string) *spool {
	t.Helper()
	d := &spool{bundle: setup(t), dir: t.TempDir()}
	d.source = many(t, append(more, changesOnly("decode:", "schedule: {every: 30m}\ntransport: {kind: folder, folder: '"+d.dir+
		`', county: '^([a-z]+)_', pattern: '\.csv$', observed: {regex: '(\d{4}-\d{2}-\d{2}_\d{2}-\d{2})', layout: '2006-01-02_15-04'}}`+"\ndecode:")...)...)
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

// TestACountyThatAReplayMakesKnownIsAsFreshAsItsDocuments lists the word of the jail for a county after its first file came.
func TestACountyThatAReplayMakesKnownIsAsFreshAsItsDocuments(t *testing.T) {
	t.Parallel()
	d := manyFiles(t)
	read := d.now
	d.drops("south_2026-03-08_06-00.csv", manyColumns+rowsOf(2, "$1.00", "Appling", "Xyzzy"), read)
	r := d.read()
	require.Equal(t, []int{2, 2}, []int{r.New, r.Quarantined}, r.String())
	of := d.source
	d.source = many(t, changesOnly("decode:", "schedule: {every: 30m}\ndecode:", "county: cty", "county: {from: cty, values: {Xyzzy: Bacon}}")...)
	d.source.Transport = of.Transport
	d.now = d.now.Add(time.Hour)
	r, err := d.runner.ReplayQuarantine(t.Context(), d.source)
	require.NoError(t, err)
	require.Equal(t, []int{2, 2}, []int{r.New, r.Resolved}, r.String())
	all := d.sources()
	bacon, appling := all[models.ScopeID("many", "bacon")], all[models.ScopeID("many", "appling")]
	require.Equal(t, appling.State(), bacon.State())
	require.Equal(t, models.SourceOK, bacon.State())
	require.NotNil(t, bacon.AsOf())
	require.Equal(t, appling.AsOf(), bacon.AsOf())
	require.WithinDuration(t, read, *bacon.LastSuccess, 30*time.Minute, "not when it was replayed")
}

// TestTheNameOfAFileMayNotContradictTheCountyOfItsDocument drops a file of another county into the folder of one county.
func TestTheNameOfAFileMayNotContradictTheCountyOfItsDocument(t *testing.T) {
	t.Parallel()
	const reason = "the name of its file says another county than the document"
	for name, c := range map[string]struct {
		counties []string // that the column names
		unmapped bool     // the document reads no column
	}{
		"no column":                       {[]string{"Coffee"}, true},
		"blanks":                          {[]string{""}, false},
		"the county of the file":          {[]string{"Coffee"}, false},
		"the county of the document":      {[]string{"Ben Hill"}, false},
		"no county of the two, or of any": {[]string{"Bacon", "Nowhere"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			more := []string{"kind: roster\n", "kind: roster\ncounty: ben-hill\n"}
			if c.unmapped {
				more = append(more, "booking: {county: cty, juvenile", "booking: {juvenile")
			}
			d := manyFiles(t, more...)
			d.drops("coffee_2026-03-08_06-00.csv", manyColumns+rowsOf(1, "$1.00", c.counties...), d.now)
			r := d.read()
			require.Equal(t, []int{0, len(c.counties)}, []int{r.New, r.Quarantined}, r.String())
			require.Equal(t, map[string]int{reason: len(c.counties)}, r.Reasons)
			require.Zero(t, one[int](d.bundle, `select count(*) from bookings`))

			t.Log("rows of a file that agrees, or says nothing, are of the document's county")
			own := rowsOf(1, "$1.00", "Ben Hill")
			d.drops("benhill_2026-03-08_18-00.csv", manyColumns+own, d.now)
			d.drops("weekend_2026-03-08_18-01.csv", manyColumns+own, d.now)
			r = d.read()
			require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.New}, r.String())
			require.Equal(t, "ben-hill", one[string](d.bundle, `select c.slug from bookings b join counties c on c.id = b.county_id`))
		})
	}
}
