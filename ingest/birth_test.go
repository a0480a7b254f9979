package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// births is a roster of which only the birth date matters.
const births = `id: births
title: Birth dates
kind: roster
county: clarke
publish: {policy: full_roster, absence: released}
decode: {format: csv}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: [2006-01-02]}}
  person: {name: name, dob: {from: dob, layouts: [01/02/2006, 01/02/06]}, age: age}
identity:
  booking: [{of: [booking.number], strength: source}]
`

func TestAWrongBirthDateLosesNoRow(t *testing.T) {
	t.Parallel()
	source, err := ingest.Parse([]byte(births))
	require.NoError(t, err)
	cases := []struct{ name, dob, age, born, withheld, left string }{
		{"a day that does not exist", "02/30/1986", "40", "", "", `fields.person.dob: none of the layouts "01/02/2006", "01/02/06" matches "02/30/1986" in sample row 1`},
		{"a year to come", "03/04/2986", "", "", "", "fields.person.dob: lies in the future in sample row 1"},
		{"a day to come, of the year of the booking", "03/09/2026", "", "", "maybe juvenile", "fields.person.dob: lies in the future in sample row 1"},
		{"older than anybody gets", "03/04/1902", "", "", "", "fields.person.dob: lies more than 120 years back in sample row 1"},
		{"two digits are the past", "03/04/68", "", "1968-03-04", "", ""},
		{"two digits of this century", "03/04/01", "", "2001-03-04", "", ""},
		{"unreadable, and the year is that of a child", "13/44/2011", "", "", "maybe juvenile", `fields.person.dob: none of the layouts "01/02/2006", "01/02/06" matches "13/44/2011" in sample row 1`},
		{"unreadable, and the age is that of a child", "soon", "15", "", "juvenile", `fields.person.dob: none of the layouts "01/02/2006", "01/02/06" matches "soon" in sample row 1`},
		{"an age in words", "03/04/1986", "forty", "1986-03-04", "", `fields.person.age: is not a whole number "forty" in sample row 1`},
		{"not of the character set", "\xff\xfe", "40", "", "", "fields.person.dob: is not in the character set of the source (decode.charset, without it utf-8) in sample row 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := source.Preview("x.csv", []byte("id,name,booked,dob,age\nK1,\"MOONSAIL, ORLA\",2026-03-08,"+c.dob+","+c.age+"\n"), someCounties(), seen)
			require.NoError(t, err)
			require.Empty(t, p.Bad)
			require.Len(t, p.Rows, 1)
			require.Equal(t, c.born, textOf(p.Rows[0], "dob"))
			require.Equal(t, c.withheld, textOf(p.Rows[0], "withheld"))
			if c.left == "" {
				require.Empty(t, p.Left)
				return
			}
			require.Equal(t, []string{c.left}, p.Left)
		})
	}
}

func TestTheReportCountsValuesLeftOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	source, err := ingest.Parse([]byte(births))
	require.NoError(t, err)
	r := b.runSource(source, "x.csv", "id,name,booked,dob,age\nK1,\"MOONSAIL, ORLA\",2026-03-08,02/30/1986,40\nK2,\"QUILLFEATHER, WREN\",2026-03-08,02/31/1986,40\n", seen)
	require.Equal(t, []int{2, 2, 0}, []int{r.Fetched, r.New, r.Quarantined}, r.String())
	require.Equal(t, map[string]int{`person.dob: none of the layouts "01/02/2006", "01/02/06" matches`: 2}, r.Dropped)
	require.Contains(t, r.String(), "value left out: person.dob: none of the layouts")
	require.True(t, r.OK(), "the bookings themselves are whole")
	require.Equal(t, 2, one[int](b, `select count(*) from bookings where status = 'booked' and dob is null and withheld is null`))
}

func textOf(row map[string]any, key string) string {
	s, _ := row[key].(string)
	return s
}
