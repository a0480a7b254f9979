package record

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/web/words"
)

func TestALinkByWayOfAnotherRecordIsNoSurerThanTheWeakerOfTheTwo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ first, second, want models.Confidence }{
		{models.High, models.High, models.High},
		{models.High, models.Medium, models.Medium},
		{models.Low, models.High, models.Low},
		{models.Medium, models.Low, models.Low},
		{models.Medium, models.Medium, models.Medium},
	} {
		match := &models.GdcLink{RID: 1, Confidence: c.first}
		all := bookingLinksBy(match, []*models.CountyRecord{
			{GdcLink: match, Record: &models.Booking{ID: "own"}},
			{GdcLink: &models.GdcLink{RID: 2, Confidence: c.second, Reasons: []string{"surname agrees", "middle name differs"}}, Record: &models.Booking{ID: "other"}},
		})
		require.Len(t, all, 1, "the booking of the page is no other one")
		require.Equal(t, "/roster/other", all[0].Path())
		require.Equal(t, c.want, all[0].Confidence)
		require.Contains(t, all[0].Way.String(), "links to it with "+string(c.first)+" confidence. The booking listed here links to it with "+string(c.second)+" confidence")
		require.Equal(t, []bool{false, true}, []bool{all[0].Reasons[0].But, all[0].Reasons[1].But})
	}
}

func TestLinksToWhatIsNotPublishedAnyMoreAreLeftOut(t *testing.T) {
	t.Parallel()
	found := []*models.CourtLink{
		{CaseKey: 1, RID: new(int64(7)), Confidence: models.High}, {CaseKey: 2, CID: new(int64(8)), Confidence: models.Low}, {CaseKey: 3, RID: new(int64(9))},
	}
	cases := caseLinks(found, map[int64]*models.CourtCase{2: {Key: 2}})
	require.Len(t, cases, 1)
	require.Equal(t, int64(2), cases[0].Case.Key)
	bookings, state := peopleLinks(found, map[int64]*models.Booking{7: {ID: "a"}}, map[int64]*models.CorrectionsRecord{8: {GdcID: "b"}})
	require.Equal(t, []string{"/roster/a", "/corrections/b"}, []string{bookings[0].Path(), state[0].Path()})
	require.Len(t, bookings, 1)
}

func TestFamiliesAreBoundedAndEmptyOnesLeftOut(t *testing.T) {
	t.Parallel()
	many := make([]link, linksShown+5)
	l := linksOf("MOONSAIL & SON", words.T("none"), familyOf(words.T("Court cases"), nil), familyOf(words.T("County bookings"), many))
	require.Len(t, l.Families, 1)
	require.Equal(t, linksShown+5, l.Families[0].Total)
	require.Len(t, l.Families[0].Links, linksShown)
	require.Equal(t, "/search?q=MOONSAIL+%26+SON", l.Search)
	require.Empty(t, linksOf("x", nil, familyOf(nil, nil)).Families)
}
