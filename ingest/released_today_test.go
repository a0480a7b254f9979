package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

func TestAReleaseOfTodayToldByItsDayAlone(t *testing.T) {
	t.Parallel()
	const held = "2026-02-01 booked"
	for name, c := range map[string]struct {
		publish string // in place of a list of everybody
		out     string
		after   [3]string // the planned release and the status after each snapshot: in the morning, in the evening, on the next day
	}{
		"whoever a list of everybody has is held until the day ends": {"", "2026-02-01", [3]string{held, held, "released"}},
		"a release that tells its time is over when that is":         {"", "2026-02-01 10:00", [3]string{"2026-02-01 booked", "released", "released"}},
		"a release of the day before is over":                        {"", "2026-01-31", [3]string{"released", "released", "released"}},
		"a list that goes on showing who left tells it at once":      {"full_roster, left: true, absence: released", "2026-02-01", [3]string{"released", "released", "released"}},
		"a list of releases tells it at once":                        {"releases, absence: nothing", "2026-02-01", [3]string{"released", "released", "released"}},
		"a delta tells it at once":                                   {"delta, absence: nothing", "2026-02-01", [3]string{"released", "released", "released"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			pairs := []string{"bond]", "bond, out]", "bond: bond}", "bond: bond, released_at: {from: out, layouts: ['2006-01-02 15:04', '2006-01-02']}}"}
			if c.publish != "" {
				pairs = append(pairs, "full_roster, absence: released", c.publish)
			}
			s := sourceWith(t, "county-a", pairs...)
			text := "id,name,booked,bond,out\nK1,\"MOONSAIL, ORLA\",2026-01-20 09:00,$100.00," + c.out + "\nK2,\"STORMCROW, IDA\",2026-01-20 09:30,$100.00,\n#end\n"
			for i, want := range c.after {
				at := time.Date(2026, 2, 1, []int{6, 20, 32}[i], 0, 0, 0, models.Georgia)
				r := b.runSource(s, "roster.csv", text, at)
				require.Equal(t, source.RunOK, r.State, r.String())
				require.Equal(t, want, one[string](b, `select concat_ws(' ', case when released_at is null then georgia_clock(planned_release)::date end, status) from bookings where name like 'MOON%'`), "snapshot %d", i)
				require.Equal(t, "booked", one[string](b, `select status from bookings where name like 'STORM%'`))
			}
			require.Equal(t, 0, one[int](b, `select count(*) from record_changes where field = 'released_at' and after is null`), "nobody was released and taken back")
		})
	}
	t.Run("whoever leaves within the day is released by absence", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s := sourceWith(t, "county-a", "bond]", "bond, out]", "bond: bond}", "bond: bond, released_at: {from: out, layouts: ['2006-01-02']}}")
		list := func(rows string) string {
			return "id,name,booked,bond,out\n" + rows + "K2,\"STORMCROW, IDA\",2026-01-20 09:30,$100.00,\n#end\n"
		}
		morning := time.Date(2026, 2, 1, 6, 0, 0, 0, models.Georgia)
		b.runSource(s, "roster.csv", list("K1,\"MOONSAIL, ORLA\",2026-01-20 09:00,$100.00,2026-02-01\n"), morning)
		b.runSource(s, "roster.csv", list(""), morning.Add(4*time.Hour))
		require.Equal(t, morning.Add(4*time.Hour).UTC(), one[time.Time](b, `select released_at from bookings where name like 'MOON%' and release_inferred`).UTC())
	})
	t.Run("a row that says itself that the person left is believed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s := sourceWith(t, "county-a", "bond]", "bond, out, left]", "bond: bond}", "bond: bond, released: left, released_at: {from: out, layouts: ['2006-01-02']}}")
		b.runSource(s, "roster.csv", "id,name,booked,bond,out,left\nK1,\"MOONSAIL, ORLA\",2026-01-20 09:00,$100.00,2026-02-01,Y\nK2,\"STORMCROW, IDA\",2026-01-20 09:30,$100.00,2026-02-01,N\n#end\n", time.Date(2026, 2, 1, 6, 0, 0, 0, models.Georgia))
		require.Equal(t, "MOONSAIL, ORLA", one[string](b, `select string_agg(name, ';') from bookings where status = 'released'`))
	})
	_, err := ingest.Parse([]byte(strings.Replace(strings.NewReplacer("%s", "county-a", "%d", "1").Replace(rosterDocument), "full_roster,", "delta, left: true,", 1)))
	require.ErrorContains(t, err, "publish.left: is for policy full_roster")
}

func TestAReleaseByKeyInTheHourThatHappensTwice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ booked, out, said, left string }{
		"only the second reading lies behind the booking": {"2026-11-01T01:50:00-04:00", "2026-11-01T01:10:00", "2026-11-01T11:00:00-05:00", "2026-11-01T01:10:00-05:00"},
		"the first one counts where it can":               {"2026-11-01T01:00:00-04:00", "2026-11-01T01:10:00", "2026-11-01T11:00:00-05:00", "2026-11-01T01:10:00-04:00"},
		"an offset leaves no doubt":                       {"2026-11-01T01:50:00-04:00", "2026-11-01T01:10:00-04:00", "2026-11-01T11:00:00-05:00", ""},
		"a second one that lies ahead is posted":          {"2026-11-01T01:30:00-04:00", "2026-11-01T01:10:00", "2026-11-01T01:45:00-04:00", "booked"},
		"neither lies behind the booking":                 {"2026-11-01T02:50:00-05:00", "2026-11-01T01:10:00", "2026-11-01T11:00:00-05:00", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, booking, release := messages(t)
			b := setup(t)
			b.now = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)
			booking = strings.NewReplacer("2026-03-09T10:00:00-04:00", "2026-11-01T01:35:00-04:00", "2026-03-08T01:30:00", c.booked).Replace(booking)
			release = strings.NewReplacer("2026-03-09T11:00:00-04:00", c.said, "2026-03-09T10:30:00", c.out).Replace(release)
			b.runSource(s, "booking.xml", booking, time.Time{})
			r := b.runSource(s, "release.xml", release, time.Time{})
			switch c.left {
			case "":
				require.Equal(t, map[string]int{"release.released_at: lies before the booking": 1}, r.Reasons, r.String())
			case "booked":
				require.Equal(t, "booked 2026-11-01 06:10:00", one[string](b, `select status || ' ' || (planned_release at time zone 'UTC')::text from bookings`), r.String())
			default:
				require.Empty(t, r.Reasons, r.String())
				require.Equal(t, c.left, one[time.Time](b, `select released_at from bookings`).In(models.Georgia).Format(time.RFC3339))
			}
		})
	}
}
