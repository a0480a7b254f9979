package record

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestOnlyAddressesOfPagesLeadOutside(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://court.example/j/1?a=b": "https://court.example/j/1?a=b", "http://court.example": "http://court.example",
		"javascript:alert(1)": "", "data:text/html,x": "", "//court.example/j": "", "court room 4": "", "https:": "", "": "", "%": "",
	} {
		require.Equal(t, want, outside(&address), address)
	}
	require.Empty(t, outside(nil))
}

func TestAnAlertIsOfferedWithTheNameAndTheBirth(t *testing.T) {
	t.Parallel()
	day := models.Date{Year: 1990, Month: 2, Day: 3}
	require.Equal(t, "/alerts/new?born=1990-02-03&name=Moonsail%2C+Wren", Watch("MOONSAIL, WREN", &day, new(1990)))
	require.Equal(t, "/alerts/new?born=1990&name=Moonsail", Watch("MOONSAIL", nil, new(1990)))
	require.Equal(t, "/alerts/new?name=Moonsail", Watch("MOONSAIL", nil, nil))
}

func TestColumnsThatNoChargeHasAreLeftOut(t *testing.T) {
	t.Parallel()
	require.Equal(t, chargeTable{Rows: []charge{{BookingCharge: &models.BookingCharge{Description: "FTA"}}}}, chargesOf(models.PlainCharges([]string{"FTA"})))
	got := chargesOf([]*models.BookingCharge{{Description: "DUI", Severity: new("FELONY")}, {Description: "FTA", BondCents: new(int64(100))}})
	require.Equal(t, []bool{false, true, true, false}, []bool{got.Statute, got.Severity, got.Bond, got.InWords})
	require.Equal(t, []string{"felony", "plain grave", ""}, []string{got.Rows[0].Grave.Word.String(), got.Rows[0].Grave.Tone, got.Rows[1].Grave.Word.String()})
	got = chargesOf([]*models.BookingCharge{{Description: "DUI", BondText: new("NO BOND")}})
	require.True(t, got.Bond && got.InWords)
}

func TestHearingsAheadComeFirstAndPastOnesFromTheLatest(t *testing.T) {
	t.Parallel()
	at := func(day int, clock string) *models.Hearing {
		h := &models.Hearing{Date: models.Date{Year: 2026, Month: 3, Day: day}, StartsAt: time.Date(2026, 3, day, 14, 5, 0, 0, models.Georgia)}
		if clock != "" {
			h.Time = &clock
		}
		return h
	}
	h := hearingsOf([]*models.Hearing{at(1, "14:05"), at(2, ""), at(10, "14:05"), at(11, "")}, models.Date{Year: 2026, Month: 3, Day: 10})
	var said []string
	for _, x := range append(h.Ahead, h.Past...) {
		said = append(said, x.Month().String()+" "+x.Day()+" "+x.Clock().String())
		require.Equal(t, "2026", x.Year())
	}
	require.Equal(t, []string{"Mar 10 2:05 PM", "Mar 11 time not stated", "Mar 2 time not stated", "Mar 1 2:05 PM"}, said)
	require.True(t, h.Any() && h.Past[0].Past && !h.Ahead[0].Past)
	require.False(t, hearingsOf(nil, models.Date{}).Any())
}

func TestTheNextHearingIsTheEarliestOfTheLinkedCases(t *testing.T) {
	t.Parallel()
	at := func(day int) *time.Time { return new(time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC)) }
	b := &bookingBody{Cases: []*models.CourtCase{{Key: 1, NextHearing: at(9)}, {Key: 2}, {Key: 3, NextHearing: at(4)}}}
	require.Equal(t, int64(3), b.Next().Key)
	b.Cases = b.Cases[1:2]
	require.Nil(t, b.Next())
}

func TestOnlyAddressesOfTheCaseThatWorkAreListed(t *testing.T) {
	t.Parallel()
	var c calendars
	all := []*models.CalendarSubscription{
		{ID: "1", CaseID: "case-fulton-1"}, {ID: "2", CaseID: "case-fulton-2"}, {ID: "3", CaseID: "case-fulton-1", RevokedAt: new(time.Now())}, {ID: "4"},
	}
	c.take("case-fulton-1", all)
	require.Len(t, c.Live, 1)
	require.Len(t, all, 4)
	require.Equal(t, "4", all[3].ID, "the list is the caller's")
}
