package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

const unnumberedDocument = `id: county-a
title: A county without booking numbers
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: released}
decode: {format: csv, columns: [name, age, booked, released, charges, bond], end_marker: "#end"}
complete: {end_marker: true}
fields:
  booking: {booked_at: {from: booked, layouts: ['2006-01-02']}, released_at: {from: released, layouts: ['2006-01-02']}, bond: bond}
  person: {name: name, age: age}
  charge: {each: {segments: {from: charges, on: [';']}}, description: text}
identity: {booking: [{of: [person.name, booking.booked_at], strength: composite}]}
`

func TestGuarantee8TwoPeopleUnderOneKeyAreNeverMadeOneSilently(t *testing.T) {
	t.Parallel()
	const first = `"SMITHEE, ALAN",20,2026-03-01,,DUI,$5.00`
	cases := []struct {
		name, second string
		quarantined  int
	}{
		{"another age", `"SMITHEE, ALAN",55,2026-03-01,,DUI,$5.00`, 1},
		{"other charges", `"SMITHEE, ALAN",20,2026-03-01,,ARSON,$5.00`, 1},
		{"another bond", `"SMITHEE, ALAN",20,2026-03-01,,DUI,$900.00`, 1},
		{"the same row again", first, 0},
		{"his age a year on", `"SMITHEE, ALAN",21,2026-03-01,,DUI,$5.00`, 0},
		{"his release, told beside his booking", `"SMITHEE, ALAN",20,2026-03-01,2026-03-02,,`, 0},
		{"less of the same", `"Smithee, Alan",,2026-03-01,,,`, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, err := ingest.Parse([]byte(unnumberedDocument))
			require.NoError(t, err)
			text := strings.Join([]string{"name,age,booked,released,charges,bond", first, c.second, `"FENWICKE, DELL",33,2026-03-02,,DUI,$5.00`, "#end", ""}, "\n")
			for range 2 {
				r := b.runSource(s, "roster.csv", text, b.now)
				require.Equal(t, []int{c.quarantined, 1 - c.quarantined}, []int{r.Quarantined, r.Repeated}, r.String())
			}
			require.Equal(t, 2, one[int](b, `select count(*) from bookings`))
			if c.quarantined > 0 {
				require.Equal(t, "3 identity.booking another row of the snapshot has this key, and its age, charges or bond are others", one[string](b, `select line || ' ' || field || ' ' || reason from quarantine`))
				require.Equal(t, "{DUI} 500", one[string](b, `select charges::text || ' ' || bond_cents from bookings where name like 'SMITHEE%'`), "the first keeps its facts")
			}
		})
	}
}

func TestARowThatStandsTwiceInOneFileIsNoDoubtAboutItsEnd(t *testing.T) {
	t.Parallel()
	row := func(text string, n int) string { return strings.Split(text, "\n")[n] + "\n" }
	whole := roster(6)
	cases := []struct {
		name  string
		files []string
		state source.RunState
	}{
		{"the same row twice", []string{strings.Replace(roster(6, 5), row(whole, 1), row(whole, 1)+row(whole, 1), 1)}, source.RunOK},
		{"its key twice, with other facts", []string{strings.Replace(roster(6, 5), row(whole, 1), row(whole, 1)+strings.Replace(row(whole, 1), "$500.00", "$600.00", 1), 1)}, source.RunPartial},
		{"the same row in two files", []string{roster(6, 5), roster(1)}, source.RunPartial},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := rosterSource(t, "county-a", 1)
			b.runSource(s, "roster.csv", whole, day)
			var files []string
			for i, text := range c.files {
				files = append(files, filepath.Join(b.dir, string(rune('a'+i))+".csv"))
				require.NoError(t, os.WriteFile(files[i], []byte(text), 0o600))
			}
			r, err := b.runner.Run(t.Context(), s, ingest.Input{Files: files, At: day.AddDate(0, 0, 1)})
			require.NoError(t, err)
			require.Equal(t, c.state, r.State, r.String())
			require.Equal(t, map[source.RunState]int{source.RunOK: 1}[c.state], r.Closed, "who is missing is released only by a whole file")
		})
	}
}

// TestGuarantee4TheOrderOfRowsThatContradictEachOtherReleasesNobody holds that whoever a list of everybody still has is not
// released by another row of the same number, in whatever order the two stand.
func TestGuarantee4TheOrderOfRowsThatContradictEachOtherReleasesNobody(t *testing.T) {
	t.Parallel()
	const held, gone = `K1,"MOONSAIL, ORLA",1990-01-02,2026-01-05,`, `K1,"MOONSAIL, ORLA",1990-01-02,2026-01-05,2026-01-30`
	file := func(rows ...string) string {
		return "id,name,dob,booked,released\n" + strings.Join(rows, "\n") + "\n#end\n"
	}
	for _, first := range [][]string{{held, gone}, {gone, held}} {
		b := setup(t)
		s := datedSource(t, roll)
		released := func() int { return one[int](b, `select count(*) from bookings where status = 'released'`) }
		told := func() int { return one[int](b, `select count(*) from record_changes`) }
		b.runSource(s, "a.csv", file(first...), day)
		before := told()
		for i, again := range [][]string{{gone, held}, {held, gone}} {
			r := b.runSource(s, "b.csv", file(again...), day.AddDate(0, 0, 1+i))
			require.Equal(t, []any{0, before, 1, false}, []any{released(), told(), r.Repeated, r.Complete}, r.String())
		}
		r := b.runSource(s, "c.csv", file(gone), day.AddDate(0, 0, 3))
		require.Equal(t, []any{1, true}, []any{released(), r.Complete}, r.String())
	}
}

// A row whose birth date conflicts with the known one is refused, and so it is when it stands beside another one: twice, or
// next to one that has its key by chance (guarantee 6).
func TestGuarantee6ABirthThatConflictsIsRefusedBesideAnotherRow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ keys, first, second string }{
		"twice":                    {"booking.number", "1990-05-05", "1990-05-05"},
		"beside another by chance": {"person.name, booking.booked_at", "2011-02-02", "1960-11-19"},
		"an adult's":               {"person.name, booking.booked_at", "1990-05-05", "1960-11-19"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := sourceWith(t, "county-a", "[id, name, booked, bond]", "[id, name, booked, bond, born]", "person: {name: name}", "person: {name: name, dob: {from: born, layouts: ['2006-01-02']}}", "[booking.number], strength: source", "["+c.keys+"], strength: composite")
			born := func(on string) string { return "K1,\"MOONSAIL, ORLA\",2026-01-05 10:00,$1.00," + on + "\n" }
			const head = "id,name,booked,bond,born\nK2,\"FENWICKE, DELL\",2026-01-06 10:00,$1.00,1980-01-01\n"
			b.runSource(s, "roster.csv", head+born("1960-11-20")+"#end\n", day)
			r := b.runSource(s, "roster.csv", head+born(c.first)+born(c.second)+"#end\n", day.AddDate(0, 0, 1))
			require.Positive(t, r.Reasons["identity: the key is known for another person"], r.String())
			require.Equal(t, "1960-11-20", one[string](b, `select dob::text from bookings where name = 'MOONSAIL, ORLA'`))
		})
	}
}
