package source

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestARunSaysHowItsSourceIs(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	hourAgo, later := at.Add(-time.Hour), at.Add(time.Hour)
	note := func(text string) *string { return &text }
	for name, c := range map[string]struct {
		was  Row
		end  RunEnd
		want Row
	}{
		"a success": {
			Row{Note: note("it failed"), Failures: 3, NotBefore: &later, RefusedSince: &hourAgo},
			RunEnd{State: RunOK, At: at, SnapshotAt: at, DataAt: hourAgo, HeaderFingerprint: "h"},
			Row{LastSuccess: &at, DataAt: &hourAgo, HeaderFingerprint: note("h")},
		},
		"a partial success has a note": {
			Row{},
			RunEnd{State: RunPartial, At: at, DataAt: at, Note: "rows in quarantine"},
			Row{LastSuccess: &at, DataAt: &at, Note: note("rows in quarantine")},
		},
		"data does not grow older, nor is it of the future": {
			Row{DataAt: &hourAgo}, RunEnd{State: RunOK, At: at, DataAt: later}, Row{LastSuccess: &at, DataAt: &at},
		},
		"old data": {
			Row{DataAt: &at}, RunEnd{State: RunOK, At: at, DataAt: hourAgo}, Row{LastSuccess: &at, DataAt: &at},
		},
		"the first header is the known one": {
			Row{HeaderFingerprint: note("h")},
			RunEnd{State: RunOK, At: at, SnapshotAt: at, DataAt: at, HeaderFingerprint: "other"},
			Row{LastSuccess: &at, DataAt: &at, HeaderFingerprint: note("h")},
		},
		"a late snapshot makes no header known": {
			Row{LastComplete: &at},
			RunEnd{State: RunOK, At: at, SnapshotAt: hourAgo, DataAt: at, HeaderFingerprint: "h"},
			Row{LastComplete: &at, LastSuccess: &at, DataAt: &at},
		},
		"a failure": {
			Row{LastSuccess: &hourAgo},
			RunEnd{State: RunFailed, At: at, Note: "no answer", Failures: 2, NotBefore: &later},
			Row{LastSuccess: &hourAgo, Note: note("no answer"), Failures: 2, NotBefore: &later},
		},
		"a refusal begins once": {
			Row{RefusedSince: &hourAgo},
			RunEnd{State: RunRefused, At: at, Note: "a login wall"},
			Row{RefusedSince: &hourAgo, Note: note("a login wall")},
		},
		"a held snapshot holds its source": {
			Row{}, RunEnd{Run: 7, State: RunHeld, At: at, Note: "it shrank"}, Row{HeldSince: &at, HeldRun: new(int64(7)), Note: note("it shrank")},
		},
		"a hold and its reason stay": {
			Row{HeldSince: &hourAgo, Note: note("it shrank")},
			RunEnd{State: RunOK, At: at, DataAt: at},
			Row{HeldSince: &hourAgo, Note: note("it shrank"), LastSuccess: &at, DataAt: &at},
		},
		"a hold that stood, and ended meanwhile, does not come back": {
			Row{Note: note("rows in quarantine")},
			RunEnd{State: RunHeld, At: at, Note: "held by an operator", Standing: true},
			Row{Note: note("rows in quarantine")},
		},
		"a replay says nothing of freshness": {
			Row{Failures: 1}, RunEnd{State: RunOK, At: at, SnapshotAt: at, DataAt: at, Replay: true}, Row{Failures: 1},
		},
		"a county that a replay makes known is as fresh as its documents": {
			Row{Parent: note("many")},
			RunEnd{State: RunOK, At: at, SnapshotAt: hourAgo, DataAt: hourAgo, ReadAt: hourAgo, Replay: true},
			Row{Parent: note("many"), LastSuccess: &hourAgo, DataAt: &hourAgo},
		},
		"a county that was read well before stays as fresh as it was": {
			Row{Parent: note("many"), LastSuccess: &later},
			RunEnd{State: RunOK, At: at, DataAt: at, ReadAt: hourAgo, Replay: true},
			Row{Parent: note("many"), LastSuccess: &later},
		},
		"a replay without a row of the county": {
			Row{Parent: note("many")}, RunEnd{State: RunOK, At: at, DataAt: at, Replay: true}, Row{Parent: note("many")},
		},
		"a held replay of the past": {
			Row{LastComplete: &at}, RunEnd{State: RunHeld, At: at, SnapshotAt: hourAgo, Note: "it shrank", Replay: true}, Row{LastComplete: &at},
		},
		"a held replay of the present": {
			Row{LastComplete: &at},
			RunEnd{Run: 7, State: RunHeld, At: at, SnapshotAt: at, Note: "it shrank", Replay: true},
			Row{LastComplete: &at, HeldSince: &at, HeldRun: new(int64(7)), Note: note("it shrank")},
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
	r := Row{HeldSince: &at, HeldRun: &run, Note: &why, Failures: 2, NotBefore: &at, HeaderFingerprint: &header, ReleasedRun: &before}
	r.Release()
	awaited := models.NoteReleased
	require.Equal(t, Row{HeaderFingerprint: &header, ReleasedRun: &before, Note: &awaited}, r, "nothing of it was applied")
	r = Row{RefusedSince: &at, HeaderFingerprint: &header}
	r.Release()
	require.Equal(t, Row{HeaderFingerprint: &header, Note: &awaited}, r)
	r.After(RunEnd{State: RunOK, At: at})
	require.Nil(t, r.Note, "its next run says what is to be said")
}

func TestAReleasedSnapshotCountsAsBelievedWhenItCame(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	hourAgo, dayAgo := at.Add(-time.Hour), at.AddDate(0, 0, -1)
	run, old, now, why, awaited := int64(7), "old", "now", "it shrank", models.NoteReleased
	held := Row{HeldSince: &hourAgo, HeldRun: &run, Note: &why, HeaderFingerprint: &old, LastSuccess: &dayAgo, DataAt: &dayAgo, Reported: []byte("{}")}
	r := held
	r.After(RunEnd{State: RunOK, At: at, DataAt: hourAgo, ReadAt: hourAgo, HeaderFingerprint: now, Replay: true, Released: true})
	require.Equal(t, Row{ReleasedRun: &run, Note: &awaited, HeaderFingerprint: &now, LastSuccess: &hourAgo, DataAt: &hourAgo, Reported: []byte("{}")}, r)
	r = held
	r.After(RunEnd{State: RunFailed, At: at, Note: "no room", Replay: true, Released: true})
	require.Equal(t, held, r, "what could not be applied stays held")
}

func TestAnEmptyPlaceOfFilesIsNoSuccessBeforeTheFirstFile(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	failed, nothing := "it failed", "nothing was taken from a file yet"
	r := Row{Failures: 1, NotBefore: &at}
	r.NothingNew(at)
	require.Equal(t, Row{LastAttempt: &at, Note: &nothing}, r)
	r = Row{Failures: 1, Note: &failed, DataAt: &at}
	r.NothingNew(at)
	require.Equal(t, Row{LastAttempt: &at, LastSuccess: &at, DataAt: &at}, r)
	r = Row{HeldSince: &at, Note: &failed, LastApplied: &at}
	r.NothingNew(at)
	require.Equal(t, Row{HeldSince: &at, Note: &failed, LastApplied: &at, LastAttempt: &at, LastSuccess: &at}, r)
}

func TestStateColumnsAreColumnsOfTheRow(t *testing.T) {
	t.Parallel()
	for _, name := range StateColumns {
		_, ok := reflect.TypeFor[Row]().FieldByName(name)
		require.True(t, ok, "%s is written back by its name, and without a field it is not", name)
	}
}
