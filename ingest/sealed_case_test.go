package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/internal/testdb"
	"rollcall/models"
)

// caseLine is one case of the clerk's delta, filed in the county of the roster documents of these tests.
func caseLine(number, name, filed, born, booking string) string {
	last, first, _ := strings.Cut(name, ", ")
	return strings.Join([]string{"CA", "Ben Hill", "SU", "1", number, last, first, "", filed, "", "", "", "", born, "", "", "", booking, ""}, "\t") + "\n"
}

// courtCases lists the cases as "number why-withheld", and what is published of them by every way of the store.
func (b *bundle) courtCases() (stored, published []string) {
	b.Helper()
	stored = one[[]string](b, `select coalesce(array_agg(case_number || ' ' || coalesce(withheld::text, 'public') order by case_number), '{}') from court_cases`)
	page, err := b.store.ListCourtCases(b.Context(), models.CourtFilter{}, models.Page{Limit: 50})
	require.NoError(b, err)
	for _, c := range page.Records {
		published = append(published, c.CaseNumber)
		_, err := b.store.CourtCaseByID(b.Context(), c.ID())
		require.NoError(b, err)
	}
	total := one[int](b, `select coalesce(sum(n), 0) from court_totals`)
	require.Len(b, published, total)
	return stored, published
}

// waiting lists what waits for a review as "id speaks-of".
func (b *bundle) waiting() (list []string) {
	b.Helper()
	pending, _, err := b.store.Reviews(b.Context(), false, "", 50)
	require.NoError(b, err)
	for _, p := range pending {
		because := "-"
		if p.Because != nil {
			because = *p.Because
		}
		list = append(list, p.ID+" "+because)
	}
	return list
}

