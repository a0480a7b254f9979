package resolve_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// by sets the agency of a row.
func by(agency string) func(*snapshot.RosterRow) {
	return func(r *snapshot.RosterRow) { r.Agency = agency }
}

func TestAnAgencyStandsByWhoClaimsItSinceTheLatest(t *testing.T) {
	t.Parallel()
	a, b := jail("a"), jail("b")
	for name, c := range map[string]struct {
		claims []*resolve.BookingClaim
		want   string
	}{
		"no source names one":               {[]*resolve.BookingClaim{claimed(a, orla(0))}, ""},
		"one source":                        {[]*resolve.BookingClaim{claimed(a, orla(0, by("GSP")))}, "GSP"},
		"the newer of two":                  {[]*resolve.BookingClaim{claimed(a, orla(0, by("GSP"))), claimed(b, orla(1, by("DNR")))}, "DNR"},
		"what is repeated is no news":       {[]*resolve.BookingClaim{claimed(a, orla(0, by("GSP")), orla(2, by("GSP"))), claimed(b, orla(1, by("DNR")))}, "DNR"},
		"what is corrected is":              {[]*resolve.BookingClaim{claimed(a, orla(0, by("GSP")), orla(2, by("GBI"))), claimed(b, orla(1, by("DNR")))}, "GBI"},
		"a source that names none":          {[]*resolve.BookingClaim{claimed(a, orla(0, by("GSP"))), claimed(b, orla(1))}, "GSP"},
		"one that is taken back":            {[]*resolve.BookingClaim{claimed(a, orla(0, by("GSP")), orla(1))}, ""},
		"taken back, and another one's":     {[]*resolve.BookingClaim{claimed(a, orla(0, by("GSP"))), claimed(b, orla(1, by("DNR")), orla(2))}, "GSP"},
		"a blank of a source of changes":    {[]*resolve.BookingClaim{claimed(a, orla(0, by("GSP"), changes), orla(1, changes))}, "GSP"},
		"a late row":                        {[]*resolve.BookingClaim{claimed(a, orla(2, by("GSP")), orla(1, by("DNR")))}, "GSP"},
		"one that came after the first row": {[]*resolve.BookingClaim{claimed(a, orla(0), orla(2, by("GSP"))), claimed(b, orla(1, by("DNR")))}, "GSP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agency := func() string {
				return resolve.Booking(resolve.BookingInput{Claims: c.claims, Now: noon(100)}).Agency
			}
			require.Equal(t, c.want, agency())
			slices.Reverse(c.claims)
			require.Equal(t, c.want, agency(), "in any order")
		})
	}
}

func TestAnAgencyWhoseFieldIsMissingStays(t *testing.T) {
	t.Parallel()
	c := claimed(jail("a"), orla(0, by("GSP")))
	resolve.TellBooking(c, orla(1), resolve.All, resolve.MissingFields{"booking.agency"})
	require.Equal(t, "GSP", c.Facts.Agency)
	require.Nil(t, c.Fingerprint, "the next row is read whatever it says")
	resolve.TellBooking(c, orla(2), resolve.All, nil)
	require.Empty(t, c.Facts.Agency)
	require.NotNil(t, c.Fingerprint)
}

func TestAnAgencyIsAFactOfTheHistory(t *testing.T) {
	t.Parallel()
	before, after := resolve.BookingRecord{Name: "MOONSAIL, ORLA"}, resolve.BookingRecord{Name: "MOONSAIL, ORLA", Agency: "GSP"}
	require.Equal(t, []resolve.Version{{Field: "agency", After: new("GSP")}}, resolve.Diff(before.Fields(), after.Fields()))
	require.Empty(t, resolve.Events(&before, &after, resolve.Baseline{}), "nobody is notified of it")
}
