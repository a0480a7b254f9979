package search

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func asks(t *testing.T, query string) *asked {
	t.Helper()
	q, err := url.ParseQuery(query)
	require.NoError(t, err)
	a, err := read(q, noon)
	require.NoError(t, err, query)
	return a
}

func TestWhatWasTypedIsANameOrANumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		number, name string
		born         int
		day          string
	}{
		"":                        {},
		"smith john":              {name: "smith john"},
		"smith 1986":              {name: "smith", born: 1986},
		"1986 smith john":         {name: "smith john", born: 1986},
		"smith 1986 1987":         {number: "smith 1986 1987", name: "smith"},
		"smith 12b":               {number: "smith 12b", name: "smith"},
		"smith 1986-02-03":        {name: "smith", day: "1986-02-03"},
		"smith 01/26/1995":        {name: "smith", day: "1995-01-26"},
		"1-6-1995 smith, john":    {name: "smith, john", day: "1995-01-06"},
		"smith 26/01/1995":        {number: "smith 26/01/1995", name: "smith"},
		"smith 01/26/1995 1995":   {number: "smith 01/26/1995 1995", name: "smith"},
		"01/26/1995":              {number: "01/26/1995"},
		"smith 1986 12b":          {number: "smith 1986 12b", name: "smith"},
		"1986":                    {number: "1986"},
		"26-CR-00137":             {number: "26-CR-00137"},
		"7":                       {name: "7"},
		"12":                      {name: "12"},
		"a1":                      {name: "a1"},
		"a12":                     {number: "a12"},
		"fulton-2026-000001":      {number: "fulton-2026-000001"},
		"smith 2186":              {number: "smith 2186", name: "smith"},
		"  wren   moonsail  1990": {name: "wren moonsail", born: 1990},
	} {
		a := asks(t, url.Values{"q": {text}}.Encode())
		require.Equal(t, want.number, a.Number, "number of %q", text)
		require.Equal(t, want.name, a.Name, "name of %q", text)
		require.Equal(t, want.born, a.Born, "birth of %q", text)
		require.Equal(t, want.day, birth{day: a.Day}.String(), "date of birth of %q", text)
	}
}

func TestEachFamilyIsAskedWhatItHas(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"q=smith":                               "bookings cases offenders",
		"q=26-CR-1":                             "",
		"q=smith+26-CR-1":                       "bookings cases offenders",
		"q=smith+1986":                          "bookings",
		"q=smith+02/03/1986":                    "bookings",
		"q=smith&county=fulton":                 "bookings cases",
		"q=smith&status=BOOKED":                 "bookings",
		"q=smith&status=RELEASED":               "bookings offenders",
		"q=smith&status=WARRANT":                "cases",
		"q=smith&status=PAROLED":                "offenders",
		"q=smith&status=PAROLED&county=fulton":  "",
		"q=smith&status=nonsense":               "",
		"charge=theft":                          "bookings",
		"charge=theft&status=WARRANT":           "",
		"county=fulton":                         "bookings cases",
		"q=smith&booked_from=2026-03-01":        "bookings",
		"q=smith&charge=+&view=table&sort=NAME": "bookings cases offenders",
	} {
		a := asks(t, query)
		got := ""
		if a.bookings() != nil {
			got += "bookings "
		}
		if a.cases() != nil {
			got += "cases "
		}
		if a.offenders() != nil {
			got += "offenders "
		}
		require.Equal(t, want, got[:max(0, len(got)-1)], query)
	}
}

func TestFiltersNarrowBookings(t *testing.T) {
	t.Parallel()
	day := models.Date{Year: 2026, Month: 3, Day: 8}
	for query, want := range map[string]models.RosterFilter{
		"q=smith":                         {Name: new("smith")},
		"q=smith&county=hall":             {Name: new("smith"), County: new("hall")},
		"status=booked":                   {Status: new(models.Booked)},
		"agency=sheriff":                  {Agency: new("sheriff")},
		"charge=theft&severity=FELONY":    {Charge: new("theft"), Severity: new(models.Felony)},
		"bond_from=5&bond_to=9":           {BondFrom: new(5), BondTo: new(9)},
		"age_from=20&age_to=40":           {BirthYearFrom: new(1985), BirthYearTo: new(2006)},
		"q=smith+1990&age_to=40":          {Name: new("smith"), BirthYearFrom: new(1990), BirthYearTo: new(1990)},
		"q=smith+03/08/2026":              {Name: new("smith"), Born: &day},
		"booked_from=2026-03-08":          {FromDate: &day},
		"booked_to=2026-03-08":            {ToDate: &day},
		"released_from=2026-03-08":        {ReleasedFrom: &day},
		"released_to=2026-03-08&sort=OLD": {ReleasedTo: &day},
	} {
		require.Equal(t, &want, asks(t, query).bookings(), query)
	}
	for _, query := range []string{"bond_from=much", "bond_to=1.5", "age_from=x", "booked_from=yesterday", "released_to=2026-02-30"} {
		q, err := url.ParseQuery(query)
		require.NoError(t, err)
		_, err = read(q, noon)
		require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err), query)
	}
}

