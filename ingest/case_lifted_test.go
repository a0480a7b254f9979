package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/internal/testdb"
	"rollcall/models"
)

// A lifted ground of a court ends when the court corrects itself; when it says so again, it is reviewed anew.
func TestALiftOfACourtsCauseEndsWithIt(t *testing.T) {
	t.Parallel()
	for name, rebuild := range map[string]bool{"as it comes": false, "rebuilt in between": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			court, err := ingest.Load("court-delta")
			require.NoError(t, err)
			b := setup(t)
			_, silent := twoFeeds(t)
			b.runSource(silent, "b.csv", bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,`), day)
			say := func(n int, born string) {
				b.now = b.now.Add(time.Hour)
				b.runSource(court, "delta.txt", caseLine("J-1", "MOONSAIL, CARL", "01/06/2026", born, "A1"), day.Add(time.Duration(n)*time.Hour))
			}
			say(1, "03/05/2010")
			require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile"}, b.hiding())
			b.now = b.now.Add(time.Hour)
			require.NoError(t, b.store.Review(t.Context(), one[string](b, `select id from bookings`), "lifted", "desk", "looked at"))
			require.Equal(t, []string{"MOONSAIL, CARL public"}, b.hiding())
			say(2, "03/05/1980")
			require.Equal(t, []string{"MOONSAIL, CARL public"}, b.hiding())
			if rebuild {
				_, err := b.store.Rebuild(t.Context(), models.Roster, false)
				require.NoError(t, err)
			}
			say(3, "03/05/2010")
			require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile"}, b.hiding())
		})
	}
}

// A case that names a booking by a link alone is withheld again when more is known of the booking.
func TestACaseOfALinkIsWithheldAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.addCases(testdb.Booking{ID: jailed, Name: "Quentin Abernethy", DOB: "1980-03-04", Charges: []string{"BURGLARY 1ST DEGREE"}}, testdb.Case{Number: "C", Defendant: "QUENTIN ABERNETHY", Offense: "DUI", DOB: "1980-03-04"})
	b.link(false)
	_, err := b.db.Pool.Exec(t.Context(), `with booking as (update bookings set withheld = 'maybe juvenile' where id = $1 returning rid)
 update roster_claims c set evidence = jsonb_build_object('doubt_at', c.said_at) from booking b where c.record = b.rid`, jailed)
	require.NoError(t, err)
	require.NoError(t, b.store.Review(t.Context(), jailed, models.ReviewLifted, "desk", "of age"))
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.store.Review(t.Context(), jailed, models.ReviewKept, "desk", "not of age"))
	b.link(false)
	stored, _ := b.courtCases()
	require.Equal(t, []string{"C maybe juvenile"}, stored)
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.store.Review(t.Context(), b.caseID("C"), models.ReviewLifted, "desk", "not she"))
	stored, _ = b.courtCases()
	require.Equal(t, []string{"C public"}, stored)
	b.now = b.now.Add(time.Hour)
	b.link(true)
	stored, _ = b.courtCases()
	require.Equal(t, []string{"C public"}, stored)
	// the jail says that it is a juvenile
	_, err = b.db.Pool.Exec(t.Context(), `update roster_claims c set evidence = jsonb_build_object('juvenile_at', c.said_at, 'more_at', c.said_at) where record = (select rid from bookings where id = $1)`, jailed)
	require.NoError(t, err)
	_, err = b.store.Rebuild(t.Context(), models.Roster, false)
	require.NoError(t, err)
	require.Equal(t, "juvenile", one[string](b, `select withheld from bookings`))
	stored, _ = b.courtCases()
	require.Equal(t, []string{"C maybe juvenile"}, stored)
}

// An operator dismisses, and confirms, that a case with a juvenile's birth is of the booking whose number it names.
func TestBookingsFollowWhatAnOperatorSaysOfACase(t *testing.T) {
	t.Parallel()
	court, err := ingest.Load("court-delta")
	require.NoError(t, err)
	b := setup(t)
	_, silent := twoFeeds(t)
	b.runSource(silent, "b.csv", bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,`), day)
	b.now = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(court, "delta.txt", caseLine("J-1", "MOONSAIL, CARL", "08/06/2026", "06/05/2009", "A1"), b.now)
	require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile"}, b.hiding())
	id := one[string](b, `select id from bookings`)
	wouldChange := func() int {
		r, err := b.store.Rebuild(t.Context(), models.Roster, true)
		require.NoError(t, err)
		return r.Changed
	}
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.store.DecideCourtLink(t.Context(), b.caseID("J-1"), id, models.LinkDismissed))
	dismissed, changes := b.hiding(), wouldChange()
	_, err = b.store.Rebuild(t.Context(), models.Roster, false)
	require.NoError(t, err)
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.store.DecideCourtLink(t.Context(), b.caseID("J-1"), id, models.LinkConfirmed))
	require.Equal(t, []string{"MOONSAIL, CARL public"}, dismissed)
	require.Zero(t, changes)
	require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile"}, b.hiding())
}

