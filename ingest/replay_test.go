package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/raw"
	"rollcall/models"
	"rollcall/models/source"
)

var day = time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)

// soon is a roster of six of which the row of one names no time.
func soon() string { return strings.Replace(roster(6), "2026-01-05 10:03", "noon", 1) }

// reading is the source of rosterSource, with another layout that its document takes.
func reading(t *testing.T, id, layouts string) *ingest.Source {
	t.Helper()
	text := strings.Replace(rosterDocument, "['2006-01-02 15:04']", layouts, 1)
	s, err := ingest.Parse([]byte(strings.NewReplacer("%s", id, "%d", "1").Replace(text)))
	require.NoError(t, err)
	return s
}

func TestGuarantee8TheSameBadRowIsKeptOnceAndCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	for range 4 {
		b.now = b.now.Add(time.Hour)
		r := b.runSource(s, "roster.csv", soon(), b.now)
		require.Equal(t, 1, r.Quarantined, "the report still counts it: "+r.String())
	}
	require.Equal(t, "1 4", one[string](b, `select count(*) || ' ' || sum(times) from quarantine`))
	require.True(t, one[bool](b, `select run_id = (select max(id) from runs) and last_at = $1 and at < last_at from quarantine`, b.now))
}

func TestGuarantee2AReplayReadsTheSameBytesUnderTodaysDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	text := strings.Replace(roster(6), "2026-01-05 10:03", "01/05/2026 10:03", 1)
	first := b.runSource(rosterSource(t, "county-a", 1), "roster.csv", text, day)
	require.Equal(t, []int{5, 1}, []int{first.New, first.Quarantined}, first.String())
	success := one[time.Time](b, `select last_success from sources`)
	b.now = b.now.Add(48 * time.Hour)
	fixed := reading(t, "county-a", "['2006-01-02 15:04', '01/02/2006 15:04']")

	r, err := b.runner.ReplayQuarantine(t.Context(), fixed)
	require.NoError(t, err)
	require.Equal(t, []int{1, 5, 0, 1}, []int{r.New, r.Unchanged, r.Quarantined, r.Resolved}, r.String())
	require.Equal(t, first.Run, r.ReplayOf)
	require.Equal(t, day, r.SnapshotAt.UTC(), "it speaks of the instant of then")
	require.Equal(t, success, one[time.Time](b, `select last_success from sources`), "nobody asked the source")
	require.Equal(t, 1, one[int](b, `select count(*) from quarantine where resolved_at is not null`))
	r, err = b.runner.ReplayQuarantine(t.Context(), fixed)
	require.NoError(t, err)
	require.Nil(t, r, "there is nothing left")
}

func TestGuarantee2AReplayOfAnOldRunTakesNothingBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	first := b.runSource(s, "roster.csv", roster(5), day)
	b.runSource(s, "roster.csv", strings.Replace(roster(5, 4), "$500.00", "$900.00", 1), day.AddDate(0, 0, 1))
	before := one[string](b, `select md5(string_agg(b::text, '' order by rid)) || (select count(*) from record_changes) from bookings b`)
	r, err := b.runner.Replay(t.Context(), s, first.Run)
	require.NoError(t, err)
	require.Equal(t, []int{0, 0, 0, 0}, []int{r.New, r.Changed, r.Closed, r.Reopened}, r.String())
	require.Equal(t, before, one[string](b, `select md5(string_agg(b::text, '' order by rid)) || (select count(*) from record_changes) from bookings b`))
	again, err := b.runner.Replay(t.Context(), s, r.Run)
	require.NoError(t, err, "a replay can be replayed")
	require.Equal(t, 5, again.Fetched)
	require.Equal(t, "2 3", one[string](b, `select count(distinct content) || ' ' || count(*) filter (where content = (select content from runs where id = $1)) from runs`, first.Run),
		"it is known to be a copy, which confirms no absence")
}

