package resolve_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

func TestARewriteReplacesOrEndsWhatWasKnown(t *testing.T) {
	t.Parallel()
	born := func(year int) func(*snapshot.RosterRow) {
		return func(r *snapshot.RosterRow) {
			r.DOB, r.BirthYear = &models.Date{Year: year, Month: 5, Day: 5}, int16(year)
		}
	}
	type change = func(*snapshot.RosterRow)
	charged := func(texts ...string) change {
		return func(r *snapshot.RosterRow) {
			r.Charges = nil
			for _, s := range texts {
				r.Charges = append(r.Charges, snapshot.Charge{Description: s})
			}
		}
	}
	named := func(name string) change { return func(r *snapshot.RosterRow) { r.Name = name } }
	unread := func(r *snapshot.RosterRow) { r.BondUnread = true }
	of := func(all ...change) []change { return all }
	cases := []struct {
		name          string
		before, after []change
		lists         bool
		want          []string
	}{
		{"a row that repeats what is known", of(bond(500), born(1980)), of(bond(500), born(1980)), true, nil},
		{"a row that names only its key", of(bond(500)), of(func(r *snapshot.RosterRow) { r.KeyOnly, r.Name = true, "" }), true, nil},
		{"another minute of booking", nil, of(func(r *snapshot.RosterRow) { r.BookedAt = r.BookedAt.Add(time.Minute) }), true, []string{resolve.RewriteBooked}},
		{"the minute of a day that was known alone is news", of(func(r *snapshot.RosterRow) { r.BookedAt = noon(-12) }), of(func(r *snapshot.RosterRow) { r.BookedAt = noon(-5) }), true, nil},
		{"a day alone for a minute", of(func(r *snapshot.RosterRow) { r.BookedAt = noon(-5) }), of(func(r *snapshot.RosterRow) { r.BookedAt = noon(-12) }), true, []string{resolve.RewriteBooked}},
		{"another birth", of(born(1980)), of(born(1981)), true, []string{resolve.RewriteBirth}},
		{"a birth that was not known is news", nil, of(born(1980)), true, nil},
		{"a birth that is told no more stays known", of(born(1980)), nil, true, nil},
		{"another name", nil, of(named("MOONSAIL, ORLANDO")), true, []string{resolve.RewriteName}},
		{"a name in other letters", nil, of(named("Moonsail, Orla")), true, nil},
		{"other charges in a list of everybody", nil, of(charged("DUI")), true, []string{resolve.RewriteCharges}},
		{"other charges in a file of changes", nil, of(charged("DUI")), false, nil},
		{"no charges any more of somebody who stays", nil, of(charged()), false, []string{resolve.RewriteCharges}},
		{"no charges any more of somebody who leaves", nil, of(charged(), out(1)), false, nil},
		{"first charges are news", of(charged()), of(charged("DUI")), true, nil},
		{"another bond in a list of everybody", of(bond(500)), of(bond(600)), true, []string{resolve.RewriteBond}},
		{"another bond in a file of changes", of(bond(500)), of(bond(600)), false, nil},
		{"no bond any more of somebody who stays", of(bond(500)), nil, false, []string{resolve.RewriteBond}},
		{"a bond that cannot be read keeps the known one", of(bond(500)), of(unread), true, nil},
		{"a first bond is news", nil, of(bond(600)), true, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			known := claimed(jail("a"), orla(0, c.before...))
			require.Equal(t, c.want, resolve.Rewrites(&known.Facts, orla(1, c.after...), c.lists))
		})
	}
	require.Empty(t, resolve.Rewrites(&resolve.BookingFacts{}, orla(1, bond(5)), true), "of a booking that is not known yet all is news")
}

func TestABondBecomesAnother(t *testing.T) {
	t.Parallel()
	type change = func(*snapshot.RosterRow)
	for name, c := range map[string]struct {
		before, after []change
		text          string
		changed       bool
	}{
		"another amount":                      {[]change{bond(500)}, []change{bond(600)}, "600", true},
		"the same amount":                     {[]change{bond(500)}, []change{bond(500)}, "500", false},
		"none any more":                       {[]change{bond(500)}, nil, "", true},
		"none any more of somebody who left":  {[]change{bond(500)}, []change{out(1)}, "", false},
		"a first one":                         {nil, []change{bond(500)}, "", false},
		"one that cannot be read":             {[]change{bond(500)}, []change{func(r *snapshot.RosterRow) { r.BondUnread = true }}, "", false},
		"another amount of somebody who left": {[]change{bond(500)}, []change{bond(600), out(1)}, "600", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := claimed(jail("a"), orla(0, c.before...))
			text, changed := resolve.Becomes(&known.Facts, orla(1, c.after...))
			require.Equal(t, []any{c.text, c.changed}, []any{text, changed})
		})
	}
}

// A row that is told twice changes nothing, whatever it says and whatever was known.
func FuzzARowOfABookingToldTwiceChangesNothing(f *testing.F) {
	f.Add("MOONSAIL, ORLA", "THEFT", int64(500), int16(1980), "", 1.0, uint8(0))
	f.Add("", "", int64(-1), int16(2012), "juvenile", -3.0, uint8(7))
	f.Fuzz(func(t *testing.T, name, charge string, cents int64, year int16, withheld string, hours float64, flags uint8) {
		if hours < -1000 || hours > 1000 || hours != hours {
			t.Skip("no instant of a jail")
		}
		row := orla(hours, bond(cents), func(r *snapshot.RosterRow) {
			r.Name, r.BirthYear, r.KeyOnly, r.BondUnread = name, year, flags&1 != 0, flags&2 != 0
			r.Charges = []snapshot.Charge{{Description: charge}}
			if flags&4 != 0 {
				out(hours)(r)
			}
			if withheld == "juvenile" || withheld == "maybe juvenile" {
				r.Withheld = models.WithheldReason(withheld)
			}
		})
		c := claimed(jail("a"), orla(0, bond(700)))
		resolve.TellBooking(c, row, resolve.All, nil)
		once, err := json.Marshal(c)
		require.NoError(t, err)
		resolve.TellBooking(c, row, resolve.All, nil)
		twice, err := json.Marshal(c)
		require.NoError(t, err)
		require.JSONEq(t, string(once), string(twice))
	})
}