// A case and the booking that it names withhold each other; an operator publishes the case.
func TestACaseThatIsLiftedStaysSo(t *testing.T) {
	t.Parallel()
	court, err := ingest.Load("court-delta")
	require.NoError(t, err)
	b := setup(t)
	_, silent := twoFeeds(t)
	b.runSource(silent, "b.csv", bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,`), day)
	b.now = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(court, "delta.txt", caseLine("J-1", "MOONSAIL, CARL", "08/06/2026", "06/05/2009", "A1"), b.now)
	require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile"}, b.hiding())
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.store.Review(t.Context(), b.caseID("J-1"), "lifted", "desk", "looked at"))
	stored, _ := b.courtCases()
	r, err := b.store.Rebuild(t.Context(), models.Roster, true)
	require.NoError(t, err)
	before := b.hiding()
	b.now = b.now.Add(time.Hour)
	b.runSource(silent, "b.csv", bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,$2.00,`), b.now)
	after, _ := b.courtCases()
	require.Equal(t, before, b.hiding())
	require.Equal(t, stored, after)
	require.Empty(t, r.Changes, "a rebuild changes nothing")
}

// The same after the person was released, where nobody is notified.
func TestACaseThatIsLiftedStaysSoAfterARelease(t *testing.T) {
	t.Parallel()
	court, err := ingest.Load("court-delta")
	require.NoError(t, err)
	b := setup(t)
	_, silent := twoFeeds(t)
	const fill = `Z9,"THISTLEDOWN, PIP",2026-01-06 11:00,$1.00,03/05/1980`
	b.runSource(silent, "b.csv", bornList(fill, `A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,`), day)
	b.runSource(silent, "b.csv", bornList(fill), day.Add(time.Hour))
	require.Equal(t, 1, one[int](b, `select count(*) from bookings where status = 'released'`))
	b.now = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(court, "delta.txt", caseLine("J-1", "MOONSAIL, CARL", "08/06/2026", "06/05/2009", "A1"), b.now)
	require.Contains(t, b.hiding(), "MOONSAIL, CARL maybe juvenile")
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.store.Review(t.Context(), b.caseID("J-1"), "lifted", "desk", "looked at"))
	stored, _ := b.courtCases()
	r, err := b.store.Rebuild(t.Context(), models.Roster, true)
	require.NoError(t, err)
	before := b.hiding()
	b.now = b.now.Add(time.Hour)
	b.runSource(court, "delta.txt", caseLine("J-1", "MOONSAIL, CARL QUILL", "08/06/2026", "06/05/2009", "A1"), b.now)
	after, _ := b.courtCases()
	require.Equal(t, before, b.hiding())
	require.Equal(t, stored, after)
	require.Empty(t, r.Changes, "a rebuild changes nothing")
}

// Of two grounds that an operator lifted the newer one ends; the older stays lifted.
func TestALiftOutlastsAnotherGroundThatEnds(t *testing.T) {
	t.Parallel()
	court, err := ingest.Load("court-delta")
	require.NoError(t, err)
	b := setup(t)
	_, jail := twoFeeds(t)
	row := func(bond, born string) string {
		return bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,` + bond + `,` + born)
	}
	b.runSource(jail, "b.csv", row("$1.00", ""), day)
	b.now = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(court, "delta.txt", caseLine("J-1", "MOONSAIL, CARL", "08/06/2026", "06/05/2009", "A1"), b.now)
	require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile"}, b.hiding())
	id := one[string](b, `select id from bookings`)
	lift := func() {
		b.now = b.now.Add(time.Hour)
		require.NoError(t, b.store.Review(t.Context(), id, "lifted", "desk", "looked at"))
		b.now = b.now.Add(time.Hour)
		require.Equal(t, []string{"MOONSAIL, CARL public"}, b.hiding())
	}
	lift()
	b.runSource(jail, "b.csv", row("$1.00", "2009"), b.now)
	require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile"}, b.hiding())
	lift()
	b.runSource(jail, "b.csv", row("$1.00", "2008"), b.now)
	require.Equal(t, []string{"MOONSAIL, CARL public"}, b.hiding())
	r, err := b.store.Rebuild(t.Context(), models.Roster, true)
	require.NoError(t, err)
	b.now = b.now.Add(time.Hour)
	b.runSource(jail, "b.csv", row("$2.00", "2008"), b.now)
	require.Equal(t, []string{"MOONSAIL, CARL public"}, b.hiding())
	require.Empty(t, r.Changes)
}
