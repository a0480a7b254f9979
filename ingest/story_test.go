package ingest_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/notifier"
)

// county is the week of one county, told by its files.
type county struct {
	*bundle
	source, second *ingest.Source
	matcher        *notifier.Matcher
	told           int64 // the last event that was looked at
	since          int64 // the last version, likewise
}

// newCounty has a watcher of each person of the story, who is told of everything.
func newCounty(t *testing.T) *county {
	t.Helper()
	c := &county{bundle: setup(t)}
	c.source, c.second = rosterSource(t, "county-a", 1), rosterSource(t, "county-b", 1)
	c.source.Complete.Shrink, c.second.Complete.Shrink = 0.4, 0.4
	c.matcher = &notifier.Matcher{Store: c.store, Standing: notifier.NewStanding(c.store, slog.New(slog.DiscardHandler))}
	desk := &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise}
	require.NoError(t, c.store.CreateAccount(t.Context(), desk))
	for _, name := range people {
		_, err := c.store.CreateWatcher(t.Context(), desk.ID, &models.NewWatcher{Name: name})
		require.NoError(t, err)
	}
	return c
}

// events are what the watchers were told since it was asked last: kind and number of the person, with the bond of a change.
func (c *county) events() string {
	c.Helper()
	_, err := c.matcher.Drain(c.Context())
	require.NoError(c, err)
	text := one[*string](c.bundle, `select string_agg(concat_ws(' ', e.kind, `+number("b.name")+`, case when e.kind = 'bond_change' then g.bond_cents / 100 end), '; ' order by b.booked_at, e.kind)
 from events e join changes g on g.id = e.change_id join bookings b on b.rid = e.rid where e.seq > $1`, c.told)
	c.told = one[int64](c.bundle, `select coalesce(max(seq), 0) from events`)
	if text == nil {
		return ""
	}
	return *text
}

// number is the SQL of a person's number in the story.
func number(name string) string {
	var b strings.Builder
	b.WriteString("case split_part(" + name + ", ',', 1)")
	for i, p := range people {
		last, _, _ := strings.Cut(p, ",")
		fmt.Fprintf(&b, " when '%s' then %d", strings.ReplaceAll(last, "'", "''"), i)
	}
	return b.String() + " end"
}

// people of the story, with the minute of their bookings; the key is their number.
var people = []string{"MOONSAIL, ORLA", "THISTLEDOWN, PIP", "QUILLFEATHER, MARLOWE", "O'BRANNIGAN, WREN", "BRACKENRIDGE, TOLLIVER", "STORMCROW, IDA", "LANTERNWOOD, ASA", "FENWICKE, DELL"}

// file lists people by number, with their bonds: `0:500 1:900`.
func file(listed string) string {
	var b strings.Builder
	b.WriteString("id,name,booked,bond\n")
	for who := range strings.FieldsSeq(listed) {
		var i, bond int
		_, _ = fmt.Sscanf(who, "%d:%d", &i, &bond)
		fmt.Fprintf(&b, "K%d,\"%s\",2026-01-2%d 10:00,$%d.00\n", i, people[i], i, bond)
	}
	return b.String() + "#end\n"
}

// load reads a file, an hour after the one before.
func (c *county) load(s *ingest.Source, text string, at time.Time) *ingest.Report {
	c.Helper()
	c.now = c.now.Add(time.Hour)
	return c.runSource(s, "roster.csv", text, at)
}

// facts are the bookings: number, bond, and the day of the release when there is one; `~` inferred.
func (c *county) facts() string {
	c.Helper()
	return one[string](c.bundle, `select string_agg(concat(`+number("name")+`, ':', bond_cents / 100, case when release_inferred then '~' end, to_char(released_at, 'DD')), ' ' order by booked_at) from bookings b`)
}

// history is what the version rows say since the one with that number, in their order.
func (c *county) history(since *int64) string {
	c.Helper()
	text := one[*string](c.bundle, `select string_agg(concat(split_part(b.name, ',', 1), ' ', h.field, ' ', coalesce(h.before, '-'), '>', coalesce(h.after, '-')), '; ' order by b.booked_at, h.field)
 from record_changes h join bookings b on b.rid = h.record where h.id > $1`, *since)
	*since = one[int64](c.bundle, `select coalesce(max(id), 0) from record_changes`)
	if text == nil {
		return ""
	}
	return strings.ReplaceAll(*text, "T12:00:00.000000Z", "")
}

