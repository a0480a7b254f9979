package resolve_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

func TestEvidenceOfAge(t *testing.T) {
	t.Parallel()
	const juvenile, maybe, open = models.WithheldJuvenile, models.WithheldMaybeJuvenile, models.Published
	blank := resolve.Age{}
	date := func(year int, why models.WithheldReason) resolve.Age {
		return resolve.Age{DOB: &models.Date{Year: year, Month: 3, Day: 5}, Year: int16(year), Withheld: why}
	}
	year := func(y int16, why models.WithheldReason) resolve.Age { return resolve.Age{Year: y, Withheld: why} }
	flag := resolve.Age{Withheld: juvenile, Sign: snapshot.SignFlag}
	back := resolve.Age{Sign: snapshot.SignNo}
	age15 := resolve.Age{Withheld: juvenile, Sign: snapshot.SignMore}
	for name, c := range map[string]struct {
		rows []resolve.Age
		want models.WithheldReason
	}{
		"nothing is said":                             {[]resolve.Age{blank, blank}, open},
		"a date of a juvenile, then nothing":          {[]resolve.Age{blank, date(2010, juvenile), blank}, juvenile},
		"an adult's date after a juvenile's":          {[]resolve.Age{date(2010, juvenile), date(1985, open)}, open},
		"a flag, then nothing":                        {[]resolve.Age{flag, blank}, juvenile},
		"a flag that is taken back":                   {[]resolve.Age{flag, back}, maybe},
		"a flag that is taken back and set again":     {[]resolve.Age{flag, back, flag}, juvenile},
		"an age cannot be taken back by a flag":       {[]resolve.Age{age15, back}, juvenile},
		"a flag, then an adult's date":                {[]resolve.Age{flag, date(1985, open)}, open},
		"an adult's date with a flag":                 {[]resolve.Age{date(1985, juvenile)}, juvenile},
		"an adult's year takes no juvenile away":      {[]resolve.Age{year(2010, juvenile), year(1985, open)}, juvenile},
		"a year that leaves it open, then nothing":    {[]resolve.Age{year(2009, maybe), blank}, maybe},
		"an adult's year after one that left it open": {[]resolve.Age{year(2009, maybe), year(1985, open)}, open},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range c.rows {
				c.rows[i].At = at(i)
			}
			for _, order := range orders(len(c.rows)) {
				var e resolve.Evidence
				for _, i := range append(order, order...) { // each row twice
					e.Add(c.rows[i], false)
				}
				require.Equal(t, c.want, e.Reason(), "%v", order)
			}
		})
	}
}

// orders are all orders of n rows.
func orders(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, rest := range orders(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(rest), i, n-1))
		}
	}
	return all
}

func TestTextThatCannotBeReadIsNoReasonToDoubtAnAdult(t *testing.T) {
	t.Parallel()
	young := resolve.Age{At: at(2), Withheld: models.WithheldMaybeJuvenile, Doubt: snapshot.DoubtYoung}
	text := resolve.Age{At: at(2), Withheld: models.WithheldMaybeJuvenile, Doubt: snapshot.DoubtText}
	own := resolve.Age{At: at(2), Withheld: models.WithheldMaybeJuvenile, Doubt: snapshot.DoubtMonths, Year: 2008}
	for name, c := range map[string]struct {
		first resolve.Age
		then  resolve.Age
		late  bool
		want  models.WithheldReason
	}{
		"of nobody known":                 {resolve.Age{At: at(1)}, text, false, models.WithheldMaybeJuvenile},
		"of an adult":                     {resolve.Age{At: at(1), Adult: true}, text, false, models.Published},
		"of an adult, and of a child":     {resolve.Age{At: at(1), Adult: true}, young, false, models.WithheldMaybeJuvenile},
		"of an adult by year of birth":    {resolve.Age{At: at(1), Year: 1985}, text, false, models.Published},
		"beside a year of birth":          {resolve.Age{At: at(1)}, own, false, models.WithheldMaybeJuvenile},
		"in a file that comes late":       {resolve.Age{At: at(3)}, young, true, models.Published},
		"an adult only after the doubt":   {resolve.Age{At: at(3), Adult: true}, text, false, models.WithheldMaybeJuvenile},
		"a year of one that may be young": {resolve.Age{At: at(1), Year: 2009, Withheld: models.WithheldMaybeJuvenile}, text, false, models.WithheldMaybeJuvenile},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var e resolve.Evidence
			e.Add(c.first, false)
			e.Add(c.then, c.late)
			require.Equal(t, c.want, e.Reason())
		})
	}
}

