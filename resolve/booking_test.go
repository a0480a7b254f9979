package resolve_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// noon is the instant of a snapshot, so many hours after noon of a day.
func noon(hours float64) time.Time {
	return time.Date(2026, 2, 1, 17, 0, 0, 0, time.UTC).Add(time.Duration(hours * float64(time.Hour)))
}

// jail is a source that lists everybody, with its complete snapshots.
func jail(id string, complete ...float64) *resolve.Policy {
	p := &resolve.Policy{ID: id, Lists: true, Releases: true, Confirmations: 1, CopiesAfter: 24 * time.Hour, Interval: time.Hour}
	for _, h := range complete {
		p.Complete = append(p.Complete, resolve.Complete{At: noon(h), Confirms: true})
		p.LastComplete = noon(h)
	}
	return p
}

// orla is a row of one booking as a source reports it at an hour.
func orla(hours float64, change ...func(*snapshot.RosterRow)) *snapshot.RosterRow {
	r := &snapshot.RosterRow{
		Key: "M1", CountyID: 1, Name: "MOONSAIL, ORLA", BookedAt: noon(-10), SeenAt: noon(hours), Fingerprint: []byte{1},
		Charges: []snapshot.Charge{{Description: "THEFT"}},
	}
	for _, f := range change {
		f(r)
	}
	return r
}

func bond(cents int64) func(*snapshot.RosterRow) {
	return func(r *snapshot.RosterRow) { r.BondCents = &cents }
}

func out(hours float64) func(*snapshot.RosterRow) {
	return func(r *snapshot.RosterRow) { at := noon(hours); r.ReleasedAt = &at }
}

// changes marks a row of a source that reports only what changed.
func changes(r *snapshot.RosterRow) { r.Changes = true }

// claimed folds rows into a claim, and counts the complete snapshots that lack it.
func claimed(p *resolve.Policy, rows ...*snapshot.RosterRow) *resolve.BookingClaim {
	c := resolve.NewBooking(p, "M1", 0)
	for _, r := range rows {
		resolve.TellBooking(c, r, resolve.All, nil)
	}
	c.Recount(c.SaidAt)
	return c
}

// stands is a booking in short: bond, how it is withheld, and whether and when it was released.
func stands(claims ...*resolve.BookingClaim) string {
	b := resolve.Booking(resolve.BookingInput{Claims: claims, Now: noon(100)})
	text := "-"
	if b.Bond != nil {
		text = strconv.FormatInt(*b.Bond, 10)
	}
	if b.Released != nil {
		text += " out " + strconv.FormatFloat(b.Released.Sub(noon(0)).Hours(), 'f', -1, 64)
		if b.Inferred {
			text += "~"
		}
	}
	if why := b.Visibility.Withheld(); why != "" {
		text += " " + string(why)
	}
	return text
}

func TestABondStandsByWhoClaimsItSinceTheLatest(t *testing.T) {
	t.Parallel()
	a, b := jail("a"), jail("b")
	for name, c := range map[string]struct {
		claims []*resolve.BookingClaim
		want   string
	}{
		"one source":                  {[]*resolve.BookingClaim{claimed(a, orla(0, bond(5)))}, "5"},
		"the newer of two":            {[]*resolve.BookingClaim{claimed(a, orla(0, bond(5))), claimed(b, orla(1, bond(9)))}, "9"},
		"what is repeated is no news": {[]*resolve.BookingClaim{claimed(a, orla(0, bond(5)), orla(2, bond(5))), claimed(b, orla(1, bond(9)))}, "9"},
		"what is corrected is":        {[]*resolve.BookingClaim{claimed(a, orla(0, bond(5)), orla(2, bond(6))), claimed(b, orla(1, bond(9)))}, "6"},
		"a source that reports none leaves another's alone": {[]*resolve.BookingClaim{claimed(a, orla(0, bond(5))), claimed(b, orla(1))}, "5"},
		"a bond that is withdrawn, while the other stands":  {[]*resolve.BookingClaim{claimed(a, orla(0, bond(5))), claimed(b, orla(1, bond(9)), orla(2))}, "5"},
		"a bond that both withdrew":                         {[]*resolve.BookingClaim{claimed(a, orla(0, bond(5)), orla(3)), claimed(b, orla(1, bond(9)), orla(2))}, "-"},
		"withdrawn, and the other lists the person no more": {[]*resolve.BookingClaim{claimed(jail("a", 1), orla(0, bond(5))), claimed(b, orla(1, bond(9)), orla(2))}, "-"},
		"a bond that cannot be read keeps the known":        {[]*resolve.BookingClaim{claimed(a, orla(0, bond(5)), orla(1, func(r *snapshot.RosterRow) { r.BondUnread = true }))}, "5"},
		"a late row": {[]*resolve.BookingClaim{claimed(a, orla(2, bond(5)), orla(1, bond(9)))}, "5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, stands(c.claims...))
			slices.Reverse(c.claims)
			require.Equal(t, c.want, stands(c.claims...), "in any order")
		})
	}
}

