package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

func TestABondThatCanNotBeReadFiresNothingAndKeepsWhatIsKnown(t *testing.T) {
	t.Parallel()
	for _, garbled := range []string{"$5OO.OO", "########", "5OO.OO", "$1.5.0", "1500 USD", "CASH 7500", "forty dollars", "$500 - $2500", "2 @ $500", "10% OF $500", "HOLD $500 / $700"} {
		t.Run(garbled, func(t *testing.T) {
			t.Parallel()
			c := newCounty(t)
			c.runSource(c.source, "a.csv", file("0:500 1:900"), day)
			c.events()
			since := int64(0)
			c.history(&since)

			text := strings.Replace(file("0:500 1:900 2:300"), "$500.00", garbled, 1)
			text = strings.Replace(text, "$300.00", garbled, 1) // and of somebody new
			r := c.runSource(c.source, "b.csv", text, day.AddDate(0, 0, 1))
			require.Equal(t, []any{source.RunOK, true, 1, 0, 0}, []any{r.State, r.Complete, r.New, r.Changed, r.Quarantined}, r.String())
			require.Equal(t, map[string]int{"booking.bond: is neither an amount nor a known word": 2}, r.Dropped)
			require.Contains(t, r.String(), "value left out: booking.bond: is neither an amount nor a known word (2)")
			require.NotContains(t, r.String(), garbled, "the text itself is not told")
			require.Equal(t, "booking 2", c.events())
			require.Empty(t, c.history(&since))
			require.Equal(t, "0:500 1:900 2:", c.facts())

			c.runSource(c.source, "c.csv", strings.Replace(text, "QUILLFEATHER, MARLOWE", "QUILLFEATHER, MARLOWE T", 1), day.AddDate(0, 0, 2))
			require.Empty(t, c.events(), "another run and another fact of the row change nothing")

			r = c.runSource(c.source, "d.csv", file("0:500 1:900 2:300"), day.AddDate(0, 0, 3))
			require.Empty(t, r.Dropped)
			require.Equal(t, "bond_change 2 300", c.events(), "the same amount again is no change")
			c.runSource(c.source, "e.csv", strings.Replace(file("0:500 1:900 2:300"), "$500.00", garbled, 1), day.AddDate(0, 0, 4))
			c.runSource(c.source, "f.csv", file("0:700 1:900 2:300"), day.AddDate(0, 0, 5))
			require.Equal(t, "bond_change 0 700", c.events(), "one that can be read is taken again")
			c.runSource(c.source, "g.csv", strings.Replace(file("0:700 1:900 2:300"), "$700.00", garbled, 1), day.AddDate(0, 0, 6))
			c.runSource(c.source, "h.csv", strings.Replace(file("0:700 1:900 2:300"), "$700.00", "", 1), day.AddDate(0, 0, 7))
			require.Equal(t, "bond_change 0", c.events(), "so is that there is none")
		})
	}
}

func TestWordsThatMeanNoBondEndAKnownOne(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"", "NO BOND", "$0.00", "$", "Cash or Surety", "HOLD FOR COUNTY 12", "Bond last updated 1/1/1900", "N/A", "** NOT READY ** No Amount Set *** HOLDS ***", "Denied 3/4/2026", "-"} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			c := newCounty(t)
			c.runSource(c.source, "a.csv", file("0:500"), day)
			c.events()
			r := c.runSource(c.source, "b.csv", strings.Replace(file("0:500"), "$500.00", said, 1), day.AddDate(0, 0, 1))
			require.Empty(t, r.Dropped)
			require.Equal(t, "bond_change 0", c.events())
			require.Equal(t, "0:", c.facts())
		})
	}
}

// chargeBonds is a roster with a total and a bond of each charge.
const chargeBonds = `id: charge-bonds
title: Bonds of charges
kind: roster
county: clarke
publish: {policy: full_roster, absence: released}
decode: {format: csv}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: [2006-01-02]}%s}
  person: {name: name}
  charge:
    each: {parallel: {on: '|', columns: [charges, bonds]}}
    description: charges
    bond: %s
identity:
  booking: [{of: [booking.number], strength: source}]
`

func TestTheSumOfBondsIsNoneWhileOneCanNotBeRead(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, own, total, bonds, want, left string }{
		{"all charges can be read", "", "", "$500|$250", "750.00", ""},
		{"one can not", "", "", "$500|$25O", "", "fields.charge.bond"},
		{"one has none", "", "", "$500|", "500.00", ""},
		{"the booking's own total outweighs it", ", bond: total", "$900", "$500|$25O", "900.00", "fields.charge.bond"},
		{"the booking's own total can not be read", ", bond: total", "$9OO", "$500|$250", "", "fields.booking.bond"},
		{"the total is of the same column", ", bond: bonds", "", "1500|250", "1750.00", ""},
		{"the one total of a list can not be read", ", bond: bonds", "", "$9OO", "", "fields.booking.bond"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := ingest.Parse([]byte(fmt.Sprintf(chargeBonds, c.own, "bonds")))
			require.NoError(t, err)
			p, err := s.Preview("x.csv", []byte("id,name,booked,charges,bonds,total\nK1,\"MOONSAIL, ORLA\",2026-03-08,THEFT|TRESPASS,"+c.bonds+","+c.total+"\n"), someCounties(), seen)
			require.NoError(t, err)
			require.Empty(t, p.Bad)
			require.Equal(t, c.want, textOf(p.Rows[0], "bond"))
			if c.left == "" {
				require.Empty(t, p.Left)
				return
			}
			require.Len(t, p.Left, 1)
			require.Contains(t, p.Left[0], c.left+": is neither an amount nor a known word")
		})
	}
}

