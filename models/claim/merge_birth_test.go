package claim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
)

func TestAConflictingBirthIsRefusedAlsoOfAMergedBooking(t *testing.T) {
	t.Parallel()
	for name, merge := range map[string]bool{"not merged": false, "merged": true} {
		for state, released := range map[string]int{"open": 0, "released": 4} {
			t.Run(name+" "+state, func(t *testing.T) {
				t.Parallel()
				j := withJailFiles(t)
				one := func(born, released int, bond int64) snapshot.RosterRow {
					r := j.row("K1", orla, 2, released, bond)
					r.DOB, r.BirthYear = &models.Date{Year: born, Month: time.Month(1 + born%12), Day: 1 + born%28}, int16(born)
					r.Fingerprint = append(r.Fingerprint, byte(born-1900))
					return r
				}
				two := j.row("K2", tolliver, 2, 0, 600)
				j.Now = j.at(5)
				j.reads(lists, 5, one(1980, released, 500), two)
				j.reads(changed, 5, j.row("M", orla, 2, 0, 500))
				j.Now = j.at(6)
				if merge {
					j.merges(orla, tolliver)
				}
				j.Now = j.at(7)
				a := j.reads(lists, 7, one(1999, 0, 900), two)
				require.Len(t, a.Rejected, 1)
				require.NotContains(t, j.bookings(), "900")
			})
		}
	}
}
