package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

func TestGuarantee11ALateFileThatTellsOfAJuvenileHidesHer(t *testing.T) {
	t.Parallel()
	const hidden, open = "juvenile", "public"
	for name, c := range map[string]struct {
		told  [3]string // bond, birth, age and flag, day by day
		late  string    // when the second comes last
		order string    // when it comes in order
	}{
		"a birth date":                     {[3]string{"$1.00,,,", "$1.00,03/05/2010,,", "$1.00,,,"}, hidden, hidden},
		"the year of a child":              {[3]string{"$1.00,,,", "$1.00,2010,,", "$1.00,,,"}, hidden, hidden},
		"a year that leaves it open":       {[3]string{"$1.00,,,", "$1.00,2009,,", "$1.00,,,"}, "maybe juvenile", "maybe juvenile"},
		"an age":                           {[3]string{"$1.00,,,", "$1.00,,15,", "$2.00,,,"}, hidden, hidden},
		"a flag":                           {[3]string{"$1.00,,,", "$1.00,,,Y", "$1.00,,,"}, hidden, hidden},
		"an adult's birth is known":        {[3]string{"$1.00,,,", "$1.00,,,Y", "$1.00,03/05/1985,,"}, open, open},
		"an adult's year after one open":   {[3]string{"$1.00,,,", "$1.00,2009,,", "$1.00,1985,,"}, open, open},
		"the late file tells of an adult":  {[3]string{"$1.00,,,", "$1.00,03/05/1985,,", "$1.00,,,"}, open, open},
		"an age that nobody can read":      {[3]string{"$1.00,,40,", "$1.00,,sixteen,", "$1.00,,41,"}, open, "maybe juvenile"},
		"what was known before is no less": {[3]string{"$1.00,2010,,", "$1.00,,,", "$1.00,,,"}, hidden, hidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for want, order := range map[string][3]int{"late " + c.late: {0, 2, 1}, "in order " + c.order: {0, 1, 2}} {
				b := setup(t)
				s := flagSource(t, "county-a")
				for _, i := range order {
					b.now = b.now.Add(time.Hour)
					b.runSource(s, "roster.csv", flaggedRows("K1", c.told[i]), day.AddDate(0, 0, i))
				}
				how, why, _ := strings.Cut(want, " ")
				if how == "in" {
					_, why, _ = strings.Cut(why, " ")
				}
				require.Equal(t, "MOONSAIL, ORLA "+why, b.hiding()[0], want)
			}
		})
	}
}

func TestGuarantee11ALateFileHidesWhomItsWatchersWereToldOf(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := flagSource(t, "county-a")
	b.runner.BaselineWindow = 365 * 24 * time.Hour
	b.runSource(s, "roster.csv", flaggedRows("K1", "$1.00,,,"), day)
	b.runSource(s, "roster.csv", flaggedRows("K1", "$2.00,,,"), day.AddDate(0, 0, 2))
	r := b.runSource(s, "roster.csv", flaggedRows("K1", "$9.00,03/05/2010,,"), day.AddDate(0, 0, 1))
	require.Equal(t, source.RunOK, r.State, r.String())
	require.Equal(t, "juvenile booked | booking bond_change sealed", shown(b))
	require.Equal(t, 200, one[int](b, `select bond_cents from bookings where name like 'MOON%'`), "nothing else of it counts")

	t.Log("the same again changes nothing, nor does a newer row that leaves the birth out")
	b.runSource(s, "roster.csv", flaggedRows("K1", "$9.00,03/05/2010,,"), day.AddDate(0, 0, 1))
	b.runSource(s, "roster.csv", flaggedRows("K1", "$3.00,,,"), day.AddDate(0, 0, 3))
	require.Equal(t, "juvenile booked | booking bond_change sealed", shown(b))
	b.hiding()
}

func TestGuarantee11AFlagThatWasTakenBackStaysSoWhenItsOldFileIsReadAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := flagSource(t, "county-a")
	b.runSource(s, "roster.csv", flaggedRows("K1", "$1.00,,,"), day.AddDate(0, 0, -1))
	flag := b.runSource(s, "roster.csv", flaggedRows("K1", "$1.00,,,Y"), day)
	b.runSource(s, "roster.csv", flaggedRows("K1", "$1.00,,,N"), day.AddDate(0, 0, 1))
	require.NoError(t, b.store.Review(t.Context(), one[string](b, `select id from bookings where name like 'MOON%'`), models.ReviewLifted, "desk", "a slip, says the jail"))
	_, err := b.runner.Replay(t.Context(), s, flag.Run)
	require.NoError(t, err)
	require.Equal(t, "MOONSAIL, ORLA public", b.hiding()[0])
}

func TestGuarantee11ALateFileOfAnotherFeedTellsOfAJuvenileToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	silent, tells := bornSource(t, "county-a"), bornSource(t, "county-b")
	b.runSource(silent, "a.csv", inJail("$1.00", ""), day)
	b.runSource(silent, "a.csv", bornList(`K2,"THISTLEDOWN, PIP",2026-01-05 11:00,$1.00,05/05/1980`), day.AddDate(0, 0, 3))
	b.runSource(tells, "b.csv", inJail("$1.00", "03/05/2010"), day.AddDate(0, 0, 1))
	require.Contains(t, b.hiding(), "MOONSAIL, ORLA juvenile")
}

