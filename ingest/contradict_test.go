package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// statingSource states releases in a column, and lists only whom it likes.
func statingSource(t *testing.T) *ingest.Source {
	t.Helper()
	return sourceWith(t, "county-b", "full_roster, absence: released", "delta, absence: unknown", "[id, name, booked, bond]", "[id, name, booked, bond, out]", "bond: bond", "bond: bond, released_at: {from: out, layouts: ['2006-01-02 15:04']}")
}

func TestAStatedReleaseYieldsToARosterThatGoesOnListingThePersonAndStaysWithdrawn(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	states := statingSource(t)
	c.now = at("07:00")
	days := func(n int) time.Time { return at("08:00").AddDate(0, 0, n) }
	read := func(s *ingest.Source, text string, n int) *ingest.Report {
		c.now = days(n).Add(time.Minute)
		return c.runSource(s, "roster.csv", text, days(n))
	}
	read(c.source, file(both), 0)
	out := func(bond string) string {
		return "id,name,booked,bond,out\nZ2,\"QUILLFEATHER, MARLOWE\",2026-01-22 10:00,$" + bond + ",2026-02-08 12:00\n#end\n"
	}
	require.Equal(t, 1, read(states, out("500"), 1).Closed)
	require.Equal(t, "release 2", c.events())
	for n := 2; n <= 4; n++ { // a list of a day before may still have him, and one more
		r := read(c.source, file(both), n)
		require.Zero(t, r.Reopened, "after %d days: %s", n, r)
	}
	r := read(c.source, file(both), 5)
	require.Equal(t, []int{1, 0}, []int{r.Reopened, r.New}, r.String())
	require.Equal(t, "retraction 2", c.events())
	require.Equal(t, "0:500 1:500 2:500 3:500", c.facts())

	t.Log("the same release told again is no news, also in another row")
	require.Zero(t, read(states, out("500"), 6).Closed)
	require.Zero(t, read(states, out("700"), 7).Closed)
	require.Zero(t, read(c.source, file(both), 8).Reopened)
	require.Equal(t, "0:500 1:500 2:700 3:500", c.facts())
	require.Equal(t, "bond_change 2 700", c.events())

	t.Log("a later one is, and the roster's own absence closes as ever")
	require.Equal(t, 1, read(states, strings.Replace(out("700"), "2026-02-08 12:00", "2026-02-17 03:00", 1), 9).Closed)
	require.Equal(t, "release 2", c.events())
	r = read(c.source, file(two+" 3:500"), 10)
	require.Zero(t, r.Closed+r.Reopened, r.String())
}

func TestAReleaseIsTakenBackByTheSourceThatStatedIt(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	states := statingSource(t)
	c.load(c.source, file(both), at("07:00"))
	row := "id,name,booked,bond,out\nZ2,\"QUILLFEATHER, MARLOWE\",2026-01-22 10:00,$500,"
	require.Equal(t, 1, c.load(states, row+"2026-02-08 02:20\n#end\n", at("07:30")).Closed)
	r := c.load(states, row+"\n#end\n", at("08:30"))
	require.Zero(t, r.Reopened, "a blank of a delta says nothing: %s", r)
	held := sourceWith(t, "county-b", "full_roster, absence: released", "delta, absence: unknown", "[id, name, booked, bond]", "[id, name, booked, bond, out, held]",
		"bond: bond", "bond: bond, released_at: {from: out, layouts: ['2006-01-02 15:04']}, released: {from: held, values: {IN: no, OUT: yes}}")
	r = c.load(held, strings.NewReplacer("out", "out,held", "$500,", "$500,,IN").Replace(row+"\n#end\n"), at("09:30"))
	require.Equal(t, 1, r.Reopened, "it says that it holds him: %s", r)
}

func TestADisprovedReleaseDoesNotComeBackWhenTheListLacksThePersonAtLast(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	states := statingSource(t)
	read := func(s *ingest.Source, text string, n int) *ingest.Report {
		at := at("08:00").AddDate(0, 0, n)
		c.now = at.Add(time.Minute)
		return c.runSource(s, "roster.csv", text, at)
	}
	read(c.source, file(both), 0)
	require.Equal(t, 1, read(states, "id,name,booked,bond,out\nZ2,\"QUILLFEATHER, MARLOWE\",2026-01-22 10:00,$500,2026-02-08 12:00\n#end\n", 1).Closed)
	for n := 2; n <= 9; n++ {
		read(c.source, file(both), n)
	}
	for n := 10; n <= 12; n++ {
		read(c.source, file("0:500 1:500 3:500"), n)
	}
	require.Equal(t, "released t", one[string](c.bundle, `select concat_ws(' ', status, release_inferred) from bookings where name like 'QUILL%'`))
	require.Equal(t, at("08:00").AddDate(0, 0, 10).UTC(), one[time.Time](c.bundle, `select released_at from bookings where name like 'QUILL%'`).UTC())
}
