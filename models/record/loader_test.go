package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// List pages are scanned by pgx, loaders by GORM: readers must not be able to tell.
func TestLoadersReadWhatListsShow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	page := models.Page{Limit: 10}

	roster, err := b.Store.ListBookings(b.Ctx, models.RosterFilter{}, page)
	require.NoError(t, err)
	require.Len(t, roster.Records, 2)
	bookings, err := b.Store.BookingsByKeys(b.Ctx, b.keys(t, models.Roster))
	require.NoError(t, err)
	require.Len(t, bookings, 2)
	for _, r := range roster.Records {
		require.Equal(t, r, bookings[r.RID])
		one, err := b.Store.BookingByID(b.Ctx, r.ID)
		require.NoError(t, err)
		require.Equal(t, r, one)
	}

	courts, err := b.Store.ListCourtCases(b.Ctx, models.CourtFilter{}, page)
	require.NoError(t, err)
	require.Len(t, courts.Records, 2)
	cases, err := b.Store.CourtCasesByKeys(b.Ctx, b.keys(t, models.Courts))
	require.NoError(t, err)
	require.Len(t, cases, 2)
	for _, r := range courts.Records {
		require.Equal(t, r, cases[r.Key])
		one, err := b.Store.CourtCaseByID(b.Ctx, r.ID())
		require.NoError(t, err)
		require.Equal(t, r, one)
	}

	corrections, err := b.Store.ListCorrections(b.Ctx, models.CorrectionsFilter{}, page)
	require.NoError(t, err)
	require.Len(t, corrections.Records, 1)
	records, err := b.Store.CorrectionsByKeys(b.Ctx, b.keys(t, models.Corrections))
	require.NoError(t, err)
	for _, r := range corrections.Records {
		require.Equal(t, r, records[r.CID])
		one, err := b.Store.CorrectionsByGdcID(b.Ctx, r.GdcID)
		require.NoError(t, err)
		require.Equal(t, r, one)
	}
}

func TestABookingIsReadWithItsFacts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	r, err := b.Store.BookingByID(b.Ctx, janes)
	require.NoError(t, err)
	require.Equal(t, "fulton", r.County.Slug)
	require.Equal(t, &models.Date{Year: 1980, Month: 3, Day: 4}, r.Dob)
	require.Equal(t, 1980, *r.BirthYear)
	require.Equal(t, at(t, "2026-03-01T12:00:00-05:00").In(models.Georgia), r.BookingDate)
	require.Equal(t, []string{"BURGLARY"}, r.Charges)
	require.EqualValues(t, 250050, *r.BondCents)
	require.Equal(t, models.Booked, r.Status)
	require.Nil(t, r.ReleaseDate)
	for _, id := range []string{"fulton-2026-000003", "fulton-2026-999999"} {
		_, err = b.Store.BookingByID(b.Ctx, id)
		requireCode(t, models.CodeNotFound, err)
	}
	_, err = b.Store.CorrectionsByGdcID(b.Ctx, "G3")
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.CorrectionsByGdcID(b.Ctx, "a\x00b")
	requireCode(t, models.CodeInvalidParameter, err)
}

func TestNobodyWhoIsWithheldIsLoaded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	all := []int64{1, 2, 3, 4}
	for name, load := range map[string]func() (int, error){
		"bookings":    func() (int, error) { m, err := b.Store.BookingsByKeys(b.Ctx, all); return len(m), err },
		"cases":       func() (int, error) { m, err := b.Store.CourtCasesByKeys(b.Ctx, all); return len(m), err },
		"corrections": func() (int, error) { m, err := b.Store.CorrectionsByKeys(b.Ctx, all); return len(m) + 1, err },
	} {
		n, err := load()
		require.NoError(t, err)
		require.Equal(t, 2, n, name)
	}
	b.Exec(t, `update corrections_records set withheld = 'juvenile'`)
	links, err := b.Store.GdcLinksOf(b.Ctx, all)
	require.NoError(t, err)
	require.Empty(t, links)
}

func TestACaseShowsItsNextHearing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	fulton := "fulton"
	found, err := b.Store.CourtCasesByNumber(b.Ctx, " C1 ", &fulton, nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, at(t, "2026-03-20T09:30:00-04:00").In(models.Georgia), *found[0].NextHearing)
	require.Equal(t, "https://next", *found[0].HearingLink)
	found, err = b.Store.CourtCasesByNumber(b.Ctx, "C1", nil, nil)
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, "cobb", found[0].County.Slug, "the latest filed first")
	require.Nil(t, found[0].NextHearing)

	b.Now = at(t, "2026-03-21T00:00:00Z")
	c, err := b.Store.OneCourtCase(b.Ctx, "C1", &fulton)
	require.NoError(t, err)
	require.Nil(t, c.NextHearing)
	require.Equal(t, "https://own", *c.HearingLink)
	_, err = b.Store.OneCourtCase(b.Ctx, "C1", nil)
	requireCode(t, models.CodeInvalidParameter, err)
	_, err = b.Store.OneCourtCase(b.Ctx, "C3", nil)
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.CourtCaseByID(b.Ctx, "case-cobb-1")
	requireCode(t, models.CodeNotFound, err)
}

func TestPartsAreLoadedInTheirOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	c1 := b.keys(t, models.Courts)[0]
	hearings, err := b.Store.HearingsOf(b.Ctx, []int64{c1, 99})
	require.NoError(t, err)
	require.Len(t, hearings, 1)
	require.Len(t, hearings[c1], 2, "cancelled ones are left out")
	require.Equal(t, &models.Hearing{
		Date: models.Date{Year: 2026, Month: 3, Day: 20}, Time: new("09:30"), StartsAt: at(t, "2026-03-20T09:30:00-04:00").In(models.Georgia),
		Location: new("1A"), ZoomLink: new("https://next"),
	}, hearings[c1][1])

	dispositions, err := b.Store.DispositionsOf(b.Ctx, []int64{c1})
	require.NoError(t, err)
	require.Equal(t, []*models.Disposition{
		{Date: models.Date{Year: 2026, Month: 3, Day: 1}, Outcome: "dismissed"},
		{Date: models.Date{Year: 2026, Month: 3, Day: 2}, Outcome: "guilty", Sentence: new("1 year")},
	}, dispositions[c1])

	b.Exec(t, `insert into booking_charges (rid, seq, description, statute, severity, bond_cents) select rid, s, 'BURGLARY', '16-7-1', '', s * 100 from bookings, (values (2), (1)) v (s) where id = $1`, janes)
	rid := b.keys(t, models.Roster)[0]
	charges, err := b.Store.ChargesOf(b.Ctx, []int64{rid})
	require.NoError(t, err)
	one, two := int64(100), int64(200)
	require.Equal(t, map[int64][]*models.BookingCharge{rid: {
		{Description: "BURGLARY", Statute: new("16-7-1"), BondCents: &one}, {Description: "BURGLARY", Statute: new("16-7-1"), BondCents: &two},
	}}, charges)

	events, err := b.Store.CalendarOf(b.Ctx, &models.CourtCase{Key: c1, FirstSeen: b.Now})
	require.NoError(t, err)
	require.Len(t, events, 3)
	require.True(t, events[1].Cancelled, "a calendar shows it, so that people learn of it")
	require.Equal(t, b.Now, events[0].Changed)
}

func TestLinksAreReadFromAllSides(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.jane(t)
	b.Exec(t, `insert into court_links (case_id, rid, cid, confidence, probability, reasons, origin, linked_at)
		select c.id, b.rid, null, 'low', 0.5, '{names agree}'::text[], 'matched', now() from court_cases c, bookings b where c.case_number = 'C1'
		union all select c.id, null, o.cid, 'low', 0.5, '{}'::text[], 'matched', now() from court_cases c, corrections_records o where o.gdc_id = 'G1'`)
	bookings, cases, record := b.keys(t, models.Roster), b.keys(t, models.Courts), b.keys(t, models.Corrections)[0]

	links, err := b.Store.GdcLinksOf(b.Ctx, bookings)
	require.NoError(t, err)
	require.Equal(t, &models.GdcLink{RID: bookings[1], CID: record, GdcID: "G1", Confidence: models.Low, Reasons: []string{}, KnownStatus: true}, links[bookings[1]])
	back, err := b.Store.CountyRecordsOf(b.Ctx, []int64{record})
	require.NoError(t, err)
	require.Len(t, back[record], 2)
	require.Equal(t, "fulton-2026-000002", back[record][0].RosterID(), "newest first")
	require.Equal(t, links[bookings[1]], back[record][0].GdcLink)
	one, err := b.Store.BookingByID(b.Ctx, janes)
	require.NoError(t, err)
	require.Equal(t, one, back[record][1].Record)

	ofCases, err := b.Store.CourtLinksOfCases(b.Ctx, cases)
	require.NoError(t, err)
	require.Len(t, ofCases[cases[0]], 3, "the withheld booking is left out")
	require.Equal(t, &models.CourtLink{CaseKey: cases[0], RID: &bookings[1], Confidence: models.Low, Reasons: []string{"names agree"}}, ofCases[cases[0]][0])
	require.Equal(t, &record, ofCases[cases[0]][2].CID, "bookings come first")
	ofBookings, err := b.Store.CourtLinksOfBookings(b.Ctx, bookings)
	require.NoError(t, err)
	require.Len(t, ofBookings[bookings[0]], 2)
	ofRecords, err := b.Store.CourtLinksOfRecords(b.Ctx, []int64{record})
	require.NoError(t, err)
	require.Len(t, ofRecords[record], 2, "the withheld case is left out")
}
