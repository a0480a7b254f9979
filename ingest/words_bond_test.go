package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

func TestABondIsGoneWhenNobodyTellsItAnyMore(t *testing.T) {
	t.Parallel()
	type word struct{ feed, bond string }
	for name, c := range map[string]struct {
		told []word
		bond string // what stands before the last word
		last word
		want string // what stands after it, none: 0
		news string
	}{
		"the only one who told it, of a booking of another": {[]word{{"a", ""}, {"b", "500.00"}}, "500", word{"b", ""}, "0", "bond_change 0"},
		"the first, while the second tells it":              {[]word{{"a", "500.00"}, {"b", "500.00"}}, "500", word{"a", ""}, "500", ""},
		"the second, while the first tells it":              {[]word{{"a", "500.00"}, {"b", "500.00"}}, "500", word{"b", ""}, "500", ""},
		"who was overruled":                                 {[]word{{"a", "500.00"}, {"b", "700.00"}}, "700", word{"a", ""}, "700", ""},
		"whose word stood over another's":                   {[]word{{"a", "500.00"}, {"b", "700.00"}}, "700", word{"b", ""}, "500", "bond_change 0 500"},
		"both":                                              {[]word{{"a", "500.00"}, {"b", "500.00"}, {"a", ""}}, "500", word{"b", ""}, "0", "bond_change 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newCounty(t)
			first, second := accusedSource(t, "county-a"), accusedSource(t, "county-b")
			hours := 0
			tell := func(w word) {
				s, key := first, "M1"
				if w.feed == "b" {
					s, key = second, "X9"
				}
				hours++
				r := f.load(s, accused(key+`,"MOONSAIL, ORLA",2026-02-01 01:30,$`+w.bond+`,THEFT,N`), day.Add(time.Duration(hours)*time.Hour))
				require.Equal(t, source.RunOK, r.State, r.String())
			}
			stands := func() string {
				return one[string](f.bundle, `select coalesce(bond_cents / 100, 0)::text from bookings where name = 'MOONSAIL, ORLA'`)
			}
			for _, w := range c.told {
				tell(w)
			}
			require.Equal(t, c.bond, stands())
			f.events()
			tell(c.last)
			require.Equal(t, c.want, stands())
			require.Equal(t, c.news, f.events())
			for range 2 { // and so it stays
				tell(c.last)
				require.Equal(t, c.want, stands())
			}
			require.Empty(t, f.events())
		})
	}
}