func TestACaseThatNamesTheBookingOfAJuvenileIsWithheldWithIt(t *testing.T) {
	t.Parallel()
	const withheld, public = "J-1 maybe juvenile", "J-1 public"
	jail := func(born string) string { return inJail("$1.00", born) }
	for name, c := range map[string]struct {
		rows    []string // in turn; those that begin with CA are the court's
		want    string
		waiting int
	}{
		"the roster came first":               {[]string{jail("03/05/2010"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1")}, withheld, 1},
		"the case came first":                 {[]string{caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1"), jail("03/05/2010")}, withheld, 1},
		"the number is written otherwise":     {[]string{jail("03/05/2010"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", " k-1")}, withheld, 1},
		"the birth is told after both":        {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1"), jail("03/05/2010")}, withheld, 1},
		"the number is told after both":       {[]string{jail("03/05/2010"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", ""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1")}, withheld, 1},
		"a year alone withholds both":         {[]string{jail("2009"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1")}, withheld, 2},
		"the jail says that she is of age":    {[]string{jail("2009"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1"), jail("03/05/1985")}, public, 0},
		"the court writes the case again":     {[]string{jail("03/05/2010"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1"), caseLine("J-1", "MOONSAIL, ORLA QUILL", "01/06/2026", "", "K1")}, withheld, 1},
		"the court corrects the number":       {[]string{jail("03/05/2010"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K2")}, public, 0},
		"the case is a juvenile's by itself":  {[]string{jail("2009"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), jail("03/05/1985")}, "J-1 juvenile", 0},
		"an adult's booking withholds nobody": {[]string{jail("03/05/1985"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1")}, public, 0},
		"another number is another booking":   {[]string{jail("03/05/2010"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K11")}, public, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			roster := bornSource(t, "county-a")
			court, err := ingest.Load("court-delta")
			require.NoError(t, err)
			for i, text := range c.rows {
				at := day.AddDate(0, 0, 2+i)
				if strings.HasPrefix(text, "CA") {
					b.runSource(court, "delta.txt", text, at)
				} else {
					b.runSource(roster, "roster.csv", text, at)
				}
			}
			stored, published := b.courtCases()
			require.Equal(t, []string{c.want}, stored)
			require.Equal(t, c.want == public, len(published) == 1)
			require.Len(t, b.waiting(), c.waiting)
		})
	}
}

func TestWhatDependsOnAWithheldBookingIsLiftedWithIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := bornSource(t, "county-a")
	b.runSource(s, "roster.csv", inJail("$1.00", "2009"), day)
	b.run("court-delta", "a.txt", caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1")+caseLine("J-2", "MOONSAIL, ORLA", "01/06/2026", "2009-06-01", "K1")+caseLine("A-1", "THISTLEDOWN, PIP", "01/06/2026", "", "K2"), day.AddDate(0, 0, 1))
	booking := one[string](b, `select id from bookings where name like 'MOONSAIL%'`)
	require.ElementsMatch(t, []string{booking + " -", b.caseID("J-1") + " " + booking}, b.waiting())

	decide := func(id string, d models.ReviewDecision, want ...string) {
		t.Helper()
		b.now = b.now.Add(time.Hour)
		require.NoError(t, b.store.Review(t.Context(), id, d, "desk", "of age"))
		stored, published := b.courtCases()
		require.Equal(t, want, stored)
		require.Contains(t, published, "A-1")
	}
	decide(booking, models.ReviewLifted, "A-1 public", "J-1 maybe juvenile", "J-2 juvenile")
	decide(booking, models.ReviewLifted, "A-1 public", "J-1 public", "J-2 juvenile")
	require.Empty(t, b.waiting())
	decide(booking, models.ReviewKept, "A-1 public", "J-1 maybe juvenile", "J-2 juvenile")
	decide(b.caseID("J-1"), models.ReviewLifted, "A-1 public", "J-1 public", "J-2 juvenile")
	b.run("court-delta", "b.txt", caseLine("J-1", "MOONSAIL, ORLA QUILL", "01/06/2026", "", "K1"), day.AddDate(0, 0, 2))
	stored, _ := b.courtCases()
	require.Contains(t, stored, "J-1 public", "an operator published the case for itself")
	decide(b.caseID("J-1"), models.ReviewKept, "A-1 public", "J-1 maybe juvenile", "J-2 juvenile")
	decide(booking, models.ReviewLifted, "A-1 public", "J-1 maybe juvenile", "J-2 juvenile")
}

func TestAJuvenileThatIsKnownLaterEndsWhatWasLiftedBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := bornSource(t, "county-a")
	b.runSource(s, "roster.csv", inJail("$1.00", "2009"), day)
	b.run("court-delta", "a.txt", caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1"), day.AddDate(0, 0, 1))
	require.NoError(t, b.store.Review(t.Context(), b.caseID("J-1"), models.ReviewLifted, "desk", "of age"))
	b.now = b.now.Add(time.Hour)
	b.runSource(s, "roster.csv", inJail("$1.00", "06/01/2009"), day.AddDate(0, 0, 2))
	stored, published := b.courtCases()
	require.Equal(t, []string{"J-1 maybe juvenile"}, stored)
	require.Empty(t, published)
	versions := one[[]string](b, `select array_agg(concat_ws('>', coalesce(before, 'public'), coalesce(after, 'public')) order by id) from record_changes where family = 'courts' and field = 'withheld'`)
	require.Equal(t, []string{"maybe juvenile>public", "public>maybe juvenile"}, versions)
}

func TestALinkThatIsMoreThanAGuessWithholdsTheCase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kase    testdb.Case
		confirm bool
		want    string
	}{
		"a guess by name and offense does not": {testdb.Case{Offense: "BURGLARY"}, false, "C public"},
		"an operator confirmed it":             {testdb.Case{Offense: "BURGLARY"}, true, "C maybe juvenile"},
		"the birth date is the same":           {testdb.Case{Offense: "DUI", DOB: "1980-03-04"}, false, "C maybe juvenile"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c.kase.Number, c.kase.Defendant = "C", "QUENTIN ABERNETHY"
			b.addCases(testdb.Booking{ID: jailed, Name: "Quentin Abernethy", DOB: "1980-03-04", Charges: []string{"BURGLARY 1ST DEGREE"}}, c.kase)
			b.link(false)
			if c.confirm {
				require.NoError(t, b.store.DecideCourtLink(t.Context(), b.caseID("C"), jailed, models.LinkConfirmed))
			}
			hide := func() {
				_, err := b.db.Pool.Exec(t.Context(), `with booking as (update bookings set withheld = 'maybe juvenile' where id = $1 returning rid)
 update roster_claims c set evidence = jsonb_build_object('doubt_at', c.said_at) from booking b where c.record = b.rid`, jailed)
				require.NoError(t, err)
				require.NoError(t, b.store.Review(t.Context(), jailed, models.ReviewLifted, "desk", "of age"))
				require.NoError(t, b.store.Review(t.Context(), jailed, models.ReviewKept, "desk", "not of age"))
			}
			hide()
			b.link(false) // a withheld booking has no links that matching found
			stored, _ := b.courtCases()
			require.Equal(t, []string{c.want}, stored)

			require.NoError(t, b.store.DecideCourtLink(t.Context(), b.caseID("C"), jailed, models.LinkDismissed))
			stored, _ = b.courtCases()
			require.Equal(t, []string{"C public"}, stored, "somebody else's, said the operator")
			require.NoError(t, b.store.DecideCourtLink(t.Context(), b.caseID("C"), jailed, models.LinkConfirmed))
			stored, _ = b.courtCases()
			require.Equal(t, []string{"C maybe juvenile"}, stored)
		})
	}
}
