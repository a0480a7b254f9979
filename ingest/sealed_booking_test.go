package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// twoFeeds are sources of one county: one that tells births, and one that may not.
func twoFeeds(t *testing.T) (tells, silent *ingest.Source) {
	t.Helper()
	days := []string{
		"columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, born]",
		"person: {name: name}", "person: {name: name, dob: {from: born, layouts: ['01/02/2006', '2006']}}", "'2006-01-02 15:04'", "'2006-01-02 15:04', '2006-01-02'",
	}
	return sourceWith(t, "county-a", days...), sourceWith(t, "county-b", days...)
}

// bornList is a file of both feeds.
func bornList(rows ...string) string {
	return "id,name,booked,bond,born\n" + strings.Join(rows, "\n") + "\n#end\n"
}

// hiding lists all bookings as "name why-withheld", and proves that what is withheld is on no list and in no total.
func (b *bundle) hiding() (all []string) {
	b.Helper()
	all = one[[]string](b, `select coalesce(array_agg(name || ' ' || coalesce(withheld::text, 'public') order by rid), '{}') from bookings`)
	public := one[int](b, `select count(*) from published_bookings`)
	page, err := b.store.ListBookings(b.Context(), models.RosterFilter{}, models.Page{Limit: 50})
	require.NoError(b, err)
	require.Len(b, page.Records, public)
	require.Equal(b, public, one[int](b, `select coalesce(sum(n), 0) from roster_totals where county_id = 0`))
	return all
}

const carl = `A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,03/05/2010`

func TestWhomOneFeedKnowsAsAJuvenileNoOtherFeedPublishes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		row  string
		want string // of the second feed's row
	}{
		"five minutes later":                           {`B1,"MOONSAIL, CARL",2026-01-05 23:55,$1.00,`, "MOONSAIL, CARL maybe juvenile"},
		"another spelling":                             {`B1,"MOONSAIL, KARL",2026-01-05 23:50,$1.00,`, "MOONSAIL, KARL maybe juvenile"},
		"the other side of midnight":                   {`B1,"MOONSAIL, CARL",2026-01-06 00:10,$1.00,`, "MOONSAIL, CARL maybe juvenile"},
		"the next day alone":                           {`B1,"CARL QUILL MOONSAIL",2026-01-06,$1.00,`, "CARL QUILL MOONSAIL maybe juvenile"},
		"a birth date that is nearly the same":         {`B1,"MOONSAIL, CARL",2026-01-05 22:00,$1.00,03/05/2000`, "MOONSAIL, CARL public"},
		"two days later is another booking":            {`B1,"MOONSAIL, CARL",2026-01-07 23:50,$1.00,`, "MOONSAIL, CARL public"},
		"another person":                               {`B1,"THISTLEDOWN, PIP",2026-01-05 23:50,$1.00,`, "THISTLEDOWN, PIP public"},
		"an adult's birth date that clearly conflicts": {`B1,"MOONSAIL, CARL",2026-01-05 23:55,$1.00,07/11/1985`, "MOONSAIL, CARL public"},
		"the year of an adult":                         {`B1,"MOONSAIL, CARL",2026-01-05 23:55,$1.00,1985`, "MOONSAIL, CARL public"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, juvenileFirst := range []bool{true, false} {
				b := setup(t)
				tells, silent := twoFeeds(t)
				b.runner.BaselineWindow = 365 * 24 * time.Hour
				if juvenileFirst {
					b.runSource(tells, "a.csv", bornList(carl), day)
					b.runSource(silent, "b.csv", bornList(c.row), day.Add(time.Hour))
				} else {
					b.runSource(silent, "b.csv", bornList(c.row), day)
					b.runSource(tells, "a.csv", bornList(carl), day.Add(time.Hour))
				}
				require.ElementsMatch(t, []string{"MOONSAIL, CARL juvenile", c.want}, b.hiding())
				said := one[string](b, `select coalesce(string_agg(kind, ' ' order by id), '') from changes`)
				hidden := strings.HasSuffix(c.want, "maybe juvenile")
				switch {
				case hidden && juvenileFirst:
					require.Empty(t, said, "nobody hears of a juvenile")
				case hidden:
					require.Equal(t, "booking sealed", said, "whoever heard of it hears that it is sealed")
				}
				if hidden {
					require.Equal(t, []string{one[string](b, `select w.id || ' ' || j.id from bookings w, bookings j where w.withheld = 'maybe juvenile' and j.withheld = 'juvenile'`)}, b.waiting())
				} else {
					require.Empty(t, b.waiting())
				}
			}
		})
	}
}