func TestReleasesStatedAndByAbsence(t *testing.T) {
	t.Parallel()
	windowed := jail("a", 24*9)
	windowed.WindowDays = 7
	twice := jail("a", 0, 1)
	twice.Confirmations = 2
	delta := &resolve.Policy{ID: "b"}
	for name, c := range map[string]struct {
		claims []*resolve.BookingClaim
		want   string
	}{
		"listed in the newest snapshot":                      {[]*resolve.BookingClaim{claimed(jail("a", 0, 1), orla(1))}, "-"},
		"gone from the newest":                               {[]*resolve.BookingClaim{claimed(jail("a", 0, 1, 2), orla(0))}, "- out 1~"},
		"gone from one of two that must lack the person":     {[]*resolve.BookingClaim{claimed(twice, orla(0))}, "-"},
		"gone by age from a list of seven days":              {[]*resolve.BookingClaim{claimed(windowed, orla(24*8))}, "-"},
		"another source lists the person":                    {[]*resolve.BookingClaim{claimed(jail("a", 0, 1), orla(0)), claimed(jail("b", 0, 1), orla(1))}, "-"},
		"another source listed the person, and is silent":    {[]*resolve.BookingClaim{claimed(jail("a", 0, 1, 5), orla(0)), claimed(jail("b", 2), orla(2))}, "- out 5~"},
		"gone from both: after anybody's last sight":         {[]*resolve.BookingClaim{claimed(jail("a", 0, 1, 3), orla(0)), claimed(jail("b", 1.5, 2.5), orla(1.5))}, "- out 2.5~"},
		"the last to see the person is a delta":              {[]*resolve.BookingClaim{claimed(jail("a", 0, 1, 2), orla(0)), claimed(delta, orla(1.5))}, "- out 2~"},
		"stated":                                             {[]*resolve.BookingClaim{claimed(jail("a", 0, 1), orla(0)), claimed(delta, orla(0.5, out(0.4)))}, "- out 0.4"},
		"stated, while a list has the person an hour longer": {[]*resolve.BookingClaim{claimed(jail("a", 0, 1, 2), orla(2)), claimed(delta, orla(0.5, out(0.4)))}, "- out 0.4"},
		"stated, and a list goes on":                         {[]*resolve.BookingClaim{claimed(jail("a", 0, 1, 3, 4), orla(4)), claimed(delta, orla(0.5, out(0.4)))}, "-"},
		"stated by a late row of a claim that has none":      {[]*resolve.BookingClaim{claimed(delta, orla(2), orla(1, out(0.4)))}, "-"},
		"disproved, and told again": {[]*resolve.BookingClaim{
			claimed(jail("a", 0, 1, 3, 4), orla(4)),
			claimed(delta, orla(0.5, out(0.4)), orla(5, out(0.4))),
		}, "-"},
		"taken back by its source":                       {[]*resolve.BookingClaim{claimed(jail("a", 0), orla(0)), claimed(delta, orla(0.5, out(0.4)), orla(0.6))}, "-"},
		"disproved, and gone from that list at last":     {[]*resolve.BookingClaim{claimed(jail("a", 0, 1, 3, 4, 8), orla(4)), claimed(delta, orla(0.5, out(0.4)))}, "- out 8~"},
		"a blank release of a delta, which says nothing": {[]*resolve.BookingClaim{claimed(delta, orla(1, out(0.9), changes), orla(2, changes))}, "- out 0.9"},
		"a delta that says that it holds the person": {[]*resolve.BookingClaim{
			claimed(delta, orla(1, out(0.9), changes), orla(2, changes, func(r *snapshot.RosterRow) { r.Held = true })),
		}, "-"},
		"a booking message after its release": {[]*resolve.BookingClaim{
			claimed(delta, &snapshot.RosterRow{Key: "M1", KeyOnly: true, SeenAt: noon(2), ReleasedAt: new(noon(1.5))}, orla(3, changes)),
		}, "- out 1.5"},
		"a release by key of a time before, refused": {[]*resolve.BookingClaim{
			claimed(delta, orla(1), &snapshot.RosterRow{Key: "M1", KeyOnly: true, SeenAt: noon(2), ReleasedAt: new(noon(-30))}),
		}, "-"},
		"a release that names a key and comes first": {[]*resolve.BookingClaim{
			claimed(delta, &snapshot.RosterRow{Key: "M1", KeyOnly: true, SeenAt: noon(2), ReleasedAt: new(noon(1.5))}, orla(1)),
		}, "- out 1.5"},
		"a release that comes first and is of a time before": {[]*resolve.BookingClaim{
			claimed(delta, &snapshot.RosterRow{Key: "M1", KeyOnly: true, SeenAt: noon(2), ReleasedAt: new(noon(-30))}, orla(1)),
		}, "-"},
		"a release by the day alone, on the day of booking": {[]*resolve.BookingClaim{
			claimed(delta, orla(1), &snapshot.RosterRow{Key: "M1", KeyOnly: true, SeenAt: noon(2), ReleasedAt: new(noon(-12))}),
		}, "- out -10"},
		"two claims of one source: one is listed": {[]*resolve.BookingClaim{claimed(jail("a", 0, 1), orla(0)), claimed(jail("a", 0, 1), orla(1))}, "-"},
		"a takeover knows of a release, and a source does not": {[]*resolve.BookingClaim{
			claimed(&resolve.Policy{ID: "old", Import: true}, orla(0)),
			claimed(jail("a", 1, 2), orla(1)),
		}, "- out 2~"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, stands(c.claims...))
			slices.Reverse(c.claims)
			require.Equal(t, c.want, stands(c.claims...), "in any order")
		})
	}
}

