package resolve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

func TestContest(t *testing.T) {
	t.Parallel()
	open := resolve.BookingRecord{Name: "MOONSAIL, ORLA", DOB: born(1990, 4, 2)}
	over := open
	over.Released = new(noon(-1))
	birth := func(r *snapshot.RosterRow) { r.DOB = born(1975, 9, 30) }
	juvenile := func(r *snapshot.RosterRow) { r.DOB, r.Withheld = born(2010, 9, 30), "juvenile" }
	named := func(name string) func(*snapshot.RosterRow) {
		return func(r *snapshot.RosterRow) { r.Name = name }
	}
	keyOnly := func(r *snapshot.RosterRow) { r.KeyOnly, r.Name = true, "" }
	for text, c := range map[string]struct {
		known *resolve.BookingRecord
		row   *snapshot.RosterRow
		want  resolve.Contested
	}{
		"the same person":                            {&open, orla(0), resolve.Agrees},
		"a corrected name":                           {&open, orla(0, named("MOONSALE, ORLA")), resolve.Agrees},
		"a corrected day of birth":                   {&open, orla(0, func(r *snapshot.RosterRow) { r.DOB = born(1990, 4, 3) }), resolve.Agrees},
		"a release that names only a key":            {&open, orla(0, keyOnly), resolve.Agrees},
		"the name with another birth":                {&open, orla(0, birth), resolve.OtherBirth},
		"the same of a booking that is over":         {&over, orla(0, birth), resolve.Stranger},
		"a juvenile of that name, though it is over": {&over, orla(0, juvenile), resolve.OtherBirth},
		"another name":                               {&open, orla(0, named("STORMCROW, IDA")), resolve.Stranger},
		"a juvenile of another name":                 {&open, orla(0, juvenile, named("STORMCROW, IDA")), resolve.Stranger},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.Contest(c.known, c.row))
		})
	}
}

func TestOfEarlier(t *testing.T) {
	t.Parallel()
	now := &resolve.BookingRecord{Name: "MOONSAIL, ORLA", BookedAt: noon(0)}
	earlier := func(edit func(*resolve.BookingRecord)) []resolve.BookingRecord {
		b := resolve.BookingRecord{Name: "MOONSAIL, ORLA", BookedAt: noon(-10), Released: new(noon(-5))}
		edit(&b)
		return []resolve.BookingRecord{b}
	}
	same := earlier(func(*resolve.BookingRecord) {})
	for text, c := range map[string]struct {
		earlier []resolve.BookingRecord
		row     *snapshot.RosterRow
		want    bool
	}{
		"the earlier booking again":                   {same, orla(1, out(-5)), true},
		"its release at another time before this one": {same, orla(1, out(-4)), true},
		"a row without a release":                     {same, orla(1), false},
		"a release after this one began":              {same, orla(1, out(1)), false},
		"another time of booking":                     {same, orla(1, out(-5), func(r *snapshot.RosterRow) { r.BookedAt = noon(-9) }), false},
		"another name":                                {same, orla(1, out(-5), func(r *snapshot.RosterRow) { r.Name = "STORMCROW, IDA" }), false},
		"no earlier booking":                          {nil, orla(1, out(-5)), false},
		"one that is not released":                    {earlier(func(b *resolve.BookingRecord) { b.Released = nil }), orla(1, out(-5)), false},
		"one that is released by absence":             {earlier(func(b *resolve.BookingRecord) { b.After = new(noon(-6)) }), orla(1, out(-5)), false},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.OfEarlier(now, c.earlier, c.row))
		})
	}
}

func TestByChance(t *testing.T) {
	t.Parallel()
	aged := func(age int16) func(*snapshot.RosterRow) { return func(r *snapshot.RosterRow) { r.Age = age } }
	yeared := func(year int16) func(*snapshot.RosterRow) {
		return func(r *snapshot.RosterRow) { r.BirthYear = year }
	}
	charged := func(names ...string) func(*snapshot.RosterRow) {
		return func(r *snapshot.RosterRow) {
			r.Charges = nil
			for _, n := range names {
				r.Charges = append(r.Charges, snapshot.Charge{Description: n})
			}
		}
	}
	for text, c := range map[string]struct {
		row, anchor *snapshot.RosterRow
		want        bool
	}{
		"the same row twice":               {orla(0), orla(0), false},
		"ages a year apart":                {orla(0, aged(30)), orla(0, aged(31)), false},
		"ages further apart":               {orla(0, aged(30)), orla(0, aged(45)), true},
		"an age and none":                  {orla(0, aged(30)), orla(0), false},
		"other years of birth":             {orla(0, yeared(1990)), orla(0, yeared(1991)), true},
		"other charges":                    {orla(0, charged("DUI")), orla(0), true},
		"the same charges, in another row": {orla(0, charged("DUI", "THEFT")), orla(0, charged("THEFT", "DUI", "DUI")), false},
		"charges and none":                 {orla(0, charged()), orla(0), false},
		"other bonds":                      {orla(0, bond(5)), orla(0, bond(9)), true},
		"a bond and none":                  {orla(0, bond(5)), orla(0), false},
		"other charges and one release":    {orla(0, charged("DUI"), out(-1)), orla(0), false},
		"ages apart and one release":       {orla(0, aged(30), out(-1)), orla(0, aged(45)), true},
		"another instant":                  {orla(0, aged(30)), orla(1, aged(45)), false},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.ByChance(c.row, c.anchor))
			require.Equal(t, c.want, resolve.ByChance(c.anchor, c.row), "whichever stands first")
		})
	}
}
