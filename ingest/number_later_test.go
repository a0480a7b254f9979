package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// unnumbered is a jail's feed that has a column for the number of a booking, and numbers some bookings only later.
func unnumbered(t *testing.T) *ingest.Source {
	t.Helper()
	return sourceWith(t, "county-a", "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, num]",
		"number: id", "number: num", "of: [booking.number], strength: source", "of: [person.name, booking.booked_at], strength: source")
}

func TestGuarantee11ANumberThatIsLearntLaterWithholds(t *testing.T) {
	t.Parallel()
	const (
		doubtful = "MOONSAIL, ORLA maybe juvenile"
		nameless = "id,name,booked,bond,num\nx,\"MOONSAIL, ORLA\",2026-01-05 10:00,$1.00,\n#end\n"
		named    = "id,name,booked,bond,num\nx,\"MOONSAIL, ORLA\",2026-01-05 10:00,$1.00,K1\n#end\n"
		other    = "id,name,booked,bond\nK1,\"MOONSAIL, ORLA\",2026-01-05 10:00,$1.00\n#end\n"
	)
	court, err := ingest.Load("court-delta")
	require.NoError(t, err)
	minor := caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1")
	t.Run("by another source", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.runSource(unnumbered(t), "a.csv", nameless, day)
		b.runSource(court, "delta.txt", minor, day.Add(time.Hour))
		require.Equal(t, []string{"MOONSAIL, ORLA public"}, b.hiding())
		b.runSource(sourceWith(t, "county-b"), "b.csv", other, day.Add(2*time.Hour))
		require.Equal(t, []string{doubtful}, b.hiding())
		require.Len(t, b.waiting(), 1, "an operator is asked")
	})
	t.Run("by the same source", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s := unnumbered(t)
		b.runSource(s, "a.csv", nameless, day)
		b.runSource(court, "delta.txt", minor, day.Add(time.Hour))
		b.runSource(s, "a.csv", named, day.Add(2*time.Hour))
		require.Equal(t, []string{doubtful}, b.hiding())
		b.runSource(s, "a.csv", nameless, day.Add(3*time.Hour))
		require.Equal(t, []string{"MOONSAIL, ORLA public"}, b.hiding(), "the number was a mistake")
	})
	t.Run("by a rebuild", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.runSource(unnumbered(t), "a.csv", nameless, day)
		b.runSource(court, "delta.txt", minor, day.Add(time.Hour))
		_, err := b.db.Pool.Exec(t.Context(), `update roster_claims set number = 'K1'`)
		require.NoError(t, err)
		for _, dry := range []bool{true, false} {
			r, err := b.store.Rebuild(t.Context(), models.Roster, dry)
			require.NoError(t, err)
			require.Equal(t, 1, r.Changed)
			require.Len(t, r.Changes, 1)
		}
		require.Equal(t, []string{doubtful}, b.hiding())
	})
}

func TestGuarantee11AnUnnumberedCaseOfAJuvenileFollowsTheNumberOfTheBooking(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := flagSource(t, "county-a")
	court, err := ingest.Load("court-delta")
	require.NoError(t, err)
	b.runSource(s, "a.csv", flaggedRows("K1", "$1.00,,,Y"), day)
	_, err = b.db.Pool.Exec(t.Context(), `update roster_claims set number = null where key = 'K1'`)
	require.NoError(t, err)
	b.runSource(court, "delta.txt", caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1"), day.Add(time.Hour))
	cases, _ := b.courtCases()
	require.Equal(t, []string{"J-1 public"}, cases)
	b.now = b.now.Add(time.Hour)
	b.runSource(s, "a.csv", flaggedRows("K1", "$2.00,,,Y"), day.Add(2*time.Hour))
	cases, _ = b.courtCases()
	require.NotEqual(t, []string{"J-1 public"}, cases)
}

func TestGuarantee11ANumberOfAPersonThatIsLearntLaterWithholds(t *testing.T) {
	t.Parallel()
	const june = `K9,"MOONSAIL, ORLA",2026-06-20 10:00,$1.00,,`
	child, gone := `K1,"MOONSAIL, ORLA",2026-01-05 10:00,$1.00,03/05/2010,`, day.AddDate(0, 0, 1)
	at := func(n int) time.Time { return time.Date(2026, 6, 20+n, 12, 0, 0, 0, time.UTC) }
	for name, rows := range map[string][3]string{
		"that of the later booking":    {child + "P1", june, june + "P1"},
		"that of the juvenile's":       {child, june + "P1", child + "P1"},
		"that of the juvenile's again": {child + "P7", june + "P1", child + "P1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
			s := numberedPeople(t)
			b.runSource(s, "a.csv", numberedList(rows[0]), day)
			b.runSource(s, "a.csv", numberedList(), gone)
			b.runSource(s, "a.csv", numberedList(rows[1]), at(1))
			state := func() string {
				return one[string](b, `select coalesce(withheld::text, 'public') from bookings b join roster_claims g on g.record = b.rid where g.stay = 0 and g.key = 'K9'`)
			}
			require.Equal(t, "public", state())
			b.runSource(s, "a.csv", numberedList(rows[2]), at(2))
			require.Equal(t, "maybe juvenile", state())
			b.hiding()
		})
	}
}
