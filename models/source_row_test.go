package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestARunSaysHowItsSourceIs(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	hourAgo, later := at.Add(-time.Hour), at.Add(time.Hour)
	note := func(text string) *string { return &text }
	for name, c := range map[string]struct {
		was  SourceRow
		end  RunEnd
		want SourceRow
	}{
		"a success": {
			SourceRow{Note: note("it failed"), Failures: 3, NotBefore: &later, RefusedSince: &hourAgo},
			RunEnd{State: RunOK, At: at, SnapshotAt: at, DataAt: hourAgo, HeaderPrint: "h"},
			SourceRow{LastSuccess: &at, DataAt: &hourAgo, HeaderPrint: note("h")},
		},
		"a partial success has a note": {
			SourceRow{},
			RunEnd{State: RunPartial, At: at, DataAt: at, Note: "rows in quarantine"},
			SourceRow{LastSuccess: &at, DataAt: &at, Note: note("rows in quarantine")},
		},
		"data does not grow older, nor is it of the future": {
			SourceRow{DataAt: &hourAgo}, RunEnd{State: RunOK, At: at, DataAt: later}, SourceRow{LastSuccess: &at, DataAt: &at},
		},
		"old data": {
			SourceRow{DataAt: &at}, RunEnd{State: RunOK, At: at, DataAt: hourAgo}, SourceRow{LastSuccess: &at, DataAt: &at},
		},
		"the first header is the known one": {
			SourceRow{HeaderPrint: note("h")},
			RunEnd{State: RunOK, At: at, SnapshotAt: at, DataAt: at, HeaderPrint: "other"},
			SourceRow{LastSuccess: &at, DataAt: &at, HeaderPrint: note("h")},
		},
		"a late snapshot makes no header known": {
			SourceRow{LastComplete: &at},
			RunEnd{State: RunOK, At: at, SnapshotAt: hourAgo, DataAt: at, HeaderPrint: "h"},
			SourceRow{LastComplete: &at, LastSuccess: &at, DataAt: &at},
		},
		"a failure": {
			SourceRow{LastSuccess: &hourAgo},
			RunEnd{State: RunFailed, At: at, Note: "no answer", Failures: 2, NotBefore: &later},
			SourceRow{LastSuccess: &hourAgo, Note: note("no answer"), Failures: 2, NotBefore: &later},
		},
		"a refusal begins once": {
			SourceRow{RefusedSince: &hourAgo},
			RunEnd{State: RunRefused, At: at, Note: "a login wall"},
			SourceRow{RefusedSince: &hourAgo, Note: note("a login wall")},
		},
		"a held snapshot holds its source": {
			SourceRow{}, RunEnd{Run: 7, State: RunHeld, At: at, Note: "it shrank"}, SourceRow{HeldSince: &at, HeldRun: new(int64(7)), Note: note("it shrank")},
		},
		"a hold and its reason stay": {
			SourceRow{HeldSince: &hourAgo, Note: note("it shrank")},
			RunEnd{State: RunOK, At: at, DataAt: at},
			SourceRow{HeldSince: &hourAgo, Note: note("it shrank"), LastSuccess: &at, DataAt: &at},
		},
		"a hold that stood, and ended meanwhile, does not come back": {
			SourceRow{Note: note("rows in quarantine")},
			RunEnd{State: RunHeld, At: at, Note: "held by an operator", Standing: true},
			SourceRow{Note: note("rows in quarantine")},
		},
		"a replay says nothing of freshness": {
			SourceRow{Failures: 1}, RunEnd{State: RunOK, At: at, SnapshotAt: at, DataAt: at, Replay: true}, SourceRow{Failures: 1},
		},
		"a held replay of the past": {
			SourceRow{LastComplete: &at}, RunEnd{State: RunHeld, At: at, SnapshotAt: hourAgo, Note: "it shrank", Replay: true}, SourceRow{LastComplete: &at},
		},
		"a held replay of the present": {
			SourceRow{LastComplete: &at},
			RunEnd{Run: 7, State: RunHeld, At: at, SnapshotAt: at, Note: "it shrank", Replay: true},
			SourceRow{LastComplete: &at, HeldSince: &at, HeldRun: new(int64(7)), Note: note("it shrank")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.was.After(c.end)
			require.Equal(t, c.want, c.was)
		})
	}
}

func TestAReleaseEndsTheHold(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	run, before, header, why := int64(7), int64(3), "h", "it shrank"
	r := SourceRow{HeldSince: &at, HeldRun: &run, Note: &why, Failures: 2, NotBefore: &at, HeaderPrint: &header, ReleasedRun: &before}
	r.Release()
	require.Equal(t, SourceRow{HeaderPrint: &header, ReleasedRun: &before}, r, "nothing of it was applied")
	r = SourceRow{RefusedSince: &at, HeaderPrint: &header}
	r.Release()
	require.Equal(t, SourceRow{HeaderPrint: &header}, r)
}

func TestAReleasedSnapshotCountsAsBelievedWhenItCame(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	hourAgo, dayAgo := at.Add(-time.Hour), at.AddDate(0, 0, -1)
	run, old, now, why := int64(7), "old", "now", "it shrank"
	held := SourceRow{HeldSince: &hourAgo, HeldRun: &run, Note: &why, HeaderPrint: &old, LastSuccess: &dayAgo, DataAt: &dayAgo, Told: []byte("{}")}
	r := held
	r.After(RunEnd{State: RunOK, At: at, DataAt: hourAgo, ReadAt: hourAgo, HeaderPrint: now, Replay: true, Released: true})
	require.Equal(t, SourceRow{ReleasedRun: &run, HeaderPrint: &now, LastSuccess: &hourAgo, DataAt: &hourAgo, Told: []byte("{}")}, r)
	r = held
	r.After(RunEnd{State: RunFailed, At: at, Note: "no room", Replay: true, Released: true})
	require.Equal(t, held, r, "what could not be applied stays held")
}

func TestAnEmptyPlaceOfFilesIsNoSuccessBeforeTheFirstFile(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	failed, nothing := "it failed", "nothing was taken from a file yet"
	r := SourceRow{Failures: 1, NotBefore: &at}
	r.NothingNew(at)
	require.Equal(t, SourceRow{LastAttempt: &at, Note: &nothing}, r)
	r = SourceRow{Failures: 1, Note: &failed, DataAt: &at}
	r.NothingNew(at)
	require.Equal(t, SourceRow{LastAttempt: &at, LastSuccess: &at, DataAt: &at}, r)
	r = SourceRow{HeldSince: &at, Note: &failed, LastApplied: &at}
	r.NothingNew(at)
	require.Equal(t, SourceRow{HeldSince: &at, Note: &failed, LastApplied: &at, LastAttempt: &at, LastSuccess: &at}, r)
}