func TestGuarantee8BondsThatPairWithNoChargeAreNotHalved(t *testing.T) {
	t.Parallel()
	longer := "fields.charge.bond: has more values than there are charges to pair them with in sample row 1"
	shorter := strings.Replace(longer, "more", "fewer", 1)
	cases := []struct{ name, own, charges, bonds, want, left string }{
		{"two bonds of one charge", "", "DUI", "$500|$700", "", longer},
		{"and the booking reads the same column", ", bond: bonds", "DUI", "$500|$700", "", longer},
		{"two bonds of no charge", "", "", "$500|$700", "", longer},
		{"and of the same column", ", bond: bonds", "", "$500|$700", "", longer},
		{"the booking's own total outweighs them", ", bond: total", "DUI", "$500|$700", "900.00", longer},
		{"one bond of no charge is the booking's", "", "", "$500", "500.00", ""},
		{"one bond of two charges is the booking's", "", "DUI|ARSON", "$500", "500.00", ""},
		{"and is left out when it can not be read", "", "DUI|ARSON", "$5OO", "", `fields.charge.bond: is neither an amount nor a known word "$5OO" in sample row 1`},
		{"two bonds of three charges", "", "DUI|ARSON|THEFT", "$500|$700", "", shorter},
		{"and the booking's own total outweighs them", ", bond: total", "DUI|ARSON|THEFT", "$500|$700", "900.00", shorter},
		{"three bonds of three charges, one blank", "", "DUI|ARSON|THEFT", "$500|$700|", "1200.00", ""},
		{"two bonds of two charges and a blank", "", "DUI|ARSON|", "$500|$700", "1200.00", ""},
		{"an empty element counts", "", "DUI|", "$500|$700", "1200.00", ""},
		{"blanks at the end are no values", "", "DUI", "$500||", "500.00", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := ingest.Parse([]byte(fmt.Sprintf(chargeBonds, c.own, "bonds")))
			require.NoError(t, err)
			p, err := s.Preview("x.csv", []byte("id,name,booked,charges,bonds,total\nK1,\"MOONSAIL, ORLA\",2026-03-08,"+c.charges+","+c.bonds+",$900\n"), someCounties(), seen)
			require.NoError(t, err)
			require.Empty(t, p.Bad)
			require.Equal(t, c.want, textOf(p.Rows[0], "bond"))
			require.Equal(t, c.left, strings.Join(p.Left, "; "))
		})
	}
}

func TestGuarantee8AListLongerThanTheChargesFiresNoBondChange(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	s := sourceWith(t, "listed-bonds", "[id, name, booked, bond]", "[id, name, booked, bond, charges]",
		"person: {name: name}", "person: {name: name}\n  charge:\n    each: {parallel: {on: '|', columns: [charges, bond]}}\n    description: charges\n    bond: bond")
	text := func(bond string) string {
		return "id,name,booked,bond,charges\nZ2,\"QUILLFEATHER, MARLOWE\",2026-01-22 10:00," + bond + ",DUI\n#end\n"
	}
	c.runSource(s, "a.csv", text("$500"), day)
	c.events()
	r := c.runSource(s, "b.csv", text("$500 | $700"), day.AddDate(0, 0, 1))
	require.Equal(t, map[string]int{"charge.bond: has more values than there are charges to pair them with": 1}, r.Dropped, r.String())
	require.Empty(t, c.events())
	require.Equal(t, int64(50000), one[int64](c.bundle, `select bond_cents from bookings`), "what was known stays")
}

func TestAWordOfTheDocumentIsAKnownWord(t *testing.T) {
	t.Parallel()
	s, err := ingest.Parse([]byte(fmt.Sprintf(chargeBonds, "", "{from: bonds, values: {SEE DESK: none}}")))
	require.NoError(t, err)
	p, err := s.Preview("x.csv", []byte("id,name,booked,charges,bonds\nK1,\"MOONSAIL, ORLA\",2026-03-08,THEFT,See desk\nK2,\"THISTLEDOWN, PIP\",2026-03-08,THEFT,See 0ther\n"), someCounties(), seen)
	require.NoError(t, err)
	require.Equal(t, []string{`fields.charge.bond: is neither an amount nor a known word "See 0ther" in sample row 2`}, p.Left)
}
