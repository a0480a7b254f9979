package resolve_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/resolve"
)

// Instants of a clock that ran ahead go back to now; the others stay.
func TestHeal(t *testing.T) {
	t.Parallel()
	now := noon(0)
	to := func(at time.Time) time.Time {
		if at.After(now) {
			return now
		}
		return at
	}
	age := resolve.Evidence{
		BirthAt: noon(5), YearAt: noon(5), JuvenileAt: noon(5), MoreAt: noon(5), RetractedAt: noon(5), DoubtAt: noon(5), AdultAt: noon(5), UnreadAt: noon(-1),
	}
	h := resolve.Head{
		HowAt: noon(-3), FirstAt: noon(-2), SaidAt: noon(5), MissingSince: new(noon(6)), Age: age,
		Since: resolve.Since{"bond": noon(5), "name": noon(-2)},
	}
	missing := h.MissingSince
	h.Heal(to)
	require.Equal(t, noon(6), *missing, "others may share the instant")
	require.Equal(t, resolve.Head{
		HowAt: noon(-3), FirstAt: noon(-2), SaidAt: now, MissingSince: &now,
		Age:   resolve.Evidence{BirthAt: now, YearAt: now, JuvenileAt: now, MoreAt: now, RetractedAt: now, DoubtAt: now, AdultAt: now, UnreadAt: noon(-1)},
		Since: resolve.Since{"bond": now, "name": noon(-2)},
	}, h)

	facts := resolve.BookingFacts{BookedAt: noon(7), Released: new(noon(8)), WholeAt: new(noon(5)), OutAt: new(noon(-1))}
	facts.Heal(to)
	require.Equal(t, resolve.BookingFacts{BookedAt: noon(7), Released: new(noon(8)), WholeAt: &now, OutAt: new(noon(-1))}, facts, "times of booking and release are a source's own")
	untimed := resolve.BookingFacts{Released: new(noon(8)), Untimed: true}
	untimed.Heal(to)
	require.Equal(t, resolve.BookingFacts{Released: &now, Untimed: true}, untimed, "a release without a time is dated by its row")
	nothing := resolve.BookingFacts{}
	nothing.Heal(to)
	require.Equal(t, resolve.BookingFacts{}, nothing)

	offender := resolve.OffenderFacts{Name: "MOONSAIL, ORLA", ReleaseDate: born(2030, 1, 1)}
	offender.Heal(to)
	require.Equal(t, born(2030, 1, 1), offender.ReleaseDate)
}

func TestSucceedBooking(t *testing.T) {
	t.Parallel()
	before := claimed(jail("a"), orla(0, bond(5)))
	for text, c := range map[string]struct {
		said  float64 // when the next key first stated its bond
		bond  int64
		since time.Time
	}{
		"the same value is only repeated": {3, 5, noon(0)},
		"another value is news from now":  {1, 9, noon(2)},
		"and no older than it is":         {3, 9, noon(3)},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			next := claimed(jail("a"), orla(c.said, bond(c.bond)))
			resolve.SucceedBooking(next, before, noon(2))
			require.Equal(t, c.since, next.Of("bond"))
			require.Equal(t, noon(0), next.Of("name"), "what both state alike is as old as the first")
		})
	}
}

// Of two keys that a merge joined, what one inherits from the other is noted beside its own, so that an unmerge can forget it.
func TestWhatIsInheritedAcrossAMergeStandsBesideTheClaimsOwn(t *testing.T) {
	t.Parallel()
	own := claimed(jail("a"), orla(0, bond(5)))
	merged := claimed(jail("a"), orla(1, bond(9)))
	merged.How, merged.HowAt = resolve.Merged, noon(2)
	resolve.SucceedBooking(merged, own, noon(3))
	require.Equal(t, []time.Time{noon(3), noon(0)}, []time.Time{merged.Of("bond"), merged.Of("name")})
	require.NotContains(t, merged.Since, "bond")

	t.Log("the next key of the merged one inherits both")
	next := claimed(jail("a"), orla(4, bond(9)))
	next.How, next.HowAt = resolve.Merged, noon(2)
	resolve.SucceedBooking(next, merged, noon(5))
	require.Equal(t, noon(3), next.Of("bond"))
	require.Equal(t, noon(1), next.Since["bond"])

	t.Log("what it claims anew takes the place of both")
	next.Claims("bond", noon(6))
	require.Equal(t, noon(6), next.Of("bond"))
	resolve.SucceedBooking(own, next, noon(7))
	require.Equal(t, noon(7), own.Of("bond"), "its own key leads again")
	require.NotContains(t, own.Since, "bond")
}
