package search

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/models"
)

// finds is what a search finds of some families.
func finds(t *testing.T, query string, totals ...int) *found {
	t.Helper()
	a := asks(t, query)
	f := &found{asked: a, words: match.Words(a.Name)}
	for i, family := range []string{"roster", "courts", "corrections"}[:len(totals)] {
		g, err := a.group(family, totals[i], models.PageInfo{})
		require.NoError(t, err)
		f.searched = append(f.searched, *g)
		if g.Total > 0 {
			f.Groups = append(f.Groups, *g)
		}
	}
	return f
}

func TestATotalIsSaidOfEachFamily(t *testing.T) {
	t.Parallel()
	require.Equal(t, "1,204 in jail bookings, 0 in court cases, 3 in state corrections", finds(t, "q=smith", 1204, 0, 3).Said().String())
	require.Equal(t, "0 by number", finds(t, "q=26-CR-1").Said().String())
	charged := finds(t, "q=theft", 0, 0, 0)
	charged.Charged, charged.ChargeWords = 2, "theft"
	require.Equal(t, "No name matches. 2 bookings have a charge with “theft”.", charged.Said().String())
}

func TestWhatIsNotSearchedIsSaid(t *testing.T) {
	t.Parallel()
	require.Contains(t, finds(t, "q=1985").Unsearched().String(), "Type a name with the birth, such as “smith 1985”.")
	require.Contains(t, finds(t, "q=01/26/1985").Unsearched().String(), "such as “smith 01/26/1985”")
	require.Empty(t, finds(t, "q=26-CR-1").Unsearched())
	require.Equal(t, "“1986-02-03 12b” was not searched. The results are for “smith”, at any age. Compare the birth dates.",
		finds(t, "q=smith+1986-02-03+12b", 2).Unsearched().String())
	byNumber := finds(t, "q=smith+12b", 2)
	byNumber.ByNumber = []row{{}}
	require.Empty(t, byNumber.Unsearched(), "something bears the number")
	require.Empty(t, finds(t, "q=smith", 2).Unsearched())

	const others = " Other records are not searched by birth."
	require.Equal(t, "Only jail bookings of people born in 1986."+others, finds(t, "q=smith+1986", 2).Only().String())
	require.Equal(t, "Only jail bookings of people born on Feb 3, 1986, or in that year if no day is stated."+others,
		finds(t, "q=smith+2/3/1986", 2).Only().String())
	for _, query := range []string{"q=smith", "charge=theft"} {
		require.Empty(t, finds(t, query, 2).Only(), query)
	}
	require.True(t, finds(t, "q=smith&county=hall", 2).NoPrisons())
	require.False(t, finds(t, "q=smith&county=hall&status=BOOKED", 2).NoPrisons())
}

func TestAHintSaysWhatFindsMore(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"q=26-CR-1":               "Type a whole record id or offender id",
		"q=zz&charge=theft":       "Clear some filters",
		"q=zz&county=hall":        "Only this county was searched.",
		"q=zz&status=PAROLED":     "Choose “Any” to search all.",
		"county=hall&status=WARR": "Only this county and this status were searched.",
		"q=zz":                    "To see similar names, type a first and a last name.",
		"q=smith+30+years":        "Type only a birth year or a birth date beside a name.",
	} {
		require.Contains(t, finds(t, query, 0).Hint().String(), want, query)
	}
}

func TestAnAlertIsMadeOfANameThatBookingsAreSearchedFor(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/search/alert?county=hall&q=smith", finds(t, "q=smith&county=hall", 1).Alert())
	require.Equal(t, "/search/alert?q=john+smith", finds(t, "q=john+smith", 0).Alert())
	require.Empty(t, finds(t, "q=smith", 0).Alert(), "one word that nobody has")
	require.Empty(t, finds(t, "charge=theft", 1).Alert())
	charged := finds(t, "q=aggravated+assault", 0)
	charged.Charged = 9
	require.Empty(t, charged.Alert(), "words of a charge")
	require.True(t, charged.Nameless())
	require.True(t, finds(t, "charge=theft", 1).Nameless())
	require.False(t, finds(t, "q=smith&charge=theft", 1).Nameless())
	require.False(t, finds(t, "county=hall", 1).Nameless(), "it only lists a county")
	number := finds(t, "q=SUR+2018/01036", 0)
	number.ByNumber = []row{{}}
	require.Empty(t, number.Alert(), "part of a number")
	county := finds(t, "q=hall+county", 0)
	county.County = &models.County{Slug: "hall", Name: "Hall"}
	require.Empty(t, county.Alert(), "a county")
	require.Empty(t, finds(t, "q=smith&status=WARRANT", 0, 1).Alert())
}