func TestWordsMayBeOfACharge(t *testing.T) {
	t.Parallel()
	require.Equal(t, &models.RosterFilter{Charge: new("theft"), County: new("hall")}, asks(t, "q=theft&county=hall").charged().bookings())
	for _, query := range []string{"charge=theft", "q=smith&charge=theft", "q=26-CR-1", "q=smith&status=WARRANT", "county=hall"} {
		require.Nil(t, asks(t, query).charged(), query)
	}
}

func TestAPartOfACaseNumberIsItsBeginningWhereItIsShort(t *testing.T) {
	t.Parallel()
	require.Equal(t, models.CourtFilter{CaseNumberStart: new("26C")}, caseNumber("26C"))
	require.Equal(t, models.CourtFilter{CaseNumberPart: new("0137")}, caseNumber("0137"))
}

func TestAddressesKeepTheSearchAndNothingElse(t *testing.T) {
	t.Parallel()
	a := asks(t, "q=+smith+&charge=theft&bond_to=9&view=table&sort=NAME&next=//evil.example&plain=yes&more=roster&after=x")
	require.Equal(t, "/search?bond_to=9&charge=theft&q=smith&sort=NAME&view=table", a.Path())
	require.Equal(t, 2, a.Set)
	require.Equal(t, "/search?q=smith&sort=NAME&view=table", a.Unfiltered())
	require.Equal(t, "/search?bond_to=9&charge=theft&q=smith&sort=NAME", a.TablePath(), "pressed again")
	require.Equal(t, "/search?bond_to=9&charge=theft&q=smith&sort=NAME&view=person", a.PersonPath())
	require.Equal(t, "/search", asks(t, "view=map&sort=up").Path())
	require.Equal(t, "/search?sort=NAME", asks(t, "sort=OLDEST&sort=NAME").Path(), "the later control overrides the one before")
	require.True(t, asks(t, "view=table&sort=NAME").Empty())
	require.False(t, asks(t, "county=hall").Empty())
}

func TestSmallAndLargeLettersMeanTheSame(t *testing.T) {
	t.Parallel()
	a := asks(t, "q=Smith&status=booked&county=Hall&severity=felony&sort=newest&view=TABLE")
	require.Equal(t, "county=hall&q=Smith&severity=FELONY&sort=NEWEST&status=BOOKED&view=table", a.Encode())
	require.True(t, a.Option("BOOKED").Chosen)
	require.Equal(t, "/search/bookings.csv?"+a.Encode(), a.CSV())
	require.Equal(t, "/search?county=hall&q=Smith&severity=FELONY&sort=NEWEST&status=BOOKED", a.TablePath())
}

func TestAColumnSortsItsWayFirstAndThenTheOther(t *testing.T) {
	t.Parallel()
	bond := func(query string) column { return asks(t, query).Columns()[4] }
	require.Equal(t, "/search?q=a&sort=BOND_HIGHEST", bond("q=a").Path)
	require.Equal(t, "/search?q=a&sort=BOND_LOWEST", bond("q=a&sort=BOND_HIGHEST").Path)
	require.Equal(t, "/search?q=a&sort=BOND_HIGHEST", bond("q=a&sort=BOND_LOWEST").Path)
	require.Equal(t, "none", bond("q=a&sort=NAME").Sorted)
	require.Equal(t, []string{"descending", "↓"}, []string{bond("sort=BOND_HIGHEST").Sorted, bond("sort=BOND_HIGHEST").Arrow})
	require.Equal(t, []string{"ascending", "↑"}, []string{bond("sort=BOND_LOWEST").Sorted, bond("sort=BOND_LOWEST").Arrow})
	for _, c := range columns {
		for _, name := range c.orders {
			_, known := orderOf(name)
			require.True(t, known, name)
		}
	}
}

func TestTheOnlyFamilyThatIsSearchedHasALongPage(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]int{
		"q=smith":                     firstRows,
		"q=smith&county=hall":         firstRows, // cases are of a county too
		"county=hall&status=BOOKED":   aloneRows,
		"q=smith&status=PENDING":      aloneRows,
		"q=smith&charge=theft":        aloneRows,
		"q=smith&status=INCARCERATED": aloneRows,
	} {
		q, err := url.ParseQuery(query)
		require.NoError(t, err)
		a, err := read(q, time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC))
		require.NoError(t, err)
		family := "roster"
		if a.bookings() == nil {
			family = "courts"
		}
		p, wanted := a.pageOf(family)
		require.True(t, wanted)
		require.Equal(t, want, p.Limit, query)
	}
}