func TestGuarantee11RawDocumentsAndRowsExpireAndFactsStay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	first := b.runSource(s, "roster.csv", soon(), day)
	worker := &raw.ExpireWorker{Store: b.store, Log: b.runner.Log, Now: func() time.Time { return b.now }}
	b.now = b.now.Add(raw.Keep - time.Second)
	require.NoError(t, worker.Work(t.Context(), nil))
	require.Equal(t, "1 1 1", one[string](b, `select (select count(*) from archives) || ' ' || (select count(*) from archive_chunks) || ' ' || (select count(*) from quarantine)`))
	b.now = b.now.Add(time.Second)
	require.NoError(t, worker.Work(t.Context(), nil))
	require.Equal(t, "0 0 0 5", one[string](b, `select (select count(*) from archives) || ' ' || (select count(*) from archive_chunks) || ' ' || (select count(*) from quarantine) || ' ' || (select count(*) from bookings)`))
	_, err := b.runner.Replay(t.Context(), s, first.Run)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestGuarantee4AHeldSnapshotShowsWhoWouldBeReleasedAndAppliesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink = 0.4
	b.runSource(s, "roster.csv", roster(20), day)
	held := b.runSource(s, "roster.csv", roster(21, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), day.AddDate(0, 0, 1))
	require.Equal(t, source.RunHeld, held.State, held.String())
	facts := func() string {
		return one[string](b, `select md5(string_agg(t, '')) from (select b::text from bookings b union all select g::text from roster_claims g union all select h::text from record_changes h union all select g::text from generations g order by 1) x (t)`)
	}
	before := facts()

	would, err := b.runner.Rehearse(t.Context(), s, held.Run)
	require.NoError(t, err)
	require.Equal(t, []any{true, 1, 15, 15}, []any{would.Complete, would.New, would.Closed, len(would.Gone)}, would)
	require.Equal(t, "QUILLFEATHERA, WREN", would.Gone[0].Name)
	require.Equal(t, []any{1, "QUILLFEATHERU, WREN", 0, 0}, []any{len(would.Fresh), would.Fresh[0].Name, len(would.Altered), would.Alters})
	require.Equal(t, before, facts(), "a rehearsal leaves no trace")

	r := b.release(s)
	require.Equal(t, []any{source.RunOK, 1, 15}, []any{r.State, r.New, r.Closed}, "what was shown is what is done: "+r.String())
}

func TestASourceHeldByAnOperatorAppliesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", roster(5), day)
	require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "the jail moves", b.now))
	r := b.runSource(s, "roster.csv", roster(5, 1), day.AddDate(0, 0, 1))
	require.Equal(t, source.RunHeld, r.State)
	require.Equal(t, 5, one[int](b, `select count(*) from bookings where status = 'booked'`))
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	r = b.runSource(s, "roster.csv", roster(5, 1), day.AddDate(0, 0, 2))
	require.Equal(t, 1, r.Closed, r.String())
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.HoldSource(t.Context(), "nobody", "looks odd", b.now)))
}

func TestAHoldInTheMiddleOfARunStopsItAndLasts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", roster(5), day)
	b.runner.Progress = func(p ingest.Progress) {
		if p.Stage == "archive" {
			require.NoError(b, b.store.HoldSource(b.Context(), s.ID, "the jail moves", b.now))
		}
	}
	r := b.runSource(s, "roster.csv", roster(5, 1), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, "an operator held the source while it was being read"}, []any{r.State, r.Note})
	require.Equal(t, 5, one[int](b, `select count(*) from bookings where status = 'booked'`))
	b.runner.Progress = nil
	b.runSource(s, "roster.csv", roster(5, 1), day.AddDate(0, 0, 2))
	require.Equal(t, "the jail moves", one[string](b, `select note from sources where id = $1 and held_since is not null`, s.ID), "what it is held for stays")
}

func TestAReleaseInTheMiddleOfARunThatFoundTheSourceHeldLasts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", roster(5), day)
	require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "the jail moves", b.now))
	b.runner.Progress = func(p ingest.Progress) {
		if p.Stage == "archive" {
			require.NoError(b, b.store.ReleaseSource(b.Context(), s.ID))
		}
	}
	r := b.runSource(s, "roster.csv", roster(5, 1), day.AddDate(0, 0, 1))
	require.Equal(t, source.RunHeld, r.State, "it began while the source was held: %s", r)
	require.Zero(t, one[int](b, `select count(*) from sources where held_since is not null or note is distinct from $1`, models.NoteReleased), "and holds nothing again")
	b.runner.Progress = nil
	require.Equal(t, 1, b.runSource(s, "roster.csv", roster(5, 1), day.AddDate(0, 0, 1)).Closed)
}

func TestASourceThatIsNotHeldCanNotBeReleased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink = 0.4
	b.runSource(s, "roster.csv", roster(20), day)
	err := b.store.ReleaseSource(t.Context(), s.ID)
	require.ErrorContains(t, err, "source county-a is not on hold")
	r := b.runSource(s, "roster.csv", roster(1), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Closed}, "it is measured as before: "+r.String())
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.store.ReleaseSource(t.Context(), "nobody")))
}

func TestAReplayThatIsHeldHoldsItsSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink = 0.4
	b.runSource(s, "roster.csv", roster(20), day)
	held := b.runSource(s, "roster.csv", roster(20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), day.AddDate(0, 0, 1))
	require.Equal(t, source.RunHeld, held.State, held.String())
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	r, err := b.runner.Replay(t.Context(), s, held.Run)
	require.NoError(t, err)
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Closed}, r.String())
	require.Equal(t, "true "+r.Note, one[string](b, `select (held_since is not null) || ' ' || note from sources`))
}
