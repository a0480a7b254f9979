package court

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// noon(1) to noon(9) are hours of February 1, 2026 in UTC; the hearings of clerk are in April.
func TestACaseWithoutADayOfFilingHasTheEarliestDayKnown(t *testing.T) {
	t.Parallel()
	arrested := func(c *clerk, year, day int) *clerk {
		c.row.Charges[0].ArrestDate = models.Date{Year: year, Month: 1, Day: day}
		return c
	}
	unfiled := func(at int) *clerk { return says(at).about("offense=THEFT").unfiled() }
	for name, c := range map[string]struct {
		rows []*clerk
		want string
	}{
		"the day on which it was first seen":      {[]*clerk{unfiled(2)}, "2026-02-01 true"},
		"a hearing to come is no day of the past": {[]*clerk{unfiled(2).hears("5", "2 09:00")}, "2026-02-01 true"},
		"an arrest":                           {[]*clerk{unfiled(2), arrested(says(3).charges(1, "DUI"), 2025, 30)}, "2025-01-30 true"},
		"an arrest that came before the case": {[]*clerk{arrested(says(1).charges(1, "DUI"), 2025, 30), unfiled(2)}, "2025-01-30 true"},
		"an arrest of a charge that went":     {[]*clerk{arrested(unfiled(1).whole().charges(1, "DUI"), 2025, 30), unfiled(2).whole()}, "2026-02-01 true"},
		"a stated day counts, however late":   {[]*clerk{arrested(unfiled(1).charges(1, "DUI"), 2025, 30), says(2).about("")}, "2026-01-05 false"},
		"and stays where a row leaves it out": {[]*clerk{says(1).about(""), unfiled(2).whole()}, "2026-01-05 false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Resolve(Input{Claims: []*Claim{claimOf(court("clerk"), c.rows...)}, Now: noon(9)})
			require.Equal(t, c.want, fmt.Sprint(s.Filed, " ", s.FiledInferred))
		})
	}
}

func TestAJuvenileIsKnownByTheEarliestDayOfTheCase(t *testing.T) {
	t.Parallel()
	kase := func(facts string, year int16) *clerk {
		c := says(1).about(facts).unfiled().charges(1, "DUI")
		if year != 0 {
			c.row.Case.BirthYear = year
		}
		return c
	}
	arrested := func(c *clerk) *clerk {
		c.row.Charges[0].ArrestDate = models.Date{Year: 2026, Month: 1, Day: 5}
		return c
	}
	for name, c := range map[string]struct {
		row  *clerk
		want models.WithheldReason
	}{
		"17 when it was first seen":                  {kase("born=2009-01-20", 0), models.Published},
		"16 at the arrest":                           {arrested(kase("born=2009-01-20", 0)), models.WithheldJuvenile},
		"a year that leaves it open at the arrest":   {arrested(kase("", 2009)), models.WithheldMaybeJuvenile},
		"a year that does not":                       {arrested(kase("", 2007)), models.Published},
		"a stated day of filing has its own row say": {says(1).about(""), models.Published},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Resolve(Input{Claims: []*Claim{claimOf(court("clerk"), c.row)}, Now: noon(9)}).Own)
		})
	}
}

func TestWhatConcernsEveryPartyIsOfEachCase(t *testing.T) {
	t.Parallel()
	everyone := claimOf(court("clerk"), says(2).hears("5", "2 09:00").charges(1, "ARSON").appoints("OAK"), says(3).takesBack("6"))
	own := claimOf(court("clerk"), says(1).about("").hears("6", "3 09:00").hears("7", "2 09:00"))
	s := Resolve(Input{Claims: []*Claim{own}, EveryParty: []*Claim{everyone}, Now: noon(9)})
	require.Equal(t, "ARSON pending OAK, 7: 02 09:00", shownCase(s), "two names of one time are one hearing")
	later := claimOf(court("clerk"), says(1).about(""), says(4).appoints("ELM"))
	require.Equal(t, "ELM", Resolve(Input{Claims: []*Claim{later}, EveryParty: []*Claim{everyone}, Now: noon(9)}).Judge)
}