func TestAListThatShowsAPersonAsReleasedKeepsNobodyInJail(t *testing.T) {
	t.Parallel()
	a, b := jail("a"), jail("b")
	takesBack, lists := claimed(a, orla(1, out(0.9)), orla(2)), claimed(b, orla(1, out(0.9)), orla(12, out(0.9)))
	a.Complete, a.LastComplete = jail("a", 1, 2, 12).Complete, noon(12)
	b.Complete, b.LastComplete = a.Complete, noon(12)
	takesBack.Recount(takesBack.SaidAt)
	lists.Recount(lists.SaidAt)
	require.True(t, lists.Listed())
	require.Equal(t, "- out 12~", stands(takesBack, lists))
}

func TestTheReportedMinuteAndNameOfTwoSources(t *testing.T) {
	t.Parallel()
	at := func(hours float64) func(*snapshot.RosterRow) {
		return func(r *snapshot.RosterRow) { r.BookedAt = noon(hours) }
	}
	named := func(name string) func(*snapshot.RosterRow) { return func(r *snapshot.RosterRow) { r.Name = name } }
	a, b := jail("a"), jail("b")
	rekeyed := claimed(a, orla(2))
	rekeyed.Key, rekeyed.How = "N1", resolve.Rekeyed
	for name, c := range map[string]struct {
		claims []*resolve.BookingClaim
		who    string
		booked float64
	}{
		"the first source writes the name in its way": {[]*resolve.BookingClaim{claimed(a, orla(0)), claimed(b, orla(1, named("MOONSAIL, ORLA JEAN")))}, "MOONSAIL, ORLA", -10},
		"another name is a correction":                {[]*resolve.BookingClaim{claimed(a, orla(0)), claimed(b, orla(1, named("MOONSALE, ORLA")))}, "MOONSALE, ORLA", -10},
		"that its source goes on to tell otherwise":   {[]*resolve.BookingClaim{claimed(a, orla(0), orla(2)), claimed(b, orla(1, named("MOONSALE, ORLA")))}, "MOONSALE, ORLA", -10},
		"a minute apart":                              {[]*resolve.BookingClaim{claimed(a, orla(0)), claimed(b, orla(1, at(-10+1./60)))}, "MOONSAIL, ORLA", -10},
		"the first source corrects its key": {[]*resolve.BookingClaim{
			claimed(a, orla(0)),
			claimed(b, orla(1, at(-10+1./60), named("MOONSAIL, ORLA JEAN"))),
			rekeyed,
		}, "MOONSAIL, ORLA", -10},
		"an hour apart is a correction":             {[]*resolve.BookingClaim{claimed(a, orla(0)), claimed(b, orla(1, at(-9)))}, "MOONSAIL, ORLA", -9},
		"a day alone is worth less than the minute": {[]*resolve.BookingClaim{claimed(a, orla(0)), claimed(b, orla(1, at(-12)))}, "MOONSAIL, ORLA", -10},
		"whoever told of it first":                  {[]*resolve.BookingClaim{claimed(a, orla(0, at(-12))), claimed(b, orla(1))}, "MOONSAIL, ORLA", -10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := resolve.Booking(resolve.BookingInput{Claims: c.claims, Now: noon(3)})
			require.Equal(t, c.who, got.Name)
			require.True(t, noon(c.booked).Equal(got.BookedAt), got.BookedAt)
		})
	}
}