func TestGuarantee11LateRecordsOfCourtsAndCorrectionsTellOfJuvenilesToo(t *testing.T) {
	t.Parallel()
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}} {
		b := setup(t)
		cases := []string{caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", "K1"), caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "K1"), caseLine("J-1", "MOONSAIL, ORLA Q", "01/06/2026", "", "K1")}
		b.runSource(bornSource(t, "county-a"), "a.csv", inJail("$1.00", ""), day)
		for _, i := range order {
			b.now = b.now.Add(time.Hour)
			b.run("court-delta", "delta.txt", cases[i], day.AddDate(0, 0, i))
			b.run("corrections-fixed", "o.txt", strings.Replace(offenders(1), "19870505", fmt.Sprintf("%-8s", []string{"", "20110505", ""}[i]), 1), day.AddDate(0, 0, i))
		}
		stored, public := b.courtCases()
		require.Equal(t, []string{"J-1 juvenile"}, stored, "%v", order)
		require.Empty(t, public)
		require.Equal(t, "juvenile", one[string](b, `select coalesce(withheld::text, 'public') from corrections_records`), "%v", order)
		require.Equal(t, "MOONSAIL, ORLA maybe juvenile", b.hiding()[0], "the booking that the case names")
	}
}

func TestGuarantee11OfTwoRowsUnderOneKeyTheOneThatTellsOfAJuvenileHides(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]string{"a flag": "$1.00,,,Y", "a birth date": "$1.00,03/05/2010,,", "a year": "$1.00,2010,,", "an age": "$1.00,,15,", "an age and another bond": "$2.00,,15,"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, known := range []bool{false, true} {
				for _, first := range []bool{false, true} {
					b := setup(t)
					s := flagSource(t, "county-a")
					if known {
						b.runSource(s, "roster.csv", flaggedRows("K1", "$1.00,,,"), day)
					}
					rows := []string{told, "$1.00,,,"}
					if !first {
						rows[0], rows[1] = rows[1], rows[0]
					}
					text := strings.Replace(flaggedRows("K1", rows[0]), "K2,", "K1,\"MOONSAIL, ORLA\",2026-01-05 10:00,"+rows[1]+"\nK2,", 1)
					b.runSource(s, "roster.csv", text, day.AddDate(0, 0, 1))
					require.Equal(t, "MOONSAIL, ORLA juvenile", b.hiding()[0], "known %v, first %v", known, first)
					r := b.runSource(s, "roster.csv", text, day.AddDate(0, 0, 2))
					require.Zero(t, r.Changed, r.String())
					b.runSource(s, "roster.csv", flaggedRows("K1", "$1.00,,,"), day.AddDate(0, 0, 3))
					require.Equal(t, "MOONSAIL, ORLA juvenile", b.hiding()[0], "as a blank after it in time")
				}
			}
		})
	}
	b := setup(t)
	b.run("court-delta", "delta.txt", caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "03/05/2010", "")+caseLine("J-1", "MOONSAIL, ORLA", "01/06/2026", "", ""), day)
	stored, _ := b.courtCases()
	require.Equal(t, []string{"J-1 juvenile"}, stored)
}

func TestGuarantee11FilesThatAreReadTogetherTellWhatTheyTellOneByOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ first, second, want string }{
		{"$1.00,03/05/2010,,", "$2.00,,,", "juvenile"},
		{"$1.00,,,Y", "$2.00,,,", "juvenile"},
		{"$1.00,2010,,", "$2.00,03/05/1985,,", "public"},
		{"$1.00,,,", "$2.00,,,", "public"},
	} {
		for _, together := range []bool{false, true} {
			b := setup(t)
			dir := t.TempDir()
			s := sourceWith(t, "county-a", "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, born, age, juvenile]", "bond: bond}", "bond: bond, juvenile: juvenile}",
				"person: {name: name}", "person: {name: name, age: age, dob: {from: born, layouts: ['01/02/2006', '2006']}}",
				"policy: full_roster, absence: released, confirmations: 1", "policy: delta, absence: nothing", "complete: {end_marker: true, shrink: 1, min_rows: 1}\n", "",
				"decode:", "transport: {kind: folder, folder: '"+dir+`', pattern: '\.csv$', observed: {regex: '(\d{4}-\d{2}-\d{2}_\d{2}-\d{2})', layout: '2006-01-02_15-04'}}`+"\ndecode:")
			for i, told := range []string{c.first, c.second} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("a_2026-02-01_0%d-00.csv", i)), []byte(flaggedRows("K1", told)), 0o600))
				if i == 0 && together {
					continue
				}
				_, err := b.runner.Run(t.Context(), s, ingest.Input{})
				require.NoError(t, err)
			}
			require.Equal(t, "MOONSAIL, ORLA "+c.want, b.hiding()[0], "%v, together %v", c, together)
			require.Equal(t, 200, one[int](b, `select bond_cents from bookings where name like 'MOON%'`))
		}
	}
}