func TestAStatuteThatIsTypedIsLookedForInCharges(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"16-5-21", "40-6-391(a)(1)", "16-13-30a", "16-11-37.1"} {
		by := asks(t, "q="+typed).charged()
		require.NotNil(t, by, typed)
		require.Equal(t, &models.RosterFilter{Charge: &typed}, by.bookings())
		require.Equal(t, "charge="+url.QueryEscape(typed), by.Encode())
	}
	for _, query := range []string{"q=26-CR-00123", "q=2026-03-08", "q=1234567", "q=16-5-21&charge=theft", "q=16-5-21&status=PAROLED", "q=theft+1986"} {
		require.Nil(t, asks(t, query).charged(), query)
	}
}

func TestACountyBehindANameIsOffered(t *testing.T) {
	t.Parallel()
	all := []*models.County{{Slug: "hall", Name: "Hall"}, {Slug: "bibb", Name: "Bibb"}, {Slug: "jeff-davis", Name: "Jeff Davis"}}
	for query, want := range map[string]string{
		"q=john+smith+bibb":              "/search?county=bibb&q=john+smith",
		"q=smith,+john+b+BIBB":           "/search?county=bibb&q=smith%2C+john+b",
		"q=john+smith+1985+jeff+davis":   "/search?county=jeff-davis&q=john+smith+1985",
		"q=smith+bibb+county":            "/search?county=bibb&q=smith",
		"q=smith+bibb":                   "/search?county=bibb&q=smith",
		"q=bibb":                         "",
		"q=john+smith":                   "",
		"q=john+smith+bibb&county=hall":  "",
		"q=john+smith+bibb&more=roster":  "",
		"q=john+smith+bibb+26-CR-000123": "",
	} {
		got := inCountyOf(all, asks(t, query), false)
		if want == "" {
			require.Nil(t, got, query)
			continue
		}
		require.NotNil(t, got, query)
		require.Equal(t, want, got.Path, query)
	}
	require.Nil(t, inCountyOf(all, asks(t, "q=john+hall"), true), "people are called so")
	require.NotNil(t, inCountyOf(all, asks(t, "q=john+smith+hall"), true))
}

func TestWhatIsExplainedIsNotLookedForInSimilarNames(t *testing.T) {
	t.Parallel()
	f := finds(t, "q=john+smith+bibb", 0)
	require.False(t, f.noName())
	f.InCounty = &inCounty{}
	require.True(t, f.noName())
	require.Empty(t, f.Alert())
	f = finds(t, "q=john+smith&county=bibb", 0)
	require.Equal(t, "/search?q=john+smith", f.Widened())
	f.Lacks = []lack{{Uncovered: "Bibb"}}
	require.True(t, f.Uncovered())
	require.False(t, f.noName(), "it is a name that was typed")
	require.Equal(t, "/people?name=john+smith", (&body{asked: f.asked, Found: f}).People())
}

func TestANameOfACountyLeadsToItsPage(t *testing.T) {
	t.Parallel()
	hall, davis := &models.County{Slug: "hall", Name: "Hall"}, &models.County{Slug: "jeff-davis", Name: "Jeff Davis"}
	county := func(query string, found bool) *models.County {
		return countyTyped([]*models.County{hall, davis}, asks(t, query), found)
	}
	require.Equal(t, hall, county("q=HALL+county", true))
	require.Equal(t, davis, county("q=jeff+davis", false))
	require.Nil(t, county("q=hall", true), "people are called so")
	require.Nil(t, county("q=hall+county&more=roster&after=x", true))
	require.Nil(t, county("q=county", false))
	require.Nil(t, county("county=hall", false))
	f := finds(t, "q=hall+county", 0)
	f.County = hall
	require.True(t, f.CountyOnly())
	require.Equal(t, "Hall County (jail not covered)", f.Said().String())
	f.CountyCovered = true
	require.Equal(t, "Hall County: its jail and who is held", f.Said().String())
	f = finds(t, "q=hall", 0)
	f.County = hall
	require.False(t, f.CountyOnly(), "people are called so")
}
