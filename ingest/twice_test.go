package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// stays is a roster of bookings and releases without offsets.
const stays = `id: stays
title: Bookings and releases
kind: roster
county: clarke
publish: {policy: delta, absence: nothing}
decode: {format: csv}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02 15:04']}, released_at: {from: out, layouts: ['2006-01-02 15:04', '2006-01-02T15:04:05Z07:00']}}
  person: {name: name}
identity:
  booking: [{of: [booking.number], strength: source}]
`

func TestTheNightInWhichAnHourHappensTwice(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, booked, out, in, left string }{
		{"out behind the change", "2026-11-01 01:50", "2026-11-01 01:10", "2026-11-01T01:50:00-04:00", "2026-11-01T01:10:00-05:00"},
		{"out before it", "2026-11-01 01:10", "2026-11-01 01:50", "2026-11-01T01:10:00-04:00", "2026-11-01T01:50:00-04:00"},
		{"booked an hour before", "2026-11-01 00:50", "2026-11-01 01:10", "2026-11-01T00:50:00-04:00", "2026-11-01T01:10:00-04:00"},
		{"an offset leaves no doubt", "2026-11-01 01:50", "2026-11-01T01:10:00-04:00", "", ""},
		{"neither reading lies behind the booking", "2026-11-01 02:10", "2026-11-01 01:50", "", ""},
		{"no other night", "2026-11-02 01:50", "2026-11-02 01:10", "", ""},
		{"an hour that is left out moves forward", "2026-03-08 02:30", "2026-03-08 04:00", "2026-03-08T03:30:00-04:00", "2026-03-08T04:00:00-04:00"},
		{"whoever is released in it, too", "2026-03-08 01:30", "2026-03-08 02:30", "2026-03-08T01:30:00-05:00", "2026-03-08T03:30:00-04:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.now = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)
			s, err := ingest.Parse([]byte(stays))
			require.NoError(t, err)
			text := "id,name,booked,out\nK1,\"MOONSAIL, ORLA\"," + c.booked + "," + c.out + "\n"
			r := b.runSource(s, "x.csv", text, b.now)
			if c.in == "" {
				require.Equal(t, map[string]int{"booking.released_at: lies before the booking": 1}, r.Reasons, r.String())
				return
			}
			require.Empty(t, r.Reasons, r.String())
			require.Equal(t, c.in, one[time.Time](b, `select booked_at from bookings`).In(models.Georgia).Format(time.RFC3339))
			require.Equal(t, c.left, one[time.Time](b, `select released_at from bookings`).In(models.Georgia).Format(time.RFC3339))
			r = b.runSource(s, "y.csv", text, b.now.Add(time.Minute))
			require.Equal(t, []int{0, 1}, []int{r.Changed, r.Unchanged}, r.String())
		})
	}
}
