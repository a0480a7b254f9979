package outlook_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/match/outlook"
)

var now = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// booked is one booking of a test's world.
type booked struct {
	name, county, born string
	daysAgo            int
}

// sumOf looks at a world whose counties have been read for so many days.
func sumOf(w match.Watcher, read map[string]int, world []booked) outlook.Summary {
	o := outlook.New(w, now)
	for county, days := range read {
		world = append(world, booked{name: "ZELLWEGER, ORTRUD", county: county, daysAgo: days})
	}
	for _, b := range world {
		o.See(&outlook.Booking{
			Booking: match.Booking{Name: match.Parse(b.name), County: b.county, Born: match.ParseBirth(b.born)},
			Written: b.name, BookedAt: now.AddDate(0, 0, -b.daysAgo), FirstSeen: now.AddDate(0, 0, -min(b.daysAgo, read[b.county])),
		})
	}
	return o.Sum(0)
}

func TestNamesakesAndVariantsAreCountedApart(t *testing.T) {
	t.Parallel()
	same := []string{"MARLOWE, STEPHEN", "STEPHEN MARLOWE", "MARLOWE, STEPHEN ALLEN", "MARLOWE, STEPHEN JR", "Márlowe, Stephen"}
	varied := []string{"MARLOWE, STEVEN", "MARLOWE, STEVE", "MARLOWE, STEPHAN", "MARLOWE, ALLEN STEPHEN"}
	var world []booked
	for _, name := range append(append([]string{"MARLOWE, ARTHUR", "HARRIS, STEPHEN", "MARTIN, STEPHEN"}, same...), varied...) {
		world = append(world, booked{name: name, county: "fulton", daysAgo: 10})
	}
	s := sumOf(match.Watcher{ID: "w", Name: "Stephen Marlowe"}, map[string]int{"fulton": 365}, world)
	require.Equal(t, len(same), s.Same)
	require.Equal(t, len(varied), s.Varied)
	require.Equal(t, len(same)+len(varied), s.Bookings())
}

func TestAWholeYearIsCountedAndLessIsEstimatedUnderItsName(t *testing.T) {
	t.Parallel()
	at := func(county string, days ...int) (list []booked) {
		for _, d := range days {
			list = append(list, booked{name: "MARLOWE, TESS", county: county, daysAgo: d})
		}
		return list
	}
	for name, c := range map[string]struct {
		read        map[string]int
		world       []booked
		all         int
		days, later int
		yearly      *int
	}{
		"a year of one county":                       {map[string]int{"fulton": 400}, at("fulton", 1, 200, 364), 3, 365, 0, nil},
		"73 days are a fifth of a year":              {map[string]int{"fulton": 73}, at("fulton", 1, 70), 2, 73, 0, new(10)},
		"those from before are counted, no more":     {map[string]int{"fulton": 73}, at("fulton", 1, 70, 90, 300), 4, 73, 0, new(10)},
		"a month is too little":                      {map[string]int{"fulton": 29}, at("fulton", 1, 20), 2, 29, 0, nil},
		"a county that came later":                   {map[string]int{"fulton": 400, "dade": 73}, append(at("fulton", 9, 99), at("dade", 3)...), 3, 365, 1, new(7)},
		"a county that came yesterday weighs little": {map[string]int{"fulton": 400, "dade": 1}, append(at("fulton", 9), at("dade", 0)...), 2, 365, 1, new(13)},
		"nothing is known of nothing":                {nil, nil, 0, 0, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sumOf(match.Watcher{ID: "w", Name: "Tess Marlowe"}, c.read, c.world)
			require.Equal(t, []any{c.all, c.days, c.later, c.yearly}, []any{s.Bookings(), s.Days, s.Later, s.Yearly})
		})
	}
}

func TestBookingsThatWereNotReadShortenTheDays(t *testing.T) {
	t.Parallel()
	o := outlook.New(match.Watcher{ID: "w", Name: "Tess Marlowe"}, now)
	for d := range 100 {
		o.See(&outlook.Booking{Booking: match.Booking{Name: match.Parse("MARLOWE, TESS"), County: "fulton"}, BookedAt: now.AddDate(0, 0, -d), FirstSeen: now.AddDate(-2, 0, 0)})
	}
	s := o.Sum(100 * 24 * time.Hour)
	require.Equal(t, 100, s.Days)
	require.Equal(t, new(365), s.Yearly)
}

// smiths are 40 people of one name: 30 in Fulton and 10 in Dade. Every second birth is known, of the years 1980 to 1989.
// Every fourth has a middle name, of which half are Allen.
func smiths() (world []booked) {
	for i := range 40 {
		b := booked{name: "SMITH, JAMES", county: "fulton", daysAgo: i}
		if i%4 == 0 {
			b.county = "dade"
			b.name += map[bool]string{true: " ALLEN", false: " THOMAS"}[i%8 == 0]
		}
		if i%2 == 1 {
			b.born = fmt.Sprintf("%d-03-%02d", 1980+i/2%10, 1+i/2)
		}
		world = append(world, b)
	}
	return world
}

func TestNarrowingsLeaveWhatANarrowerWatcherFinds(t *testing.T) {
	t.Parallel()
	read := map[string]int{"fulton": 400, "dade": 400}
	w := match.Watcher{ID: "w", Name: "James Smith"}
	s := sumOf(w, read, smiths())
	require.Equal(t, 40, s.Same)
	left := map[outlook.By]int{}
	for i, n := range s.Narrowings {
		left[n.By] = n.Leaves
		require.True(t, i == 0 || s.Narrowings[i-1].Leaves <= n.Leaves, "the most helpful first")
		if n.By == outlook.ByCounty {
			require.Equal(t, "fulton", n.County)
		}
	}
	most := func(narrow func(*match.Watcher, string), values ...string) (most int) {
		for _, v := range values {
			narrower := w
			narrow(&narrower, v)
			got := sumOf(narrower, read, smiths())
			most = max(most, got.Bookings())
		}
		return most
	}
	born := func(w *match.Watcher, v string) { w.Born = match.ParseBirth(v) }
	require.Equal(t, most(func(w *match.Watcher, v string) { w.County = v }, "fulton", "dade"), left[outlook.ByCounty])
	require.Equal(t, most(born, "1980", "1981", "1982", "1983", "1984", "1985", "1986", "1987", "1988", "1989"), left[outlook.ByYear])
	require.Equal(t, most(func(w *match.Watcher, v string) { w.Name = v }, "James Allen Smith", "James Thomas Smith"), left[outlook.ByMiddle])
	require.Equal(t, 30, left[outlook.ByCounty])
	require.Equal(t, 26, left[outlook.ByYear], "twenty without a birth, two of the year, and two each of the years beside it")
	require.Equal(t, 35, left[outlook.ByMiddle], "thirty without a middle name, and five Allens")
	require.LessOrEqual(t, left[outlook.ByDate], left[outlook.ByYear])
}

func TestWhatAWatcherHasDoesNotNarrowIt(t *testing.T) {
	t.Parallel()
	read := map[string]int{"fulton": 400, "dade": 400}
	s := sumOf(match.Watcher{ID: "w", Name: "James Smith", County: "fulton", Born: match.ParseBirth("1983-03-08")}, read, smiths())
	for _, n := range s.Narrowings {
		require.Equal(t, outlook.ByMiddle, n.By)
	}
	s = sumOf(match.Watcher{ID: "w", Name: "Nobody Known"}, read, smiths())
	require.Empty(t, s.Narrowings)
}
