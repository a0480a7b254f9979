package ingest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// flagSource tells of people with a flag, an age and a birth date.
func flagSource(t *testing.T, id string) *ingest.Source {
	t.Helper()
	return sourceWith(t, id, "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, born, age, juvenile]", "bond: bond}", "bond: bond, juvenile: juvenile}",
		"person: {name: name}", "person: {name: name, age: age, dob: {from: born, layouts: ['01/02/2006', '2006']}}")
}

// flaggedRows lists one person of whom bond, birth, age and flag are told, and one who stays.
func flaggedRows(key, told string) string {
	return "id,name,booked,bond,born,age,juvenile\n" + key + ",\"MOONSAIL, ORLA\",2026-01-05 10:00," + told + "\nK2,\"THISTLEDOWN, PIP\",2026-01-08 11:00,$1.00,05/05/1980,,N\n#end\n"
}

// backInReview tells whether a review waits because the flag was taken back.
func backInReview(b *bundle) string {
	b.Helper()
	list, _, err := b.store.Reviews(b.Context(), false, "", 10)
	require.NoError(b, err)
	var all []string
	for _, p := range list {
		why := string(p.Reason)
		if p.TakenBack {
			why += ", taken back"
		}
		all = append(all, why)
	}
	return strings.Join(all, "; ")
}

func TestGuarantee11AJuvenileFlagThatIsTakenBackWaitsForAReview(t *testing.T) {
	t.Parallel()
	const waits = "maybe juvenile, taken back"
	for name, c := range map[string]struct {
		rows         []string // of bond, birth, age and flag, day by day
		want, review string   // after the last
	}{
		"taken back":                             {[]string{"$1.00,,,Y", "$1.00,,,N"}, "maybe juvenile", waits},
		"set after a no, and taken back":         {[]string{"$1.00,,,N", "$1.00,,,Y", "$1.00,,,N"}, "maybe juvenile", waits},
		"it goes on to say no":                   {[]string{"$1.00,,,Y", "$1.00,,,N", "$2.00,,,N", "$2.00,,,"}, "maybe juvenile", waits},
		"blank between the two":                  {[]string{"$1.00,,,Y", "$1.00,,,", "$1.00,,,N"}, "maybe juvenile", waits},
		"the year of an adult publishes no flag": {[]string{"$1.00,1980,,Y", "$1.00,1980,,N", "$2.00,1980,,N"}, "maybe juvenile", waits},
		"an age that leaves it open":             {[]string{"$1.00,2009,,Y", "$1.00,2009,,N"}, "maybe juvenile", waits},
		"only blank":                             {[]string{"$1.00,,,Y", "$1.00,,,"}, "juvenile", ""},
		"an unclear word":                        {[]string{"$1.00,,,Y", "$1.00,,,maybe"}, "juvenile", ""},
		"set again":                              {[]string{"$1.00,,,Y", "$1.00,,,N", "$1.00,,,Y"}, "juvenile", ""},
		"an age beside the flag":                 {[]string{"$1.00,,16,Y", "$1.00,,,N"}, "juvenile", ""},
		"an age told later, the rest unchanged":  {[]string{"$1.00,,,Y", "$1.00,,15,Y", "$1.00,,,N"}, "juvenile", ""},
		"an age beside the no":                   {[]string{"$1.00,,,Y", "$1.00,,15,N"}, "juvenile", ""},
		"an age without a flag":                  {[]string{"$1.00,,15,N", "$1.00,,,N"}, "juvenile", ""},
		"the birth date of a juvenile":           {[]string{"$1.00,,,Y", "$1.00,05/05/2011,,Y", "$1.00,,,N"}, "juvenile", ""},
		"the birth date of a juvenile, after it": {[]string{"$1.00,,,Y", "$1.00,,,N", "$1.00,05/05/2011,,N"}, "juvenile", ""},
		"the year of a juvenile":                 {[]string{"$1.00,2012,,Y", "$1.00,,,N"}, "juvenile", ""},
		"the birth date of an adult publishes":   {[]string{"$1.00,,,Y", "$1.00,05/05/1980,,N"}, "public", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for i, row := range c.rows {
				b.runSource(flagSource(t, "county-a"), "roster.csv", flaggedRows("K1", row), day.AddDate(0, 0, i))
			}
			require.Contains(t, shown(b), c.want+" booked")
			require.Equal(t, c.review, backInReview(b))
		})
	}
}

