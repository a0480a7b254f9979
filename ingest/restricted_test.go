package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// restricted is how the records of a family stand whose sealed one is looked for: "name why-withheld", then what is published.
func restricted(b *bundle, table, name, view, where string) (stored string, published int) {
	b.Helper()
	return one[string](b, fmt.Sprintf(`select coalesce(string_agg(%s || ' ' || coalesce(withheld::text, 'public'), '; '), 'none') from %s where %s`, name, table, where)),
		one[int](b, fmt.Sprintf(`select count(*) from %s where %s`, view, where))
}

// A jail, a court and the department restrict a record by a word in the place of the name, in files of changes and in whole lists.
// Then they name the person again.
func TestARecordWhoseNameBecomesARestrictionIsWithheld(t *testing.T) {
	t.Parallel()
	jailRow := func(name string) string {
		return "id,name,booked,bond\n" + others + `A1,"` + name + `",2026-02-01 10:00,$500.00` + "\n#end\n"
	}
	changeRow := func(name string) string {
		return "id,name,booked,bond,out,seen,rel\n" + `A1,"` + name + `",2026-02-01 10:00,$500.00,,,` + "\n#end\n"
	}
	court := func(name string) string { return caseLine("J-1", name, "01/06/2026", "", "") }
	prison := func(name string) string {
		return edited(offenders(300), 7, "QUILLFEATHERAH", fmt.Sprintf("%-14s", name), "WREN", map[bool]string{true: "    ", false: "WREN"}[!strings.HasPrefix(name, "QUILL")]) + "#END\n"
	}
	for name, c := range map[string]struct {
		source              *ingest.Source
		file                func(name string) string
		table, column, view string
		where               string
		person, word        string
	}{
		"a list of a jail":    {rosterSource(t, "county-a", 1), jailRow, "bookings", "name", "published_bookings", "booked_at = '2026-02-01 15:00Z'", "MOONSAIL, ORLA", "SEALED"},
		"changes of a jail":   {deltaSource(t, "county-a"), changeRow, "bookings", "name", "published_bookings", "true", "MOONSAIL, ORLA", "NAME WITHHELD"},
		"names that are keys": {keyed(t, "county-a", compositeKey), jailRow, "bookings", "name", "published_bookings", "booked_at = '2026-02-01 15:00Z'", "MOONSAIL, ORLA", "CONFIDENTIAL"},
		"changes of a court":  {courtSource(t, "delta"), court, "court_cases", "defendant", "published_cases", "true", "MOONSAIL, ORLA", "RESTRICTED, "},
		"a list of a court":   {courtSource(t, "full_roster"), court, "court_cases", "defendant", "published_cases", "true", "MOONSAIL, ORLA", "DEFENDANT, SEALED"},
		"the department":      {wholePrison(t), prison, "corrections_records", "name", "published_corrections", "gdc_id = '00000008'", "QUILLFEATHERAH", "EXPUNGED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			days := 0
			read := func(name string) (string, int) {
				t.Helper()
				r := b.runSource(c.source, "file.txt", c.file(name), day.AddDate(0, 0, days))
				require.Equal(t, []any{source.RunOK, 0}, []any{r.State, r.Quarantined}, r.String())
				days++
				return restricted(b, c.table, c.column, c.view, c.where)
			}
			stored, published := read(c.person)
			require.Contains(t, stored, " public")
			require.Equal(t, 1, published)
			shown := strings.TrimSuffix(stored, " public")

			for range 2 {
				stored, published = read(c.word)
				require.Equal(t, shown+" restricted", stored, "the name stays inside")
				require.Zero(t, published)
			}
			require.Empty(t, b.waiting())
			rebuilt := 0
			for _, f := range []models.Family{models.Roster, models.Courts, models.Corrections} {
				r, err := b.store.Rebuild(t.Context(), f, false)
				require.NoError(t, err)
				rebuilt += r.Changed
			}
			require.Zero(t, rebuilt)

			stored, published = read(c.person)
			require.Equal(t, shown+" maybe restricted", stored, "a review decides, as of a flag that was taken back")
			require.Zero(t, published)
			list := b.waiting()
			require.Len(t, list, 1)
			id := strings.Fields(list[0])[0]
			require.NoError(t, b.store.Review(t.Context(), id, models.ReviewLifted, "desk", "the order was lifted"))
			stored, published = restricted(b, c.table, c.column, c.view, c.where)
			require.Equal(t, shown+" public", stored)
			require.Equal(t, 1, published)

			stored, published = read(c.word)
			require.Equal(t, shown+" restricted", stored, "the review was about the order before")
			require.Zero(t, published)
		})
	}
}

// wholePrison is the department with whole files.
func wholePrison(t *testing.T) *ingest.Source {
	t.Helper()
	s, err := ingest.Load("corrections-fixed")
	require.NoError(t, err)
	s.Decode.EndMarker, s.Complete.EndMarker = "#END", true
	return s
}