func TestMinor(t *testing.T) {
	t.Parallel()
	born := models.Date{Year: 2009, Month: 3, Day: 8}
	require.True(t, resolve.Minor(born, models.Date{Year: 2026, Month: 3, Day: 7}))
	require.False(t, resolve.Minor(born, models.Date{Year: 2026, Month: 3, Day: 8}))
}

// A key was corrected, and the row under the new one leaves it open how old the person is. The old key, which no snapshot
// may have to lack but once, says nothing against that.
func TestADoubtUnderACorrectedKeyCountsAtOnce(t *testing.T) {
	t.Parallel()
	jail := jail("a", 0, 1)
	jail.Confirmations = 2
	born := claimed(jail, orla(0, func(r *snapshot.RosterRow) { r.DOB, r.BirthYear = &models.Date{Year: 1986, Month: 5, Day: 5}, 1986 }))
	doubtful := claimed(jail, orla(1, func(r *snapshot.RosterRow) { r.Withheld = models.WithheldMaybeJuvenile }))
	require.Equal(t, "- maybe juvenile", stands(born, doubtful))
}

// aged is what one source says in the tests of contradictions: a flag alone, an adult's date of birth, or an adult's year.
type aged struct {
	withheld models.WithheldReason
	dob      *models.Date
	year     int16
}

// contradictions are what two sources say of one person's age, and what follows for each family of records.
var contradictions = map[string]struct {
	one, other aged
	want       models.WithheldReason
}{
	"a flag and an adult's date":          {aged{withheld: models.WithheldJuvenile}, aged{dob: born(1985, 3, 5), year: 1985}, models.WithheldMaybeJuvenile},
	"a flag and an adult's year":          {aged{withheld: models.WithheldJuvenile}, aged{year: 1985}, models.WithheldJuvenile},
	"a flag and nothing":                  {aged{withheld: models.WithheldJuvenile}, aged{}, models.WithheldJuvenile},
	"a flag and a juvenile's date":        {aged{withheld: models.WithheldJuvenile}, aged{models.WithheldJuvenile, born(2010, 3, 5), 2010}, models.WithheldJuvenile},
	"an adult's date and an adult's year": {aged{dob: born(1985, 3, 5), year: 1985}, aged{year: 1986}, models.Published},
	"a date with a flag, an adult's year": {aged{models.WithheldJuvenile, born(1985, 3, 5), 1985}, aged{year: 1985}, models.WithheldJuvenile},
}

// eachOrder calls a test with both sources as the first, and as the one that reports last.
func eachOrder(t *testing.T, check func(t *testing.T, first, second aged, hours [2]float64, want models.WithheldReason)) {
	t.Helper()
	for name, c := range contradictions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, hours := range [][2]float64{{0, 1}, {1, 0}, {0, 0}} {
				check(t, c.one, c.other, hours, c.want)
				check(t, c.other, c.one, hours, c.want)
			}
		})
	}
}

// A juvenile by one source and an adult by the date of birth of another is withheld for a review. A year is no date: it
// leaves the flag as it is.
func TestAFlagAndAnotherSourcesBirthOfAnAdultLeaveABookingToAReview(t *testing.T) {
	t.Parallel()
	eachOrder(t, func(t *testing.T, first, second aged, hours [2]float64, want models.WithheldReason) {
		t.Helper()
		claim := func(id string, a aged, hours float64) *resolve.BookingClaim {
			return claimed(jail(id), orla(hours, func(r *snapshot.RosterRow) { r.Withheld, r.DOB, r.BirthYear = a.withheld, a.dob, a.year }))
		}
		claims := []*resolve.BookingClaim{claim("a", first, hours[0]), claim("b", second, hours[1])}
		got := resolve.Booking(resolve.BookingInput{Claims: claims, Now: noon(100)})
		require.Equal(t, want, got.Visibility.Withheld(), "hours %v", hours)
	})
}
