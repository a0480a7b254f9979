package simulator

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSameSeedSameWorld(t *testing.T) {
	t.Parallel()
	one, two, other := setup(t, Options{Seed: 7}), setup(t, Options{Seed: 7}), setup(t, Options{Seed: 8})
	one.clock.forward(30 * time.Minute)
	for range 30 { // asked often or once, the world is the same
		two.clock.forward(time.Minute)
		two.Step()
	}
	other.clock.forward(30 * time.Minute)
	for _, roster := range DefaultRosters() {
		require.Equal(t, one.InCustody(roster.County), two.InCustody(roster.County))
		require.NotEqual(t, one.InCustody(roster.County), other.InCustody(roster.County))
	}
	require.Equal(t, one.Cases(), two.Cases())
	require.Equal(t, one.Offenders(), two.Offenders())
	require.Equal(t, one.Activity(), two.Activity())
}

func TestNobodyIsInTwoPlaces(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 3, People: 900, Pace: time.Second})
	for range 30 {
		b.clock.forward(time.Minute)
		where, stays := map[int]string{}, map[int][]Booking{}
		for _, roster := range DefaultRosters() {
			for _, booking := range b.Departed(roster.County) {
				require.False(t, booking.Released.Before(booking.Booked))
				stays[booking.Person] = append(stays[booking.Person], booking)
			}
			for _, booking := range b.InCustody(roster.County) {
				require.True(t, booking.InCustody())
				stays[booking.Person] = append(stays[booking.Person], booking)
				require.Empty(t, where[booking.Person], "person %d is in %s too", booking.Person, roster.County)
				where[booking.Person] = roster.County
			}
		}
		for _, several := range stays {
			slices.SortFunc(several, func(a, b Booking) int { return a.Booked.Compare(b.Booked) })
			for i, booking := range several[1:] {
				require.False(t, booking.Booked.Before(several[i].Released), "one stay ends before the next begins")
			}
		}
		gdc := map[string]bool{}
		for _, o := range b.Offenders() {
			require.False(t, gdc[o.GDC])
			gdc[o.GDC] = true
			require.NotEmpty(t, o.Sentences)
			for _, s := range o.Sentences {
				require.GreaterOrEqual(t, ageAt(o.Birth, s.Sentenced), 17)
			}
			if o.Location == Incarcerated {
				require.Empty(t, where[o.Person], "person %d is in prison too", o.Person)
				where[o.Person] = "prison"
			}
		}
	}
}

func TestBookingsReleasesAndBondChangesKeepHappening(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 1, Pace: 2 * time.Second})
	held := b.world.size
	b.clock.forward(20 * time.Minute)
	require.InDelta(t, 600, b.Step(), 2)
	count := map[ActivityKind]int{}
	for _, a := range b.Activity() {
		count[a.Kind]++
		require.False(t, a.At.Before(founded))
		require.False(t, a.At.After(b.clock.now()))
	}
	for _, kind := range []ActivityKind{Booked, Released, BondChanged} {
		require.Greater(t, count[kind], 40, kind)
	}
	b.clock.forward(24 * time.Hour)
	after := 0
	for _, roster := range DefaultRosters() {
		after += len(b.InCustody(roster.County))
		require.NotEmpty(t, b.InCustody(roster.County))
	}
	require.InEpsilon(t, held, after, 0.1, "the jails neither fill nor empty")
}

func TestChangesAreWhatTheySay(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 5, Pace: time.Second})
	before := custody(b)
	for range 600 {
		seen := len(b.Activity())
		b.clock.forward(time.Second)
		after := custody(b)
		for _, a := range b.Activity()[min(seen, len(b.Activity())):] {
			key := a.County + "/" + a.Number
			was, listed := before[key]
			is, lists := after[key]
			switch a.Kind {
			case Booked:
				require.False(t, listed)
				require.True(t, lists)
			case Released:
				require.False(t, lists)
			case BondChanged:
				if listed && lists {
					wasCents, wasSet := was.Bond()
					isCents, isSet := is.Bond()
					require.False(t, wasCents == isCents && wasSet == isSet, "the total of %s changes", key)
				}
			}
		}
		before = after
	}
}

func custody(b bundle) map[string]Booking {
	all := map[string]Booking{}
	for _, roster := range b.options.Rosters {
		for _, booking := range b.InCustody(roster.County) {
			all[booking.County+"/"+booking.Number] = booking
		}
	}
	return all
}

func TestWhatIsForeseenHappens(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 9, People: 1000})
	b.clock.forward(10 * time.Minute)
	seen := len(b.Activity())
	foreseen := slices.Collect(b.Foresee(5 * time.Minute))
	require.NotEmpty(t, foreseen)
	require.Len(t, b.Activity(), seen, "to foresee changes nothing")
	b.clock.forward(5 * time.Minute)
	require.Equal(t, foreseen, b.Activity()[seen:])
}

func TestLinksAreThere(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 1})
	links := b.Links()
	require.Greater(t, len(links), 200)
	for _, link := range links {
		require.Equal(t, link.Offender.Birth, link.Booking.Birth)
		require.Equal(t, link.Offender.Name.Last, link.Booking.Name.Last)
	}
	cases := map[string]Case{}
	for _, c := range b.Cases() {
		key := c.County + c.Court + c.Number
		_, twice := cases[key]
		require.False(t, twice, "a case number is unique within county and court")
		cases[key] = c
	}
	bookings := custody(b)
	corrections := 0
	for _, link := range b.CaseLinks() {
		c, booking := cases[link.County+link.Court+link.CaseNumber], bookings[link.County+"/"+link.Booking]
		require.Equal(t, booking.Person, c.Person)
		require.Equal(t, booking.Name.Last, c.Name.Last)
		require.Equal(t, booking.Charges[0].Description, c.Charges[0].Description)
		if link.GDC != "" {
			corrections++
		}
	}
	require.Greater(t, len(b.CaseLinks()), 300)
	require.Greater(t, corrections, 50)
	require.Greater(t, len(cases), 1500)
	require.Greater(t, len(b.Offenders()), 1500)
}

func TestOptionsThatAreWrongAreNamed(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return founded }
	for name, test := range map[string]struct {
		options Options
		says    string
	}{
		"without a clock":             {Options{}, "a clock is needed"},
		"too few people":              {Options{Now: now, People: 3}, "3 people"},
		"a pace that burns the clock": {Options{Now: now, Pace: time.Millisecond}, "pace of 1ms"},
		"an unknown vendor":           {Options{Now: now, Rosters: []Roster{{"hall", "carrier-pigeon"}}}, `"carrier-pigeon"`},
		"a county that is no slug":    {Options{Now: now, Rosters: []Roster{{"Ben Hill", ShapeEagle}}}, `"Ben Hill"`},
		"two jails in a county":       {Options{Now: now, Rosters: []Roster{{"hall", ShapeEagle}, {"hall", ShapeDocket}}}, "two jails"},
		"chaos in an unknown feed":    {Options{Now: now, Chaos: Chaos{"eagle/nowhere": {Late}}}, `"eagle/nowhere"`},
		"an unknown fault":            {Options{Now: now, Chaos: Chaos{"eagle/laurens": {"gremlins"}}}, `"gremlins"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := New(test.options)
			require.ErrorContains(t, err, test.says)
		})
	}
}
