package ingest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

const dailyDocument = `id: county-a
title: A county that numbers its bookings and tells the day alone
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: released}
decode: {format: csv, columns: [id, name, dob, person, booked, charge], end_marker: "#end"}
complete: {end_marker: true}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02', '2006-01-02 15:04']}}
  person: {number: person, name: name, dob: {from: dob, layouts: ['2006-01-02']}}
  charge: {description: charge}
identity: {booking: [{of: [booking.number], strength: source}], person: [{of: [person.number], strength: source}]}
`

func TestGuarantee6ANewNumberOfTheSameDayIsANewBooking(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, first, then string
		same              bool
	}{
		{"a name and a day", `26-0100,"GARCIA, JOSE",,,2026-01-31,DUI`, `26-0101,"GARCIA, JOSE",,,2026-01-31,MURDER`, false},
		{"a name, a day and the charges", `26-0100,"GARCIA, JOSE",,,2026-01-31,DUI`, `26-0101,"GARCIA, JOSE",,,2026-01-31,DUI`, false},
		{"the same person on other charges", `26-0100,"GARCIA, JOSE",1986-05-05,,2026-01-31,DUI`, `26-0101,"GARCIA, JOSE",1986-05-05,,2026-01-31,MURDER`, false},
		{"a birth date that was not known", `26-0100,"GARCIA, JOSE",,,2026-01-31,DUI`, `26-0101,"GARCIA, JOSE",1986-05-05,,2026-01-31,DUI`, false},
		{"a minute where the day alone was told", `26-0100,"GARCIA, JOSE",,,2026-01-31,DUI`, `26-0101,"GARCIA, JOSE",,,2026-01-31 19:30,MURDER`, false},
		{"the same birth date and charges", `26-0100,"GARCIA, JOSE",1986-05-05,,2026-01-31,DUI`, `26-0101,"GARCIA, JOSE",1986-05-05,,2026-01-31,DUI`, true},
		{"the same number of the person and charges", `26-0100,"GARCIA, JOSE",,P7,2026-01-31,DUI`, `26-0101,"GARCIA, JOSE",,P7,2026-01-31,DUI`, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newCounty(t)
			s, err := ingest.Parse([]byte(dailyDocument))
			require.NoError(t, err)
			file := func(row string) string {
				return fmt.Sprintf("id,name,dob,person,booked,charge\n26-0001,\"THISTLEDOWN, PIP\",,,2026-01-20,ARSON\n26-0002,\"STORMCROW, IDA\",,,2026-01-21,ARSON\n%s\n#end\n", row)
			}
			b.load(s, file(c.first), day)
			b.events()
			r := b.load(s, file(c.then), day.Add(12*time.Hour))
			require.Equal(t, source.RunOK, r.State, r.String())
			told := one[string](b.bundle, `select string_agg(concat_ws(' ', status, charges::text), '; ' order by rid) from bookings where name = 'GARCIA, JOSE'`)
			if c.same {
				require.Equal(t, []int{0, 1, 0}, []int{r.New, r.Adopted, r.Closed}, r.String())
				require.Equal(t, "booked {DUI}", told)
				return
			}
			require.Equal(t, []int{1, 0, 1}, []int{r.New, r.Adopted, r.Closed}, r.String())
			require.Regexp(t, `^released \{DUI\}; booked \{(DUI|MURDER)\}$`, told)
		})
	}
}
