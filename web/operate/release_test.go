package operate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

func TestALaterRunIsNotTakenForTheOneThatAppliedARelease(t *testing.T) {
	t.Parallel()
	ended := time.Date(2026, 11, 29, 6, 0, 0, 0, time.UTC)
	began := ended.Add(-time.Second)
	released := &releaseShown{Release: &source.Release{StartedAt: &began, EndedAt: &ended, Outcome: new(source.ReleaseApplied)}}
	run := func(id int64, after time.Duration) runLine {
		return runLine{Run: &source.Run{ID: id, State: source.RunOK, Started: ended.Add(after)}}
	}
	runs := []runLine{run(3, 2*time.Minute), run(2, time.Minute), run(1, -time.Minute)}
	require.EqualValues(t, 2, appliedBy(released, runs).ID)
	require.Nil(t, appliedBy(released, runs[:2]), "whether another one came before them is not known")
	require.Nil(t, appliedBy(released, nil))
}

func TestNothingOfAnEarlierHoldIsShownWhileAnotherStands(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 6, 0, 0, 0, time.UTC)
	earlier, ended := now.Add(-20*time.Minute), now.Add(-10*time.Minute)
	release := func(outcome source.ReleaseOutcome) *releaseShown {
		return &releaseShown{Release: &source.Release{HeldSince: earlier, EndedAt: &ended, Outcome: &outcome}, Now: now}
	}
	free, again, same := &models.Source{}, &models.Source{HeldSince: &now}, &models.Source{HeldSince: &earlier}
	soon := &models.Source{HeldSince: new(ended.Add(time.Second))}
	for _, c := range []struct {
		outcome source.ReleaseOutcome
		src     *models.Source
		shown   bool
	}{
		{source.ReleaseApplied, free, true},
		{source.ReleaseApplied, again, false},
		{source.ReleaseApplied, soon, true},
		{source.ReleaseApplied, same, false},
		{source.ReleaseOvertaken, soon, false},
		{source.ReleaseOvertaken, again, false},
		{source.ReleaseFailed, same, true},
		{source.ReleaseFailed, again, false},
		{source.ReleaseFailed, free, false},
		{source.ReleaseUndone, free, false},
	} {
		require.Equal(t, c.shown, release(c.outcome).shownWith(c.src), c)
	}
	open := &releaseShown{Release: &source.Release{HeldSince: now}, Now: now}
	require.True(t, open.shownWith(again))
}

func TestARetryIsOfferedWhereItMayApplySomething(t *testing.T) {
	t.Parallel()
	held := runLine{Run: &source.Run{ID: 1, State: source.RunHeld}}
	part, whole := runLine{Run: &source.Run{ID: 2, State: source.RunPartial}}, runLine{Run: &source.Run{ID: 3, State: source.RunOK}}
	whole.Counts.Complete = true
	again := runLine{Run: &source.Run{ID: 4, State: source.RunOK, ReplayOf: new(int64(1))}}
	since := time.Now()
	for _, c := range []struct {
		name  string
		later []runLine
		src   models.Source
		again bool
	}{
		{"nothing newer", nil, models.Source{WholeSince: &since}, true},
		{"parts do not replace a list", []runLine{part}, models.Source{WholeSince: &since}, true},
		{"a newer list does", []runLine{whole}, models.Source{WholeSince: &since}, false},
		{"changes do not replace each other", []runLine{whole}, models.Source{}, true},
		{"it was read again", []runLine{again}, models.Source{}, false},
		{"nothing of a held source is applied", nil, models.Source{HeldSince: &since}, false},
	} {
		b := sourceBody{Source: &c.src, Runs: append(c.later, held)}
		b.sortRuns()
		require.Equal(t, c.again, b.Runs[len(b.Runs)-1].Again, c.name)
	}
}

func TestRowsThatAreIgnoredAreNotSaidToBeInQuarantine(t *testing.T) {
	t.Parallel()
	note, two := "2 rows are in quarantine", 0
	run := runLine{Run: &source.Run{State: source.RunPartial, Note: &note}}
	run.Counts.Quarantined, run.Counts.QuarantinedNew = 2, &two
	b := sourceBody{Source: &models.Source{}, Runs: []runLine{run}, Ignored: 2}
	b.sortRuns()
	require.Equal(t, "2 rows are ignored", b.Runs[0].Why().String())
	b.Waiting = 1
	b.sortRuns()
	require.Equal(t, note, b.Runs[0].Why().String())
	require.Nil(t, sourceLine{Source: &models.Source{Note: &note}, Ignored: 2}.Note())
	require.Equal(t, &note, sourceLine{Source: &models.Source{Note: &note}, Ignored: 2, Quarantined: 1}.Note())
}

func TestAStoppedScheduleIsToldBeforeHowOldTheDataAre(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 6, 0, 0, 0, time.UTC)
	old := now.Add(-24 * time.Hour)
	line := func(src models.Source) sourceLine {
		src.Assess(models.CountiesOf(nil), now)
		return sourceLine{Source: &src}
	}
	stopped := line(models.Source{Interval: time.Hour, DataEvery: time.Hour, LastSuccess: &old, DataAt: &old})
	require.Equal(t, []any{models.SourceDown, "stopped", true}, []any{stopped.State(), stopped.Shown(), stopped.needs()})
	fresh := line(models.Source{Interval: time.Hour, DataEvery: time.Hour, LastSuccess: &now, DataAt: &now})
	require.Equal(t, []any{models.SourceOK, "stopped", true}, []any{fresh.State(), fresh.counted(), fresh.needs()})
	held := line(models.Source{Interval: time.Hour, LastSuccess: &old, HeldSince: &old})
	require.Equal(t, "held", held.Shown())
}

func TestARunThatAnOperatorCancelledIsNotSaidToHaveFailed(t *testing.T) {
	t.Parallel()
	run := func(note string) runLine { return runLine{Run: &source.Run{State: source.RunFailed, Note: &note}} }
	require.Equal(t, "cancelled", run(source.NoteCancelled).Outcome())
	require.Equal(t, "failed", run("no answer").Outcome())
	b := sourceBody{Runs: []runLine{run(source.NoteCancelled), run("no answer")}}
	require.Equal(t, "2 runs: 1 cancelled, 1 failed", b.Outcomes().String())
}