func TestAnOperatorsWordOfABookingThatMayBeAJuvenilesOutlastsEveryRow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tells, silent := twoFeeds(t)
	second := func(bond string) string { return `B1,"MOONSAIL, KARL",2026-01-05 23:55,` + bond + "," }
	later := func(s *ingest.Source, text string) {
		t.Helper()
		b.now = b.now.Add(time.Hour)
		b.runSource(s, "x.csv", text, day.Add(b.now.Sub(seen)))
	}
	later(tells, bornList(carl))
	later(silent, bornList(second("$1.00")))
	id := one[string](b, `select id from bookings where name like '%KARL'`)
	require.NoError(t, b.store.Review(t.Context(), id, models.ReviewLifted, "desk", "his father"))
	require.Equal(t, []string{"MOONSAIL, CARL juvenile", "MOONSAIL, KARL public"}, b.hiding())
	later(silent, bornList(second("$2.00")))
	later(tells, bornList(strings.Replace(carl, "$1", "$2", 1)))
	later(tells, bornList(strings.Replace(carl, "03/05/2010", "03/06/2010", 1)))
	later(silent, bornList(second("$3.00")))
	require.Equal(t, []string{"MOONSAIL, CARL juvenile", "MOONSAIL, KARL public"}, b.hiding(), "an operator lifted it")

	require.NoError(t, b.store.Review(t.Context(), id, models.ReviewKept, "desk", "himself"))
	later(tells, bornList(strings.Replace(carl, "2010", "1985", 1)))
	later(silent, bornList(second("$4.00")))
	require.Equal(t, []string{"MOONSAIL, CARL juvenile", "MOONSAIL, KARL maybe juvenile"}, b.hiding(), "an operator keeps it hidden")
}

func TestABookingIsPublishedWhenItsGroundIsGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tells, silent := twoFeeds(t)
	year := strings.Replace(carl, "03/05/2010", "2009", 1)
	b.runSource(tells, "a.csv", bornList(year), day)
	b.runSource(silent, "b.csv", bornList(`B1,"MOONSAIL, KARL",2026-01-05 23:55,$1.00,`), day.Add(time.Hour))
	require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile", "MOONSAIL, KARL maybe juvenile"}, b.hiding())
	first := one[string](b, `select id from bookings where name like '%CARL'`)

	t.Log("an operator finds the first to be of age, or not")
	require.NoError(t, b.store.Review(t.Context(), first, models.ReviewLifted, "desk", "born in January"))
	require.Equal(t, []string{"MOONSAIL, CARL public", "MOONSAIL, KARL public"}, b.hiding())
	require.NoError(t, b.store.Review(t.Context(), first, models.ReviewKept, "desk", "born in December"))
	require.Equal(t, []string{"MOONSAIL, CARL maybe juvenile", "MOONSAIL, KARL maybe juvenile"}, b.hiding())
	require.NoError(t, b.store.Review(t.Context(), first, models.ReviewLifted, "desk", "born in January after all"))

	t.Log("its own source tells that it is an adult's")
	b.runSource(tells, "a.csv", bornList(carl), day.Add(2*time.Hour))
	require.Equal(t, []string{"MOONSAIL, CARL juvenile", "MOONSAIL, KARL maybe juvenile"}, b.hiding())
	b.runSource(silent, "b.csv", bornList(`B1,"MOONSAIL, KARL",2026-01-05 23:55,$2.00,07/11/1985`), day.Add(3*time.Hour))
	require.Equal(t, []string{"MOONSAIL, CARL juvenile", "MOONSAIL, KARL public"}, b.hiding())
	require.Equal(t, 3, one[int](b, `select count(*) from changes where name = 'MOONSAIL, KARL' and kind = 'booking'`), "published while in jail, three times")
}

func TestWhoeverIsWithheldOnAnothersAccountIsNoGroundForAThird(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tells, silent := twoFeeds(t)
	b.runSource(tells, "a.csv", bornList(carl), day)
	b.runSource(silent, "b.csv", bornList(`B1,"MOONSAIL, CARL",2026-01-06 20:00,$1.00,`, `B2,"MOONSAIL, CARL",2026-01-07 20:00,$1.00,`), day.Add(time.Hour))
	require.Equal(t, []string{"MOONSAIL, CARL juvenile", "MOONSAIL, CARL maybe juvenile", "MOONSAIL, CARL public"}, b.hiding())
}

func TestASourceThatAloneTellsOfTwoPeopleKnowsThemApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tells, _ := twoFeeds(t)
	b.runSource(tells, "a.csv", bornList(carl, `A2,"MOONSAIL, KARL",2026-01-05 23:50,$1.00,`), day)
	b.runSource(tells, "a.csv", bornList(carl, `A2,"MOONSAIL, KARL",2026-01-05 23:50,$2.00,`), day.Add(time.Hour))
	require.Equal(t, []string{"MOONSAIL, CARL juvenile", "MOONSAIL, KARL public"}, b.hiding())
}

