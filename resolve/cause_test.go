package resolve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// To publish a juvenile it is enough that a doubt was resolved the wrong way, so each case that is not clear is a yes.
func TestMayBe(t *testing.T) {
	t.Parallel()
	const name = "MOONSAIL, ORLA"
	dated := func(name string, year int, day int) resolve.Known {
		return resolve.Known{Name: name, DOB: born(year, 4, day), Year: int16(year)}
	}
	yeared := func(year int16) resolve.Known { return resolve.Known{Name: name, Year: year} }
	for text, c := range map[string]struct {
		open, withheld resolve.Known
		want           bool
	}{
		"one name, no birth known":                  {resolve.Known{Name: name}, resolve.Known{Name: name}, true},
		"one name, in another order":                {resolve.Known{Name: "ORLA MOONSAIL"}, resolve.Known{Name: name}, true},
		"a name mistyped":                           {resolve.Known{Name: "MOONSALE, ORLA"}, resolve.Known{Name: name}, true},
		"another name":                              {resolve.Known{Name: "STORMCROW, IDA"}, resolve.Known{Name: name}, false},
		"one birth":                                 {dated(name, 2010, 2), dated(name, 2010, 2), true},
		"a digit of the year":                       {dated(name, 2000, 2), dated(name, 2010, 2), true},
		"the year after":                            {dated(name, 2009, 2), dated(name, 2010, 2), true},
		"a year that no slip explains":              {dated(name, 1984, 2), dated(name, 2010, 2), false},
		"two parts of the birth":                    {dated(name, 2009, 3), dated(name, 2010, 2), false},
		"an adult's birth, the other states none":   {dated(name, 1984, 2), resolve.Known{Name: name}, false},
		"a year, the other states none":             {yeared(2010), resolve.Known{Name: name}, false},
		"a juvenile's birth beside one of no birth": {resolve.Known{Name: name}, dated(name, 2010, 2), true},
		"years that are close":                      {yeared(2009), yeared(2010), true},
		"years far apart":                           {yeared(1984), yeared(2010), false},
		"a year beside a date":                      {yeared(2011), dated(name, 2010, 2), true},
		"one birth, another name":                   {dated("STORMCROW, IDA", 2010, 2), dated(name, 2010, 2), false},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.MayBe(c.open, c.withheld))
		})
	}
}

func TestProvenAdult(t *testing.T) {
	t.Parallel()
	adult := func(r *snapshot.RosterRow) { r.Adult = true }
	for text, c := range map[string]struct {
		claims []*resolve.BookingClaim
		want   bool
	}{
		"nobody claims it":          {nil, false},
		"no age is stated":          {[]*resolve.BookingClaim{claimed(jail("a"), orla(0))}, false},
		"one source states it":      {[]*resolve.BookingClaim{claimed(jail("a"), orla(0)), claimed(jail("b"), orla(0, adult))}, true},
		"an earlier row stated it":  {[]*resolve.BookingClaim{claimed(jail("a"), orla(0, adult), orla(1))}, true},
		"a row that came too late":  {[]*resolve.BookingClaim{claimed(jail("a"), orla(1), orla(0, adult))}, true},
		"two sources, neither says": {[]*resolve.BookingClaim{claimed(jail("a"), orla(0)), claimed(jail("b"), orla(0))}, false},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.ProvenAdult(c.claims))
		})
	}
}
