package enroll

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheBasisSaysWhereLessThanAYearIsKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		basis Basis
		says  string
	}{
		"a year of the whole state":           {Basis{Whole: true, Days: 365, Jails: 159, Counties: 159, counted: 365}, ""},
		"jails that are read since a month":   {Basis{Whole: true, Days: 30, Jails: 159, Counties: 159, counted: 365}, "We have complete bookings for the last 30 days; earlier ones only if the person was still listed."},
		"one jail that came later":            {Basis{Whole: true, Days: 365, Later: 1, Jails: 159, Counties: 159, counted: 365}, "1 county is known for fewer days than the others."},
		"jails that nobody reads":             {Basis{Whole: true, Days: 365, Jails: 3, Counties: 159, counted: 365}, "The jails of 3 of 159 counties are read. People who are booked in the others are not found."},
		"counting that ended early":           {Basis{Days: 90, Jails: 159, Counties: 159, counted: 90}, ""},
		"counting that ended before the jail": {Basis{Days: 1, Later: 2, Jails: 159, Counties: 159, counted: 90}, "We have complete bookings for the last 1 day; earlier ones only if the person was still listed. 2 counties are known for fewer days than the others."},
	} {
		require.Equal(t, c.says, strings.Join(c.basis.Says(), " "), name)
	}
}
