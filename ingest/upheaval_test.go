package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

const datedDocument = `id: county-a
title: A county whose file has only days
kind: roster
county: ben-hill
publish: %s
decode: {format: csv, columns: [id, name, dob, booked, released], end_marker: "#end"}
complete: {end_marker: true}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02']}, released_at: {from: released, layouts: ['2006-01-02']}}
  person: {name: name, dob: {from: dob, layouts: ['2006-01-02']}}
identity: {booking: [{of: [booking.number], strength: source}]}
`

const (
	roll  = "{policy: full_roster, absence: released}"
	delta = "{policy: delta, absence: nothing}"
)

func datedSource(t *testing.T, publish string) *ingest.Source {
	t.Helper()
	s, err := ingest.Parse(fmt.Appendf(nil, datedDocument, publish))
	require.NoError(t, err)
	return s
}

// dated writes n invented people whose rows form makes of the number, the day of birth and that of booking.
func dated(n int, form func(i int, dob, booked string) string) string {
	var b strings.Builder
	b.WriteString("id,name,dob,booked,released\n")
	for i := range n {
		fmt.Fprintf(&b, "K%d,\"QUILLFEATHER%c, WREN\",%s\n", i, 'A'+rune(i), form(i, fmt.Sprintf("19%02d-05-05", 60+i%30), fmt.Sprintf("2026-01-%02d", 1+i%28)))
	}
	return b.String() + "#end\n"
}

func plainRow(_ int, dob, booked string) string   { return dob + "," + booked + "," }
func swappedRow(_ int, dob, booked string) string { return booked + "," + dob + "," }

// releasedRow releases everybody below n on a day.
func releasedRow(n int, day string) func(int, string, string) string {
	return func(i int, dob, booked string) string {
		if i < n {
			return dob + "," + booked + "," + day
		}
		return dob + "," + booked + ","
	}
}

func TestGuarantee4AnotherDateWhereReleasesStoodReleasesNobody(t *testing.T) {
	t.Parallel()
	for _, publish := range []string{roll, delta} {
		t.Run(publish, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := datedSource(t, publish)
			b.runSource(s, "a.csv", dated(10, plainRow), day)
			told := one[int](b, `select count(*) from changes`)

			courts := dated(10, releasedRow(10, "2026-01-29"))
			r := b.runSource(s, "b.csv", courts, day.AddDate(0, 0, 1))
			require.Equal(t, []any{source.RunHeld, 0, 0}, []any{r.State, r.Closed, r.Changed}, r.String())
			require.Contains(t, r.Note, "a column may have moved or the source document may be wrong")
			require.Equal(t, []int{10, told}, []int{one[int](b, `select count(*) from bookings where status = 'booked'`), one[int](b, `select count(*) from changes`)})

			would, err := b.runner.Rehearse(t.Context(), s, r.Run)
			require.NoError(t, err)
			require.Equal(t, []int{10, 10}, []int{would.Closed, len(would.Gone)}, "the operator sees whom it would release")

			r = b.release(s)
			require.Equal(t, 10, r.Closed, "the operator's word: %s", r)
		})
	}
}

func TestGuarantee11BirthDatesAndBookingsThatChangedPlacesBehindAnOldHeaderAreHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := datedSource(t, roll)
	b.runSource(s, "a.csv", dated(10, plainRow), day)
	swapped := strings.Replace(dated(10, swappedRow), "#end", "K77,\"MOONSAIL, KIT\",2026-01-30,2010-05-05,\n#end", 1)
	r := b.runSource(s, "b.csv", swapped, day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, 0, 0, 0}, []any{r.State, r.New, r.Changed, r.Withheld}, r.String())
	require.Contains(t, r.Note, "0 of 11 rows state when a person was born, before it were 10 of 10")
	require.Equal(t, 10, one[int](b, `select count(*) from published_bookings`))
	require.Zero(t, one[int](b, `select count(*) from bookings where name = 'MOONSAIL, KIT'`), "the juvenile is not published")
}

func TestGuarantee4OrdinaryDaysAreNotHeld(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		publish  string
		people   int
		released int
		on       string
		after    int // days
	}{
		{"three of four people of a small jail are released", roll, 4, 3, "2026-02-01", 1},
		{"four of ten people are released overnight", roll, 10, 4, "2026-02-01", 1},
		{"all of ten people are released while nobody looked for a week", roll, 10, 10, "2026-02-05", 8},
		{"twenty of twenty-two people of yesterday's delta are released", delta, 22, 20, "2026-02-01", 1},
		{"four releases are told that lie long back", roll, 10, 4, "2026-01-29", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := datedSource(t, c.publish)
			b.runSource(s, "a.csv", dated(c.people, plainRow), day)
			r := b.runSource(s, "b.csv", dated(c.people, releasedRow(c.released, c.on)), day.AddDate(0, 0, c.after))
			require.Equal(t, []any{source.RunOK, c.released}, []any{r.State, r.Closed}, r.String())
		})
	}
}

// TestGuarantee4NewcomersDoNotHideHowManyLeave holds that those who come with a snapshot do not count among those of
// whom it releases a share.
func TestGuarantee4NewcomersDoNotHideHowManyLeave(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink, s.Complete.Turnover = 0.4, 1 // the letters of some newcomers fold to the names of leavers
	b.runSource(s, "a.csv", roster(40), day)
	leavers := make([]int, 18)
	for i := range leavers {
		leavers[i] = i
	}
	r := b.runSource(s, "b.csv", roster(58, leavers...), day.Add(time.Hour))
	require.Equal(t, source.RunHeld, r.State, r.String())
	require.Contains(t, r.Note, "it would release 18 of the 40 people")
}

func TestGuarantee4ACorrectionsFileInWhichMostPeopleAreFreeIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := offenders(40)
	b.run("corrections-fixed", "offenders.txt", first, day)
	r := b.run("corrections-fixed", "offenders.txt", flagged(first, "P"), day.AddDate(0, 1, 0))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Changed}, r.String())
	require.Equal(t, 40, one[int](b, `select count(*) from corrections_records where status = 'incarcerated'`))
}