func TestNobodyCalledRestrictedIsEverPublished(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	list := func(name string) string { return listed(`A1,"` + name + `",2026-02-01 10:00,$500.00`) }
	r := b.runSource(s, "roster.csv", list("SEALED DEFENDANT"), day)
	require.Equal(t, []int{4, 1, 0}, []int{r.New, r.Withheld, r.Quarantined}, r.String())
	require.Equal(t, 3, one[int](b, `select count(*) from published_bookings`))
	require.Zero(t, one[int](b, `select count(*) from changes where name like 'SEALED%'`), "watchers of nobody")
	b.runSource(s, "roster.csv", list("MOONSAIL, ORLA"), day.AddDate(0, 0, 1))
	require.Equal(t, "MOONSAIL, ORLA maybe restricted", one[string](b, `select name || ' ' || withheld from bookings where withheld is not null`))

	t.Log("of two lists one restricts the record; the other goes on naming the person")
	other := rosterSource(t, "county-b", 1)
	b.runSource(other, "roster.csv", listed(`Z9,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00`), day.AddDate(0, 0, 1))
	b.runSource(s, "roster.csv", list("SEALED"), day.AddDate(0, 0, 2))
	b.runSource(other, "roster.csv", listed(`Z9,"MOONSAIL, ORLA",2026-02-01 10:00,$900.00`), day.AddDate(0, 0, 3))
	require.Equal(t, "MOONSAIL, ORLA restricted", one[string](b, `select string_agg(name || ' ' || withheld, '; ') from bookings where withheld is not null`))
	require.Equal(t, 3, one[int](b, `select count(*) from published_bookings`))
}

// A broken file names most people so. An operator looks before their records are withheld.
func TestAFileThatRestrictsMostOfItsPeopleIsHeld(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		source *ingest.Source
		file   func(sealed int) string
		table  string
		of     string
	}{
		"a list of a jail": {rosterSource(t, "county-a", 1), func(sealed int) string {
			return replacedNames(crowd("K", "QUILLFEATHER", 12, "2026-01-05"), sealed)
		}, "bookings", "7 of 12"},
		"a court": {courtSource(t, "delta"), func(sealed int) string {
			return manyCases(40, func(d *docket) {
				if d.n < sealed*3 {
					d.last, d.first = "SEALED", ""
				}
			})
		}, "court_cases", "21 of 40"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.runSource(c.source, "file.txt", c.file(0), day)
			b.now = b.now.AddDate(0, 0, 1)
			r := b.runSource(c.source, "file.txt", c.file(6), day.AddDate(0, 0, 1))
			require.Equal(t, source.RunOK, r.State, r.String())
			before := one[int](b, `select count(*) from `+c.table+` where withheld = 'restricted'`)
			r = b.runSource(c.source, "file.txt", c.file(0), day.AddDate(0, 0, 2))
			require.Equal(t, source.RunOK, r.State, r.String())
			r = b.runSource(c.source, "file.txt", c.file(7), day.AddDate(0, 0, 3))
			require.Equal(t, source.RunHeld, r.State, r.String())
			require.Contains(t, r.Note, "the names of "+c.of+" people would become words such as RESTRICTED")
			require.Equal(t, before, one[int](b, `select count(*) from `+c.table+` where withheld = 'maybe restricted'`), "nothing of it is applied")
		})
	}
}

// replacedNames puts SEALED in the place of the first names of a file of crowd.
func replacedNames(file string, n int) string {
	lines := strings.Split(file, "\n")
	for i := range lines {
		if fields := strings.Split(lines[i], `"`); i > 0 && i <= n {
			lines[i] = fields[0] + "SEALED" + fields[2]
		}
	}
	return strings.Join(lines, "\n")
}

// What an operator withholds by hand comes back by no file: not with other facts, not after an absence, and by no rebuild.
func TestWhatAnOperatorWithholdsStaysSoWhateverItsSourceSends(t *testing.T) {
	t.Parallel()
	const table = "bookings"
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	row := func(bond string) string { return listed(`A1,"MOONSAIL, ORLA",2026-02-01 10:00,` + bond) }
	b.runSource(s, "roster.csv", row("$500.00"), day)
	id := one[string](b, `select id from bookings where name like 'MOONSAIL%'`)
	from, err := b.store.Restrict(t.Context(), id, "desk", "an order of the court")
	require.NoError(t, err)
	require.Equal(t, "county-a", from)
	for i, file := range []string{row("$500.00"), row("$900.00"), listed(), listed(), row("$900.00"), strings.Replace(row("$1.00"), "ORLA", "ORLA TEAGAN", 1)} {
		b.runSource(s, "roster.csv", file, day.AddDate(0, 0, i+1))
		r, err := b.store.Rebuild(t.Context(), models.Roster, false)
		require.NoError(t, err)
		require.Zero(t, r.Changed)
		stored, published := restricted(b, table, "id", "published_bookings", "name like 'MOONSAIL%'")
		require.Equal(t, []any{id + " restricted", 0}, []any{stored, published}, i)
	}
	require.Empty(t, b.waiting(), "nobody is asked")
	decided, _, err := b.store.Reviews(t.Context(), true, "", 10)
	require.NoError(t, err)
	require.Equal(t, []any{id, models.WithheldRestricted, models.ReviewKept}, []any{decided[0].ID, decided[0].Reason, *decided[0].Decision})

	t.Log("the source says restricted as well: to lift one of the two publishes nothing")
	b.runSource(s, "roster.csv", strings.Replace(row("$1.00"), "MOONSAIL, ORLA", "SEALED", 1), day.AddDate(0, 0, 8))
	b.runSource(s, "roster.csv", row("$1.00"), day.AddDate(0, 0, 9))
	require.NoError(t, b.store.Review(t.Context(), id, models.ReviewLifted, "desk", "the order was lifted"))
	stored, _ := restricted(b, table, "id", "published_bookings", "id = '"+id+"'")
	require.Equal(t, id+" maybe restricted", stored)
	require.NoError(t, b.store.Review(t.Context(), id, models.ReviewLifted, "desk", "says the jail, too"))
	_, published := restricted(b, table, "id", "published_bookings", "id = '"+id+"'")
	require.Equal(t, 1, published)
}
