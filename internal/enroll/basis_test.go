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
		"jails that are read since a month":   {Basis{Whole: true, Days: 30, Jails: 159, Counties: 159, counted: 365}, "Our records are complete only for the last 30 days. Older bookings are included only if the person was still in jail when our records began."},
		"one jail that came later":            {Basis{Whole: true, Days: 365, Later: 1, Jails: 159, Counties: 159, counted: 365}, "The records of 1 county start later."},
		"jails that nobody reads":             {Basis{Whole: true, Days: 365, Jails: 3, Counties: 159, counted: 365}, "3 of 159 counties are covered. People booked in the others are not found."},
		"counting that ended early":           {Basis{Days: 90, Jails: 159, Counties: 159, counted: 90}, ""},
		"counting that ended before the jail": {Basis{Days: 1, Later: 2, Jails: 159, Counties: 159, counted: 90}, "Our records are complete only for the last 1 day. Older bookings are included only if the person was still in jail when our records began. The records of 2 counties start later."},
	} {
		require.Equal(t, c.says, strings.Join(c.basis.Says(), " "), name)
	}
}
