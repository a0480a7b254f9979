package resolve_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

type facts struct{ Name string }

func claim(key string, said int, edit ...func(*resolve.Claim[facts])) *resolve.Claim[facts] {
	c := &resolve.Claim[facts]{Head: resolve.Head{Source: &resolve.Policy{ID: "a", Lists: true}, Key: key, How: resolve.Own, FirstAt: at(0), SaidAt: at(said), Present: true}, Facts: facts{key}}
	for _, e := range edit {
		e(c)
	}
	return c
}

func TestLeads(t *testing.T) {
	t.Parallel()
	merged := func(hours int) func(*resolve.Claim[facts]) {
		return func(c *resolve.Claim[facts]) { c.How, c.HowAt = resolve.Merged, at(hours) }
	}
	missing := func(c *resolve.Claim[facts]) { c.Misses = 1 }
	for name, c := range map[string]struct {
		claims []*resolve.Claim[facts]
		want   string
	}{
		"the own key while it is listed":              {[]*resolve.Claim[facts]{claim("own", 1), claim("other", 5, merged(2))}, "own"},
		"a merged key when the own one is missing":    {[]*resolve.Claim[facts]{claim("own", 9, missing), claim("other", 5, merged(2))}, "other"},
		"of merged keys the one merged last":          {[]*resolve.Claim[facts]{claim("own", 9, missing), claim("first", 8, merged(2)), claim("last", 5, merged(3))}, "last"},
		"the own key when none is listed":             {[]*resolve.Claim[facts]{claim("own", 1, missing), claim("other", 5, merged(2), missing)}, "own"},
		"of two keys of one source the newer":         {[]*resolve.Claim[facts]{claim("old", 1), claim("new", 5)}, "new"},
		"of two keys of one instant always the same":  {[]*resolve.Claim[facts]{claim("b", 1), claim("a", 1)}, "a"},
		"of two earlier stays the one of the present": {[]*resolve.Claim[facts]{claim("k", 1, func(c *resolve.Claim[facts]) { c.Stay = 1 }), claim("k", 1)}, "k"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			leads := resolve.Leads(c.claims)
			require.Len(t, leads, 1)
			require.Equal(t, c.want, leads[0].Key)
			require.Zero(t, leads[0].Stay)
		})
	}
}

func TestPickTakesTheValueThatIsClaimedSinceTheLatest(t *testing.T) {
	t.Parallel()
	name := func(f *facts) (string, bool) { return f.Name, f.Name != "" }
	of := func(source, value string, since int, edit ...func(*resolve.Claim[facts])) *resolve.Claim[facts] {
		c := claim(value, 9, edit...)
		c.Source = &resolve.Policy{ID: source}
		c.Claims("name", at(since))
		return c
	}
	imported := of("import", "imported", 8)
	imported.Source = &resolve.Policy{ID: "import", Import: true}
	silent := of("c", "", 9)
	v, by := resolve.Pick([]*resolve.Claim[facts]{imported, of("a", "older", 3), of("b", "newer", 5), silent}, "name", name)
	require.Equal(t, []string{"newer", "b"}, []string{v, by.Source.ID})
	v, _ = resolve.Pick([]*resolve.Claim[facts]{imported, silent}, "name", name)
	require.Equal(t, "imported", v)
	_, by = resolve.Pick([]*resolve.Claim[facts]{silent}, "name", name)
	require.Nil(t, by)
}

func TestSince(t *testing.T) {
	t.Parallel()
	now := claim("new", 5)
	now.FirstAt = at(5)
	require.Equal(t, at(5), now.Of("name"), "what nobody noted is claimed from the first row on")
	now.Claims("name", at(7))
	require.Equal(t, at(7), now.Of("name"))
	now.Source = &resolve.Policy{ID: "import", Import: true}
	require.Zero(t, now.Of("name"), "a takeover has known it for ever")
}

func TestLastSeen(t *testing.T) {
	t.Parallel()
	c := claim("k", 1)
	c.Source.LastComplete = at(4)
	require.Equal(t, at(4), c.LastSeen(), "an unchanged row is not written")
	c.Misses = 1
	require.Equal(t, at(1), c.LastSeen())
	require.Equal(t, time.UTC, c.LastSeen().Location())
}

func TestWhatAMergeBringsChangesNoFactOfTheBookingThatStays(t *testing.T) {
	t.Parallel()
	a, b := jail("a", 5), jail("b", 5)
	told := func(p *resolve.Policy, hours float64, year, cents int) *resolve.BookingClaim {
		return claimed(p, orla(hours, bond(int64(cents)), func(r *snapshot.RosterRow) {
			r.DOB, r.BirthYear = &models.Date{Year: year, Month: 5, Day: 5}, int16(year)
			r.BookedAt = r.BookedAt.Add(time.Duration(year) * time.Hour)
		}))
	}
	for name, other := range map[string]*resolve.Policy{"of its source": a, "of another source": b} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own, gone := told(a, 5, 1986, 5), told(other, 5, 1975, 9)
			own.FirstAt, gone.Key, gone.How, gone.HowAt = noon(0), "M2", resolve.Merged, noon(6)
			got := resolve.Booking(resolve.BookingInput{Claims: []*resolve.BookingClaim{gone, own}, Now: noon(6)})
			require.Equal(t, "1986 5 a", fmt.Sprint(got.DOB.Year, *got.Bond, " ", got.Source))
			require.Equal(t, own.Facts.BookedAt, got.BookedAt)
			require.Equal(t, 1986, resolve.Births([]*resolve.BookingClaim{gone, own}).DOB.Year)
			if other != a {
				resolve.TellBooking(gone, orla(7, bond(8), func(r *snapshot.RosterRow) { r.BookedAt = own.Facts.BookedAt }), resolve.All, nil)
				require.Equal(t, "8", stands(own, gone), "what it says anew counts")
			}
		})
	}
}
