package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestIdsOfMergedBookingsKeepResolving(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.book(t, booking{id: "a", name: "ROE, RAY"}, booking{id: "b", name: "ROE, RAY"}, booking{id: "c", name: "ROE, RAY"}, booking{id: "d", name: "ROE, RAY", county: "cobb"})
	b.exec(t, `insert into sightings (source_id, booking_key, rid, print, snapshot_at) select 'jail', id, rid, '', now() from bookings`)
	require.NoError(t, b.store.MergeBookings(b.ctx, "b", "a"))
	require.NoError(t, b.store.MergeBookings(b.ctx, "c", "b"))
	for _, id := range []string{"a", "b", "c"} {
		k, err := b.store.BookingByID(b.ctx, id)
		require.NoError(t, err)
		require.Equal(t, "c", k.ID)
		then, err := b.store.BookingAsOf(b.ctx, id, b.now)
		require.NoError(t, err)
		require.Equal(t, "c", then.ID)
	}
	page := b.roster(t, models.RosterFilter{Name: new("roe")}, models.Page{})
	require.Equal(t, []string{"d", "c"}, ids(page))
	require.Equal(t, 2, page.Total)
	require.Equal(t, 2, b.roster(t, models.RosterFilter{}, models.Page{}).Total, "the counters agree")
	var sightings int
	require.NoError(t, b.pool.QueryRow(b.ctx, `select count(*) from sightings g join bookings k using (rid) where k.id = 'c'`).Scan(&sightings))
	require.Equal(t, 3, sightings, "what sources say of the merged ones is said of the one that stayed")

	for name, c := range map[string]struct {
		kept, gone string
		code       models.Code
	}{
		"one id twice":              {"c", "c", models.CodeInvalidParameter},
		"one that nobody knows":     {"c", "x", models.CodeNotFound},
		"one that went already":     {"c", "a", models.CodeNotFound},
		"bookings of two counties":  {"c", "d", models.CodeInvalidParameter},
		"into one that went itself": {"a", "c", models.CodeNotFound},
	} {
		require.Equal(t, c.code, models.CodeOf(b.store.MergeBookings(b.ctx, c.kept, c.gone)), name)
	}
}

func TestIdsOfMergedCorrectionsRecordsKeepResolving(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := offender("LEE", "incarcerated", "", b.now), offender("LEE", "incarcerated", "", b.now)
	second.GDCID = "1000999"
	_, _, err := b.store.ReconcileCorrections(b.ctx, b.reconciler(t, "prison", b.now, false), each([]*models.CorrectionsRow{first, second}))
	require.NoError(t, err)
	require.NoError(t, b.store.MergeCorrections(b.ctx, "1000412", "1000999"))
	o, err := b.store.CorrectionsByGdcID(b.ctx, "1000999")
	require.NoError(t, err)
	require.Equal(t, "1000412", o.GdcID)
	page, err := b.store.ListCorrections(b.ctx, models.CorrectionsFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, page.Total)

	third := offender("HAYS", "incarcerated", "", b.now.Add(1))
	third.GDCID = "1000999"
	_, _, err = b.store.ReconcileCorrections(b.ctx, b.reconciler(t, "prison", b.now.Add(3600e9), false), each([]*models.CorrectionsRow{third}))
	require.NoError(t, err)
	o, err = b.store.CorrectionsByGdcID(b.ctx, "1000999")
	require.NoError(t, err)
	require.Equal(t, "1000999", o.GdcID, "the department lists it again: it is its own again")
}
