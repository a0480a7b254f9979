package ingest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// stamped is a JSON roster that tells beside its rows when and of whom it speaks.
const stamped = `id: stamped
title: A list with its own stamp
kind: roster
publish: {policy: full_roster, absence: released}
schedule: {every: 30m}
decode: {format: json, rows: inmates, total: meta.total}
complete: {total: true}
fields:
  booking:
    number: id
    county: outer.jail.county
    observed_at: {from: outer.meta.asof, layouts: ['2006-01-02T15:04:05']}
    booked_at: {from: booked, layouts: [2006-01-02]}
  person: {name: name}
  charge:
    each: {rows: charges}
    description: {from: [outer.jail.unit, text], join: ': '}
identity:
  booking: [{of: [booking.number], strength: source}]
`

func TestValuesBesideTheRowsOfAJSONDocumentAreRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(stamped))
	require.NoError(t, err)
	page := func(asof, name string) string {
		return fmt.Sprintf(`{"jail": {"county": "Ben Hill", "unit": "North"}, "inmates": [{"id": "K1", "name": %q, "booked": "2026-03-01", "charges": [{"text": "DUI"}]},
 {"id": "K2", "name": "QUILLFEATHER, WREN", "booked": "2026-03-02", "charges": []}], "meta": {"asof": %q, "total": 2}}`, name, asof)
	}
	r := b.runSource(s, "a.json", page("2026-03-09T06:00:00", "MOONSAIL, ORLA"), b.now)
	require.Equal(t, []any{source.RunOK, 2, true}, []any{r.State, r.New, r.Complete}, r.String())
	require.Equal(t, 2, one[int](b, `select count(*) from bookings b join counties c on c.id = b.county_id where c.slug = 'ben-hill'`))
	require.Equal(t, "North: DUI", one[string](b, `select charges[1] from bookings where name like 'MOON%'`))
	asof := time.Date(2026, 3, 9, 6, 0, 0, 0, models.Georgia)
	require.Equal(t, asof, one[time.Time](b, `select data_at from sources`).In(models.Georgia), "it is as old as it says")

	b.now = b.now.Add(time.Hour)
	r = b.runSource(s, "b.json", page("2026-03-09T05:00:00", "MOONSAIL, ORLA B"), b.now)
	require.Equal(t, []int{2, 0}, []int{r.Older, r.Changed}, "an older one that comes late rolls nothing back: %s", r.String())
	require.Equal(t, asof, one[time.Time](b, `select data_at from sources`).In(models.Georgia))
}
