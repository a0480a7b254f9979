package models_test

import (
	"strings"
	"testing"
	"time"

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

func TestIdsOfMergedCasesKeepResolving(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fulton, err := b.store.Counties().BySlug("fulton")
	require.NoError(t, err)
	cobb, err := b.store.Counties().BySlug("cobb")
	require.NoError(t, err)
	row := func(county int16, number string, day int, outcome string) *models.CourtRow {
		return &models.CourtRow{
			CaseKey: models.CaseKey{CountyID: county, CourtType: "state", Number: number, Party: "1"}, Whole: true, SeenAt: b.now, Line: 1, Print: []byte(number),
			Case:         &models.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending"},
			Hearings:     []models.HearingFacts{{Event: number, Date: models.Date{Year: 2026, Month: 4, Day: day}, Time: "09:30", StartsAt: time.Date(2026, 4, day, 9, 30, 0, 0, models.Georgia)}},
			Dispositions: []models.DispositionFacts{{Seq: 1, Date: models.Date{Year: 2026, Month: 2, Day: day}, Outcome: outcome}},
		}
	}
	rows := []*models.CourtRow{row(fulton.ID, "A", 1, "PLEA"), row(fulton.ID, "B", 2, "DISMISSED"), row(cobb.ID, "C", 3, "PLEA")}
	_, _, err = b.store.ReconcileCourts(b.ctx, b.reconciler(t, "court", b.now, false), each(rows))
	require.NoError(t, err)
	id := map[string]string{}
	for _, number := range []string{"A", "B", "C"} {
		cases, err := b.store.CourtCasesByNumber(b.ctx, number, nil, nil)
		require.NoError(t, err)
		id[number] = cases[0].ID()
	}
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(b.store.MergeCases(b.ctx, id["A"], id["C"])), "of two counties")
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.MergeCases(b.ctx, id["A"], "case-fulton-x")), "no case at all")
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.MergeCases(b.ctx, id["A"], strings.Replace(id["B"], "fulton", "cobb", 1))), "of another county than its id says")
	require.NoError(t, b.store.MergeCases(b.ctx, id["A"], id["B"]))
	for _, number := range []string{"A", "B"} {
		c, err := b.store.CourtCaseByID(b.ctx, id[number])
		require.NoError(t, err)
		require.Equal(t, "A", c.CaseNumber)
		hearings, err := b.store.HearingsOf(b.ctx, []int64{c.Key})
		require.NoError(t, err)
		require.Len(t, hearings[c.Key], 2)
		dispositions, err := b.store.DispositionsOf(b.ctx, []int64{c.Key})
		require.NoError(t, err)
		require.Len(t, dispositions[c.Key], 2)
	}
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.MergeCases(b.ctx, id["A"], id["B"])), "it went already")
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
	_, _, err = b.store.ReconcileCorrections(b.ctx, b.reconciler(t, "prison", b.now.Add(3600e9), true), each([]*models.CorrectionsRow{third}))
	require.NoError(t, err)
	o, err = b.store.CorrectionsByGdcID(b.ctx, "1000999")
	require.NoError(t, err)
	require.Equal(t, "1000412 HAYS", o.GdcID+" "+*o.Institution, "the department lists it again: what it tells is of the one that stayed")
}
