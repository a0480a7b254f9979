package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// rosterSourceOfDays is a source that may tell the day of a booking alone.
func rosterSourceOfDays(t *testing.T, id string) *ingest.Source {
	t.Helper()
	return sourceWith(t, id, "'2006-01-02 15:04'", "'2006-01-02 15:04', '2006-01-02'")
}

func TestTwoFeedsThatWriteOneBookingOtherwiseAreOneBooking(t *testing.T) {
	t.Parallel()
	const first = `A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00`
	cases := []struct {
		name, first, second string
		bookings            int
		name2, booked2      string // of the one booking, after both
	}{
		{"a middle initial more", first, `B1,"MOONSAIL, ORLA Q",2026-02-01 10:00,$500.00`, 1, "MOONSAIL, ORLA", "2026-02-01 10:00"},
		{"a minute apart", first, `B1,"MOONSAIL, ORLA",2026-02-01 10:01,$500.00`, 1, "MOONSAIL, ORLA", "2026-02-01 10:00"},
		{"without a comma, a minute apart", first, `B1,"ORLA Q MOONSAIL",2026-02-01 09:58,$500.00`, 1, "MOONSAIL, ORLA", "2026-02-01 10:00"},
		{"the day alone", first, `B1,"MOONSAIL, ORLA QUILL",2026-02-01,$500.00`, 1, "MOONSAIL, ORLA", "2026-02-01 10:00"},
		{"the minute after the day alone", `A1,"MOONSAIL, ORLA",2026-02-01,$500.00`, `B1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00`, 1, "MOONSAIL, ORLA", "2026-02-01 10:00"},
		{"three minutes apart", first, `B1,"MOONSAIL, ORLA",2026-02-01 10:03,$500.00`, 2, "", ""},
		{"another day", first, `B1,"MOONSAIL, ORLA",2026-02-02,$500.00`, 2, "", ""},
		{"another middle initial", `A1,"MOONSAIL, ORLA P",2026-02-01 10:00,$500.00`, `B1,"MOONSAIL, ORLA Q",2026-02-01 10:01,$500.00`, 2, "", ""},
		{"another first name", first, `B1,"MOONSAIL, ORA",2026-02-01 10:00,$500.00`, 2, "", ""},
		{"a son of the same name", first, `B1,"MOONSAIL, ORLA, JR",2026-02-01 10:01,$500.00`, 2, "", ""},
		{"two rows that may be meant", first, "B1,\"MOONSAIL, ORLA Q\",2026-02-01 10:01,$500.00\nB2,\"MOONSAIL, ORLA P\",2026-02-01 10:01,$500.00", 3, "", ""},
		{"two bookings that may be meant", first + "\n" + `A2,"MOONSAIL, ORLA",2026-02-01 18:00,$500.00`, `B1,"MOONSAIL, ORLA",2026-02-01,$500.00`, 3, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			a, z := rosterSourceOfDays(t, "county-a"), rosterSourceOfDays(t, "county-b")
			list := func(rows string) string { return "id,name,booked,bond\n" + rows + "\n#end\n" }
			b.runSource(a, "a.csv", list(c.first), day)
			r := b.runSource(z, "b.csv", list(c.second), day.Add(time.Hour))
			require.Equal(t, c.bookings, one[int](b, `select count(*) from bookings`), r.String())
			if c.bookings > 1 {
				return
			}
			shown := func() string {
				return one[string](b, `select name || ' ' || to_char(georgia_clock(booked_at), 'YYYY-MM-DD HH24:MI') from bookings`)
			}
			require.Equal(t, c.name2+" "+c.booked2, shown())
			bookings := func() int { return one[int](b, `select count(*) from changes where kind = 'booking'`) }
			told := bookings()

			t.Log("nor do they write it to and fro")
			versions := one[int](b, `select count(*) from record_changes`)
			b.runSource(a, "a.csv", list(strings.Replace(c.first, "$500", "$600", 1)), day.Add(2*time.Hour))
			b.runSource(z, "b.csv", list(strings.Replace(c.second, "$500", "$600", 1)), day.Add(3*time.Hour))
			require.Equal(t, c.name2+" "+c.booked2, shown())
			require.Equal(t, versions+1, one[int](b, `select count(*) from record_changes`), "the bond alone")
			require.Equal(t, told, bookings())
		})
	}
}

func TestABookingThatIsOverIsNotThatOfTheSameDayWhichIsNot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, z := rosterSourceOfDays(t, "county-a"), rosterSourceOfDays(t, "county-b")
	list := func(rows string) string { return "id,name,booked,bond\n" + rows + "#end\n" }
	b.runSource(a, "a.csv", list("A1,\"MOONSAIL, ORLA\",2026-02-01 08:00,\nA2,\"THISTLEDOWN, PIP\",2026-02-01 08:00,\n"), day)
	b.runSource(a, "a.csv", list("A2,\"THISTLEDOWN, PIP\",2026-02-01 08:00,\n"), day.Add(time.Hour))
	b.runSource(z, "b.csv", list("B1,\"MOONSAIL, ORLA\",2026-02-01,\nB2,\"THISTLEDOWN, PIP\",2026-02-01,\n"), day.Add(2*time.Hour))
	require.Equal(t, "MOONSAIL, ORLA booked; MOONSAIL, ORLA released; THISTLEDOWN, PIP booked", one[string](b, `select string_agg(name || ' ' || status, '; ' order by name, status) from bookings`))
}

func TestNamesakes(t *testing.T) {
	t.Parallel()
	may, spring := &models.Date{Year: 1986, Month: 5, Day: 5}, &models.Date{Year: 1986, Month: 4, Day: 5}
	cases := []struct {
		name     string
		one, two snapshot.Identity
		same     bool
	}{
		{"another order and accents", snapshot.Identity{Name: "DE LA CRUZ, JOSÉ"}, snapshot.Identity{Name: "Jose de la Cruz"}, true},
		{"an initial for a middle name", snapshot.Identity{Name: "MOONSAIL, ORLA QUILL"}, snapshot.Identity{Name: "MOONSAIL, ORLA Q"}, true},
		{"half of a surname", snapshot.Identity{Name: "MOONSAIL-FENWICKE, ORLA"}, snapshot.Identity{Name: "MOONSAIL, ORLA"}, false},
		{"another birth date", snapshot.Identity{Name: "MOONSAIL, ORLA", DOB: may}, snapshot.Identity{Name: "MOONSAIL, ORLA", DOB: spring}, false},
		{"a suffix more, born the same day", snapshot.Identity{Name: "MOONSAIL, ORLA", DOB: may}, snapshot.Identity{Name: "MOONSAIL, ORLA JR", DOB: may}, true},
		{"a suffix more, birth unknown", snapshot.Identity{Name: "MOONSAIL, ORLA", DOB: may}, snapshot.Identity{Name: "MOONSAIL, ORLA JR"}, false},
		{"two suffixes", snapshot.Identity{Name: "MOONSAIL, ORLA SR", DOB: may}, snapshot.Identity{Name: "MOONSAIL, ORLA JR", DOB: may}, false},
		{"one word", snapshot.Identity{Name: "MOONSAIL"}, snapshot.Identity{Name: "MOONSAIL"}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.same, resolve.Namesake(c.one, c.two))
			require.Equal(t, c.same, resolve.Namesake(c.two, c.one))
		})
	}
}