// TestBookingsAgreeWithTheModel folds random series of snapshots in random order, some twice and some
// incomplete, and compares what they resolve to with the model of what they must lead to.
func TestBookingsAgreeWithTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		confirmations := rapid.IntRange(1, 3).Draw(r, "confirmations")
		var series []property.Snapshot
		for i := range rapid.IntRange(1, 6).Draw(r, "snapshots") {
			s := property.Snapshot{At: noon(float64(i)), Complete: rapid.Bool().Draw(r, "complete"), Listed: map[string]string{}}
			for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"1", "2", "3"}), rapid.ID).Draw(r, "listed") {
				s.Listed[key] = strconv.Itoa(rapid.IntRange(1, 3).Draw(r, "bond"))
			}
			series = append(series, s)
		}
		claims := fold(r, series, confirmations)
		for key, want := range property.Model(series, confirmations) {
			c := claims[key]
			got := resolve.Booking(resolve.BookingInput{Claims: []*resolve.BookingClaim{c}, Now: noon(50)})
			require.Equal(r, want.Tells, strconv.FormatInt(*got.Bond, 10), key)
			require.Equal(r, want.LastSeen, c.SaidAt, key)
			require.Equal(r, want.Released == nil, got.Released == nil, key)
			if want.Released != nil {
				require.True(r, want.Released.Equal(*got.Released), key)
			}
		}
	})
}

// fold brings the rows of the snapshots into claims in some order, some of them twice.
func fold(r *rapid.T, series []property.Snapshot, confirmations int) map[string]*resolve.BookingClaim {
	p := &resolve.Policy{ID: "a", Lists: true, Releases: true, Confirmations: confirmations}
	order := make([]int, 0, 2*len(series))
	for i, s := range series {
		for range rapid.IntRange(1, 2).Draw(r, "times") {
			order = append(order, i)
		}
		if s.Complete {
			p.Complete = append(p.Complete, resolve.Complete{At: s.At, Confirms: true})
		}
	}
	claims := map[string]*resolve.BookingClaim{}
	for _, i := range rapid.Permutation(order).Draw(r, "order") {
		for _, key := range slices.Sorted(maps.Keys(series[i].Listed)) {
			if claims[key] == nil {
				claims[key] = resolve.NewBooking(p, key, 0)
			}
			cents, _ := strconv.ParseInt(series[i].Listed[key], 10, 64)
			resolve.TellBooking(claims[key], orla(series[i].At.Sub(noon(0)).Hours(), bond(cents)), resolve.All, nil)
		}
	}
	for _, c := range claims {
		c.Recount(c.SaidAt)
	}
	if n := len(p.Complete); n > 0 {
		p.LastComplete = p.Complete[n-1].At
	}
	return claims
}

// TestRowsInAnyOrderMakeOneClaim folds rows that speak of the age in two orders.
func TestRowsInAnyOrderMakeOneClaim(t *testing.T) {
	t.Parallel()
	ages := []func(*snapshot.RosterRow){
		func(*snapshot.RosterRow) {},
		func(r *snapshot.RosterRow) { r.Withheld, r.Sign = "juvenile", snapshot.SignFlag },
		func(r *snapshot.RosterRow) { r.Withheld, r.Sign = "juvenile", snapshot.SignMore },
		func(r *snapshot.RosterRow) { r.Sign = snapshot.SignNo },
		func(r *snapshot.RosterRow) { r.DOB, r.BirthYear = &models.Date{Year: 1980, Month: 5, Day: 5}, 1980 },
		func(r *snapshot.RosterRow) {
			r.Withheld, r.DOB, r.BirthYear = "juvenile", &models.Date{Year: 2012, Month: 5, Day: 5}, 2012
		},
	}
	rapid.Check(t, func(r *rapid.T) {
		var rows []*snapshot.RosterRow
		for i := range rapid.IntRange(1, 6).Draw(r, "rows") {
			rows = append(rows, orla(float64(i), bond(rapid.Int64Range(1, 3).Draw(r, "bond")), rapid.SampledFrom(ages).Draw(r, "age")))
		}
		one, other := claimed(jail("a"), rows...), claimed(jail("a"), rapid.Permutation(slices.Concat(rows, rows[:1])).Draw(r, "order")...)
		one.FirstAt, other.FirstAt, one.Since, other.Since = time.Time{}, time.Time{}, nil, nil // what is news goes by arrival
		require.Equal(r, one, other)
	})
}
