package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTheNoteSaysWhyASourceIsBehind assesses jails whose last run brought nothing that explains it.
func TestTheNoteSaysWhyASourceIsBehind(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	note := func(text string) *string { return &text }
	for _, c := range []struct {
		name         string
		source       Source
		state        SourceState
		note, reader string
		since        *time.Time
	}{
		{
			"rows in quarantine make no source down",
			Source{Enabled: true, Interval: 15 * time.Second, LastSuccess: ago(50 * time.Second), Note: note("2 rows are in quarantine")},
			SourceDown,
			"its last good read was 50 seconds ago; one is due every 15 seconds", "This source could not be read recently.", ago(50 * time.Second),
		},
		{
			"what its last run said of it stays",
			Source{Enabled: true, LastSuccess: ago(0), DataAt: ago(3 * time.Hour), DataEvery: time.Hour, Note: note("all of it is older than what is known")},
			SourceDown,
			"all of it is older than what is known", "This source answers, but its newest data is from Mar 10, 2026, 8:00 AM.", ago(3 * time.Hour),
		},
		{
			"a part that came again does not move since when",
			Source{Enabled: true, LastSuccess: ago(0), DataAt: ago(0), DataEvery: time.Hour, CompleteAt: ago(4 * time.Hour), Note: note("1 row is in quarantine")},
			SourceLate,
			"its last complete snapshot is of Mar 10, 2026, 7:00 AM EDT",
			"The full list is late. People released since then may still be shown as held.", ago(4 * time.Hour),
		},
		{
			"an operator's hold says nothing of what it brought",
			Source{Enabled: true, LastSuccess: ago(0), HeldSince: ago(0), Note: note("the jail moves")},
			SourceHeld,
			"the jail moves", "An operator put this source on hold. New data is not shown until the hold ends.", ago(0),
		},
		{
			"after a hold it catches up",
			Source{Enabled: true, Interval: time.Minute, LastSuccess: ago(time.Hour), Note: note(NoteReleased)},
			SourceDown,
			NoteReleased, "The hold has ended. This source catches up when it is next read.", ago(time.Hour),
		},
		{
			"after a hold nothing comes of a stopped schedule",
			Source{Interval: time.Minute, LastSuccess: ago(0), DataAt: ago(time.Hour), DataEvery: time.Minute, Note: note(NoteReleased)},
			SourceDown,
			"its hold ended, but its schedule is stopped", "This source is no longer read. Its newest data is from Mar 10, 2026, 10:00:00 AM.", ago(time.Hour),
		},
		{
			"its schedule was stopped long ago",
			Source{Interval: time.Minute, LastSuccess: ago(0), DataAt: ago(3 * time.Hour), DataEvery: time.Hour},
			SourceDown,
			"its schedule is stopped; its newest data is from Mar 10, 2026, 8:00 AM",
			"This source is no longer read. Its newest data is from Mar 10, 2026, 8:00 AM.", ago(3 * time.Hour),
		},
	} {
		s := c.source
		s.Assess(CountiesOf(nil), now)
		require.Equal(t, []any{c.state, c.note, c.reader}, []any{s.State(), *s.Note, *s.PlainNote()}, c.name)
		require.Equal(t, c.since, s.BehindSince(), c.name)
	}
}