func TestTheWeekOfACounty(t *testing.T) {
	t.Parallel()
	c := newCounty(t)
	on := func(d int) time.Time { return time.Date(2026, 2, d, 12, 0, 0, 0, time.UTC) }
	var since int64
	const (
		monday    = "0:500 1:500 2:500 3:500 4:500"
		tuesday   = "0:500 1:900 2:500 3:500 5:700" // 4 left, 5 came, the bond of 1 changed
		wednesday = "0:500 1:900 3:500 4:500 5:700" // 2 left, 4 is back
	)

	c.load(c.source, file(monday), on(2))
	require.Equal(t, "0:500 1:500 2:500 3:500 4:500", c.facts())
	require.Empty(t, c.history(&since), "a booking is its own first word")
	require.Empty(t, c.events(), "the first snapshot tells nobody of bookings that are weeks old")

	c.load(c.source, file(tuesday), on(3))
	require.Equal(t, "0:500 1:900 2:500 3:500 4:500~03 5:700", c.facts())
	require.Equal(t, "THISTLEDOWN bond_cents 50000>90000; BRACKENRIDGE release_inferred false>true; BRACKENRIDGE released_at ->2026-02-03", c.history(&since))
	require.Equal(t, "bond_change 1 900; release 4; booking 5", c.events())

	c.load(c.source, file(wednesday), on(4))
	require.Equal(t, "0:500 1:900 2:500~04 3:500 4:500 5:700", c.facts())
	require.Equal(t, "QUILLFEATHER release_inferred false>true; QUILLFEATHER released_at ->2026-02-04; BRACKENRIDGE release_inferred true>false; BRACKENRIDGE released_at 2026-02-03>-", c.history(&since))
	require.Equal(t, "release 2; retraction 4", c.events(), "who is back is a correction of the release, and no booking")
	week := c.facts()

	t.Log("the same day twice")
	r := c.load(c.source, file(wednesday), on(4))
	require.Equal(t, []any{source.RunOK, 5}, []any{r.State, r.Unchanged}, r.String())
	require.Equal(t, week, c.facts())
	require.Empty(t, c.history(&since))
	require.Empty(t, c.events())

	t.Log("an older day late: who was there between, and is gone, is known with both days; nothing newer is taken back")
	c.load(c.source, file("0:100 1:100 2:500 3:500 5:700 6:300"), on(3).Add(time.Hour))
	require.Equal(t, week+" 6:300~04", c.facts())
	require.Equal(t, "LANTERNWOOD release_inferred false>true; LANTERNWOOD released_at ->2026-02-04", c.history(&since))
	require.Equal(t, "booking 6; release 6", c.events(), "nobody had heard of either; of what is known better nothing is told")
	week = c.facts()

	t.Log("a truncated file tells what it holds, and releases nobody")
	whole := file("0:500 1:950 3:500 4:500 5:700")
	r = c.load(c.source, whole[:strings.Index(whole, "K4")+20], on(5))
	require.Equal(t, []any{source.RunPartial, false, 0, 1}, []any{r.State, r.Complete, r.Closed, r.Changed}, r.String())
	require.Equal(t, strings.Replace(week, "1:900", "1:950", 1), c.facts())
	require.Equal(t, "THISTLEDOWN bond_cents 90000>95000", c.history(&since))
	require.Equal(t, "bond_change 1 950", c.events())
	week = c.facts()

	t.Log("columns that changed places, with their header: the rows are right, and absence means nothing that day")
	r = c.load(c.source, swapped(file("0:500 1:950 3:500 4:500"), true), on(6))
	require.Equal(t, []any{source.RunPartial, 0, 0, 0}, []any{r.State, r.Changed, r.Closed, r.Quarantined}, r.String())
	require.Equal(t, week, c.facts())
	require.Empty(t, c.history(&since))
	require.Empty(t, c.events())

	t.Log("columns that changed places behind an old header: every row waits in the quarantine")
	r = c.load(c.source, swapped(file("0:500 1:950 3:500 4:500"), false), on(7))
	require.Equal(t, []any{false, 0, 0, 4}, []any{r.Complete, r.Changed + r.New, r.Closed, r.Quarantined}, r.String())
	require.Equal(t, week, c.facts())
	require.Empty(t, c.history(&since))
	require.Empty(t, c.events())

	t.Log("a second feed of the county describes the same bookings, and one more")
	r = c.load(c.second, file("0:500 1:950 3:500 4:500 5:700 7:100"), on(8))
	require.Equal(t, []int{1, 5}, []int{r.New, r.Adopted}, r.String())
	require.Equal(t, week+" 7:100", c.facts())
	require.Empty(t, c.history(&since))
	require.Empty(t, c.events(), "the first snapshot of a source is a baseline, and what two feeds tell of is told once")

	t.Log("whoever one feed lacks while the other lists him stays, until both lack him")
	c.load(c.source, file("0:500 1:950 4:500 5:700"), on(8).Add(-time.Hour))
	c.load(c.source, file("0:500 1:950 4:500 5:700"), on(9))
	require.Equal(t, week+" 7:100", c.facts())
	require.Empty(t, c.events())
	c.load(c.second, file("0:500 1:950 4:500 5:700 7:100"), on(10))
	require.Equal(t, strings.Replace(week, "3:500", "3:500~10", 1)+" 7:100", c.facts())
	require.Equal(t, "O'BRANNIGAN release_inferred false>true; O'BRANNIGAN released_at ->2026-02-10", c.history(&since))
	require.Equal(t, "release 3", c.events())

	t.Log("a file that lost most of its rows is held, and so is what follows until an operator has looked")
	week = c.facts()
	c.source.Complete.MinRows = 0
	r = c.load(c.source, file(""), on(11))
	require.Equal(t, source.RunHeld, r.State, r.String())
	r = c.load(c.source, file("0:500 1:950 4:500"), on(12))
	require.Equal(t, source.RunHeld, r.State, r.String())
	require.Equal(t, week, c.facts())
	require.Empty(t, c.history(&since))
	require.Empty(t, c.events(), "no release leaves a source that is held")
	require.NoError(t, c.store.ReleaseSource(t.Context(), c.source.ID), "the empty file was wrong")
	c.load(c.source, file("0:500 1:950 4:500"), on(13))
	require.Equal(t, strings.Replace(week, "5:700", "5:700~13", 1), c.facts())
	require.Equal(t, "STORMCROW release_inferred false>true; STORMCROW released_at ->2026-02-13", c.history(&since))
	require.Equal(t, "release 5", c.events())
}

// swapped writes the columns of a file in another order; told: the header too.
func swapped(text string, told bool) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		key, rest, ok := strings.Cut(line, ",\"")
		name, tail, _ := strings.Cut(rest, "\",")
		switch {
		case ok:
			booked, bond, _ := strings.Cut(tail, ",")
			lines[i] = fmt.Sprintf("%s,%s,\"%s\",%s", key, booked, name, bond)
		case i == 0 && told:
			lines[i] = "id,booked,name,bond"
		}
	}
	return strings.Join(lines, "\n")
}
