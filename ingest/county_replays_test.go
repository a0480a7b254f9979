package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestACountyKnownByTwoReplaysIsAsFreshAsTheNewest(t *testing.T) {
	t.Parallel()
	d := manyFiles(t)
	d.drops("south_2026-03-08_06-00.csv", manyColumns+rowsOf(2, "$1.00", "Appling", "Xyzzy"), d.now)
	d.read()
	d.now = d.now.Add(3 * time.Hour)
	read := d.now
	d.drops("south_2026-03-08_09-00.csv", manyColumns+rowsOf(2, "$2.00", "Appling", "Xyzzy"), read)
	r := d.read()
	require.Equal(t, 2, r.Quarantined, r.String())
	of := d.source
	d.source = many(t, changesOnly("decode:", "schedule: {every: 30m}\ndecode:", "county: cty", "county: {from: cty, values: {Xyzzy: Bacon}}")...)
	d.source.Transport = of.Transport
	d.now = d.now.Add(time.Hour)
	_, err := d.runner.ReplayQuarantine(t.Context(), d.source)
	require.NoError(t, err)
	all := d.sources()
	bacon, appling := all[models.ScopeID("many", "bacon")], all[models.ScopeID("many", "appling")]
	require.Equal(t, appling.AsOf(), bacon.AsOf())
	require.WithinDuration(t, read, *bacon.LastSuccess, 30*time.Minute)
}