func TestGuarantee11AFlagThatIsTakenBackIsNoReasonWhileSomethingElseSaysJuvenile(t *testing.T) {
	t.Parallel()
	t.Run("another source that tells of the same booking", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second := flagSource(t, "county-a"), flagSource(t, "county-b")
		b.runSource(first, "roster.csv", flaggedRows("K1", "$1.00,,,Y"), day)
		b.runSource(second, "roster.csv", flaggedRows("K1", "$1.00,,,Y"), day.AddDate(0, 0, 1))
		require.Equal(t, 1, one[int](b, `select count(*)::int from bookings where name like 'MOONSAIL%'`))
		b.runSource(first, "roster.csv", flaggedRows("K1", "$1.00,,,N"), day.AddDate(0, 0, 2))
		require.Contains(t, shown(b), "juvenile booked")
		require.Empty(t, backInReview(b))
		b.runSource(second, "roster.csv", flaggedRows("K1", "$1.00,,,N"), day.AddDate(0, 0, 3))
		require.Equal(t, "maybe juvenile, taken back", backInReview(b), "both took it back")
	})
	t.Run("another source that tells of an alike booking", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second := flagSource(t, "county-a"), flagSource(t, "county-b")
		b.runSource(first, "roster.csv", flaggedRows("K1", "$1.00,,,Y"), day)
		b.runSource(second, "roster.csv", strings.Replace(flaggedRows("K1", "$1.00,,16,"), "2026-01-05 10:00", "2026-01-05 19:00", 1), day.AddDate(0, 0, 1))
		require.Equal(t, 2, one[int](b, `select count(*)::int from bookings where name like 'MOONSAIL%'`))
		b.runSource(first, "roster.csv", flaggedRows("K1", "$1.00,,,N"), day.AddDate(0, 0, 2))
		require.Equal(t, "juvenile booked; juvenile booked | ", shown(b))
		require.Empty(t, backInReview(b))
	})
}

func TestGuarantee11WhoseFlagWasTakenBackIsPublicOnceReviewedUntilItIsSetAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := 0
	load := func(told string) {
		t.Helper()
		b.runSource(flagSource(t, "county-a"), "roster.csv", flaggedRows("K1", told), day.AddDate(0, 0, at))
		at++
	}
	lift := func() {
		t.Helper()
		require.NoError(t, b.store.Review(t.Context(), one[string](b, `select id from bookings where name like 'MOONSAIL%'`), models.ReviewLifted, "test", "the jail says it was a mistake"))
	}
	load("$1.00,,,Y")
	load("$1.00,,,N")
	require.Equal(t, "maybe juvenile booked | ", shown(b))
	lift()
	require.Equal(t, "public booked | booking", shown(b))
	load("$1.00,,,N")
	load("$2.00,,,N")
	load("$2.00,,,")
	require.Equal(t, "public booked | booking bond_change", shown(b), "it stays public while the source goes on to say no")
	load("$2.00,,,Y")
	require.Equal(t, "juvenile booked | booking bond_change sealed", shown(b))
	require.Empty(t, backInReview(b))
	load("$2.00,,,N")
	require.Equal(t, "maybe juvenile booked | booking bond_change sealed", shown(b), "what was decided before it was set again is no answer")
	require.Equal(t, "maybe juvenile, taken back", backInReview(b))
	lift()
	load("$3.00,,,N")
	require.Contains(t, shown(b), "public booked")
	load("$3.00,05/05/2011,,N")
	require.Contains(t, shown(b), "juvenile booked", "the birth date of a juvenile overrules")
	require.Empty(t, backInReview(b))
}