func TestWhomACourtKnowsAsAJuvenileNoJailPublishes(t *testing.T) {
	t.Parallel()
	jail := func(born string) string {
		return bornList(`K-1,"MOONSAIL, ORLA",2026-01-05 10:00,$1.00,`+born, `K2,"THISTLEDOWN, PIP",2026-01-05 11:00,$1.00,`)
	}
	for name, c := range map[string]struct {
		steps   []string // files of the court or the jail, in order
		want    string
		waiting int
	}{
		"the jail comes after":            {[]string{caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), jail("")}, "maybe juvenile", 1},
		"the court comes after":           {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1")}, "maybe juvenile", 1},
		"seventeen since":                 {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/07/2026", "01/06/2009", "K1")}, "maybe juvenile", 2},
		"seventeen before":                {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/07/2026", "01/05/2009", "K1")}, "public", 0},
		"another layout":                  {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "2009-06-01", "K1")}, "maybe juvenile", 1},
		"the jail knows an adult":         {[]string{jail("07/11/1985"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1")}, "public", 0},
		"another number":                  {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K11")}, "public", 0},
		"another person under the number": {[]string{jail(""), caseLine("J-1", "QUILLFEATHER, MARLOWE", "01/06/2026", "03/05/2010", "K1")}, "public", 0},
		"the court takes it back":         {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2000", "K1")}, "public", 0},
		"the jail says an adult after":    {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), jail("07/11/1985")}, "public", 0},
		"the jail's row changes":          {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), strings.Replace(jail(""), "$1", "$2", 1)}, "maybe juvenile", 1},
		"the jail corrects the number":    {[]string{jail(""), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), strings.Replace(jail(""), "K-1", "K-9", 1)}, "maybe juvenile", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			tells, _ := twoFeeds(t)
			court, err := ingest.Load("court-delta")
			require.NoError(t, err)
			for i, text := range c.steps {
				at := day.AddDate(0, 0, 2+i)
				if strings.HasPrefix(text, "CA") {
					b.runSource(court, "delta.txt", text, at)
				} else {
					b.runSource(tells, "roster.csv", text, at)
				}
			}
			require.ElementsMatch(t, []string{"MOONSAIL, ORLA " + c.want, "THISTLEDOWN, PIP public"}, b.hiding())
			require.Len(t, b.waiting(), c.waiting)
		})
	}
}

// TestABookingThatACourtHidesIsNotShownByAnotherFeedOfIt holds that the numbers of a booking are all of them, whoever tells it.
func TestABookingThatACourtHidesIsNotShownByAnotherFeedOfIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tells, silent := twoFeeds(t)
	b.runSource(tells, "a.csv", bornList(`K1,"MOONSAIL, ORLA",2026-01-05 10:00,$1.00,`), day)
	b.run("court-delta", "a.txt", caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), day.Add(time.Hour))
	for i, bond := range []string{"$1.00", "$2.00"} {
		r := b.runSource(silent, "b.csv", bornList(`ZZ1,"MOONSAIL, ORLA",2026-01-05 10:00,`+bond+`,`), day.Add(time.Duration(2+i)*time.Hour))
		require.Equal(t, []string{"MOONSAIL, ORLA maybe juvenile"}, b.hiding(), r.String())
	}
}

func TestWhatACourtSaysOfABookingReachesTheOtherFeed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.runner.BaselineWindow = 365 * 24 * time.Hour
	tells, silent := twoFeeds(t)
	b.runSource(tells, "a.csv", bornList(`K1,"MOONSAIL, ORLA",2026-01-05 10:00,$1.00,`), day)
	b.runSource(silent, "b.csv", bornList(`B1,"MOONSAIL, ORLLA",2026-01-05 10:20,$1.00,`), day.Add(time.Hour))
	b.run("court-delta", "a.txt", caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), day.AddDate(0, 0, 1))
	require.Equal(t, []string{"MOONSAIL, ORLA maybe juvenile", "MOONSAIL, ORLLA maybe juvenile"}, b.hiding())
	require.Equal(t, "booking booking sealed sealed", one[string](b, `select string_agg(kind, ' ' order by kind) from changes`))
	first := one[string](b, `select id from bookings where name = 'MOONSAIL, ORLA'`)
	require.ElementsMatch(t, []string{first + " " + b.caseID("J-1"), one[string](b, `select id from bookings where name = 'MOONSAIL, ORLLA'`) + " " + first}, b.waiting())

	require.NoError(t, b.store.Review(t.Context(), first, models.ReviewLifted, "desk", "the court is wrong"))
	require.Equal(t, []string{"MOONSAIL, ORLA public", "MOONSAIL, ORLLA public"}, b.hiding())
	b.run("court-delta", "b.txt", caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/06/2010", "K1"), day.AddDate(0, 0, 2))
	require.Equal(t, []string{"MOONSAIL, ORLA public", "MOONSAIL, ORLLA public"}, b.hiding(), "an operator lifted it")
}
