package claim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

func TestIdsOfMergedBookingsKeepResolving(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	b.Book(t, modelstest.Booking{ID: "a", Name: "ROE, RAY"}, modelstest.Booking{ID: "b", Name: "ROE, RAY"}, modelstest.Booking{ID: "c", Name: "ROE, RAY"}, modelstest.Booking{ID: "d", Name: "ROE, RAY", County: "cobb"})
	require.NoError(t, b.Store.MergeBookings(b.Ctx, "b", "a"))
	require.NoError(t, b.Store.MergeBookings(b.Ctx, "c", "b"))
	for _, id := range []string{"a", "b", "c"} {
		k, err := b.Store.BookingByID(b.Ctx, id)
		require.NoError(t, err)
		require.Equal(t, "c", k.ID)
		then, err := b.Store.BookingAsOf(b.Ctx, id, b.Now)
		require.NoError(t, err)
		require.Equal(t, "c", then.ID)
	}
	page := b.Roster(t, models.RosterFilter{Name: new("roe")}, models.Page{})
	require.Equal(t, []string{"d", "c"}, modelstest.IDs(page))
	require.Equal(t, 2, page.Total)
	require.Equal(t, 2, b.Roster(t, models.RosterFilter{}, models.Page{}).Total, "the counters agree")
	var claims int
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select count(*) from roster_claims g join bookings k on k.rid = g.record where k.id = 'c'`).Scan(&claims))
	require.Equal(t, 3, claims, "what sources say of the merged ones is said of the one that stayed")

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
		require.Equal(t, c.code, models.CodeOf(b.Store.MergeBookings(b.Ctx, c.kept, c.gone)), name)
	}
}

func TestIdsOfMergedCasesKeepResolving(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	cobb, err := b.Store.Counties().BySlug("cobb")
	require.NoError(t, err)
	row := func(county int16, number string, day int, outcome string) *snapshot.CourtRow {
		return &snapshot.CourtRow{
			CaseKey: snapshot.CaseKey{CountyID: county, CourtType: "state", Number: number, Party: "1"}, Whole: true, SeenAt: b.Now, Line: 1, Fingerprint: []byte(number),
			Case:         &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending"},
			Hearings:     []snapshot.HearingFacts{{Event: number, Date: models.Date{Year: 2026, Month: 4, Day: day}, Time: "09:30", StartsAt: time.Date(2026, 4, day, 9, 30, 0, 0, models.Georgia)}},
			Dispositions: []snapshot.DispositionFacts{{Seq: 1, Date: models.Date{Year: 2026, Month: 2, Day: day}, Outcome: outcome}},
		}
	}
	rows := []*snapshot.CourtRow{row(fulton.ID, "A", 1, "PLEA"), row(fulton.ID, "B", 2, "DISMISSED"), row(cobb.ID, "C", 3, "PLEA")}
	_, _, err = b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", b.Now, false), modelstest.Each(rows))
	require.NoError(t, err)
	id := map[string]string{}
	for _, number := range []string{"A", "B", "C"} {
		cases, err := b.Store.CourtCasesByNumber(b.Ctx, number, nil, nil)
		require.NoError(t, err)
		id[number] = cases[0].ID()
	}
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(b.Store.MergeCases(b.Ctx, id["A"], id["C"])), "of two counties")
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.Store.MergeCases(b.Ctx, id["A"], "case-fulton-x")), "no case at all")
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.Store.MergeCases(b.Ctx, id["A"], strings.Replace(id["B"], "fulton", "cobb", 1))), "of another county than its id says")
	require.NoError(t, b.Store.MergeCases(b.Ctx, id["A"], id["B"]))
	for _, number := range []string{"A", "B"} {
		c, err := b.Store.CourtCaseByID(b.Ctx, id[number])
		require.NoError(t, err)
		require.Equal(t, "A", c.CaseNumber)
		hearings, err := b.Store.HearingsOf(b.Ctx, []int64{c.Key})
		require.NoError(t, err)
		require.Len(t, hearings[c.Key], 2)
		dispositions, err := b.Store.DispositionsOf(b.Ctx, []int64{c.Key})
		require.NoError(t, err)
		require.Len(t, dispositions[c.Key], 2)
	}
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.Store.MergeCases(b.Ctx, id["A"], id["B"])), "it went already")
}

func TestIdsOfMergedCorrectionsRecordsKeepResolving(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	first, second := modelstest.Offender("LEE", "incarcerated", "", b.Now), modelstest.Offender("LEE", "incarcerated", "", b.Now)
	second.GDCID = "1000999"
	_, _, err := b.Store.ReconcileCorrections(b.Ctx, b.Reconciler(t, "prison", b.Now, false), modelstest.Each([]*snapshot.CorrectionsRow{first, second}))
	require.NoError(t, err)
	require.NoError(t, b.Store.MergeCorrections(b.Ctx, "1000412", "1000999"))
	o, err := b.Store.CorrectionsByGdcID(b.Ctx, "1000999")
	require.NoError(t, err)
	require.Equal(t, "1000412", o.GdcID)
	page, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, page.Total)

	third := modelstest.Offender("HAYS", "incarcerated", "", b.Now.Add(1))
	third.GDCID = "1000999"
	_, _, err = b.Store.ReconcileCorrections(b.Ctx, b.Reconciler(t, "prison", b.Now.Add(3600e9), true), modelstest.Each([]*snapshot.CorrectionsRow{third}))
	require.NoError(t, err)
	o, err = b.Store.CorrectionsByGdcID(b.Ctx, "1000999")
	require.NoError(t, err)
	require.Equal(t, "1000412 HAYS", o.GdcID+" "+*o.Institution, "the department lists it again: what it tells is of the one that stayed")
}
