package ingest_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/raw"
	"rollcall/models/source"
)

func TestTheSameDocumentIsArchivedOnceAndEveryRunCanBeReplayed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	var runs []int64
	for i := range 3 {
		runs = append(runs, b.runSource(s, "roster.csv", roster(5), day.AddDate(0, 0, i)).Run)
	}
	require.Equal(t, "3 1 1", one[string](b, `select (select count(*) from archives) || ' ' || (select count(*) from archive_contents) || ' ' || (select count(*) from archive_chunks)`))
	for _, run := range runs {
		r, err := b.runner.Replay(t.Context(), s, run)
		require.NoError(t, err)
		require.Equal(t, []any{source.RunOK, 5}, []any{r.State, r.Parsed}, r.String())
	}
	b.runSource(rosterSource(t, "county-b", 1), "roster.csv", roster(5), day)
	require.Equal(t, 2, one[int](b, `select count(distinct digest) from archive_contents`), "the digest reveals nothing: that of another source differs")
}

func TestAnOperatorIsWarnedWhenTheArchiveLosesWhatIsHeld(t *testing.T) {
	t.Parallel()
	b, s, _ := shrunk(t)
	var log bytes.Buffer
	w := &raw.ExpireWorker{Store: b.store, Log: slog.New(slog.NewTextHandler(&log, nil)), Now: func() time.Time { return b.now }, Most: 1}
	require.NoError(t, w.Work(t.Context(), nil))
	require.Contains(t, log.String(), `level=WARN msg="raw documents deleted that a held snapshot or rows in quarantine needed" sources=[county-a]`)
	require.Zero(t, one[int](b, `select count(*) from archive_contents`))
	require.Contains(t, b.release(s).Note, "not kept any more")
}

// spool writes files into the folder of a source that lists everybody.
func (b *bundle) drop(dir, name, text string) {
	b.Helper()
	require.NoError(b, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

// dropped is the source of a folder.
func dropped(t *testing.T, dir string) *ingest.Source {
	t.Helper()
	s := sourceWith(t, "county-a", "decode:", "transport: {kind: folder, folder: '"+dir+"', pattern: '\\.csv$', observed: {regex: '(\\d{4}-\\d{2}-\\d{2})', layout: '2006-01-02'}}\ndecode:")
	s.Complete.Shrink = 0.4
	return s
}

func TestAfterAReleaseTheSameBytesAreApplied(t *testing.T) {
	t.Parallel()
	t.Run("a file that came while an operator held the source is read by the next run", func(t *testing.T) {
		t.Parallel()
		b, dir := setup(t), t.TempDir()
		s := dropped(t, dir)
		read := func() *ingest.Report {
			t.Helper()
			r, err := b.runner.Run(t.Context(), s, ingest.Input{})
			require.NoError(t, err)
			return r
		}
		b.drop(dir, "2026-01-06.csv", roster(20))
		require.Equal(t, 20, read().New)
		require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "the jail moves", b.now))
		b.drop(dir, "2026-01-07.csv", fewest(19))
		require.Equal(t, source.RunHeld, read().State)
		require.Equal(t, "no file is new", read().Note)
		b.release(s)
		r := read()
		require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.Closed}, r.String())
		require.Equal(t, "no file is new", read().Note)
	})
	t.Run("the newest file that came behind a held one is read by the next run", func(t *testing.T) {
		t.Parallel()
		b, dir := setup(t), t.TempDir()
		s := dropped(t, dir)
		for name, text := range map[string]string{"2026-01-06.csv": roster(20), "2026-01-07.csv": fewest(10), "2026-01-08.csv": fewest(10), "2026-01-09.csv": fewest(9)} {
			b.drop(dir, name, text)
		}
		_, err := b.runner.Run(t.Context(), s, ingest.Input{})
		require.NoError(t, err)
		require.Equal(t, 10, b.release(s).Closed)
		r, err := b.runner.Run(t.Context(), s, ingest.Input{})
		require.NoError(t, err)
		require.Equal(t, []any{source.RunOK, 1, 1}, []any{r.State, r.Closed, r.Documents}, r.String())
	})
	t.Run("a discarded one stays discarded until it comes again, and is held then", func(t *testing.T) {
		t.Parallel()
		b, dir := setup(t), t.TempDir()
		s := dropped(t, dir)
		b.drop(dir, "2026-01-06.csv", roster(20))
		b.drop(dir, "2026-01-07.csv", fewest(10))
		_, err := b.runner.Run(t.Context(), s, ingest.Input{})
		require.NoError(t, err)
		b.discard(s)
		r, err := b.runner.Run(t.Context(), s, ingest.Input{})
		require.NoError(t, err)
		require.Equal(t, "no file is new", r.Note)
		b.drop(dir, "2026-01-08.csv", fewest(10))
		r, err = b.runner.Run(t.Context(), s, ingest.Input{})
		require.NoError(t, err)
		require.Equal(t, source.RunHeld, r.State, "the same bytes are no copy to be ignored: "+r.String())
		require.Equal(t, 10, b.release(s).Closed)
	})
	t.Run("a list without a proof of its end is applied by the release, and the same bytes change nothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s := sourceWith(t, "county-a", "complete: {end_marker: true, ", "complete: {", "confirmations: 1", "confirmations: 2")
		s.Complete.Shrink = 0.4
		b.runSource(s, "roster.csv", roster(20), day)
		held := b.runSource(s, "roster.csv", fewest(10), day.AddDate(0, 0, 1))
		require.Equal(t, source.RunHeld, held.State)
		would, err := b.runner.Rehearse(t.Context(), s, held.Run)
		require.NoError(t, err)
		require.Equal(t, 10, would.Closed, "the operator sees it before")
		require.Equal(t, 10, b.release(s).Closed, "the operator's word is the second confirmation")
		require.Equal(t, 10, b.booked())
		for hours := range 3 {
			r := b.runSource(s, "roster.csv", fewest(10), day.AddDate(0, 0, 1).Add(time.Duration(hours)*time.Hour))
			require.Equal(t, []any{source.RunOK, 0, 10}, []any{r.State, r.Closed, r.Unchanged}, r.String())
		}
		r := b.runSource(s, "roster.csv", fewest(9), day.AddDate(0, 0, 2))
		require.Equal(t, []any{source.RunOK, 0}, []any{r.State, r.Closed}, "who is gone after it needs two lists again: "+r.String())
	})
}

func TestARunWaitsForAnotherOneOfItsSource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	unlock, ok, err := b.store.LockSource(t.Context(), s.ID)
	require.NoError(t, err)
	require.True(t, ok)
	file := filepath.Join(b.dir, "roster.csv")
	b.drop(b.dir, "roster.csv", roster(5))
	read := func(patience time.Duration, waiting func(string)) (*ingest.Report, error) {
		runner := *b.runner
		runner.Patience, runner.Waiting = patience, waiting
		return runner.Run(t.Context(), s, ingest.Input{Files: []string{file}, At: day})
	}
	_, err = read(0, nil)
	require.ErrorIs(t, err, ingest.ErrBusy)
	_, err = read(time.Millisecond, nil)
	require.ErrorIs(t, err, ingest.ErrBusy, "its patience ended")
	told := 0
	r, err := read(time.Minute, func(source string) {
		require.Equal(t, s.ID, source)
		told++
		unlock()
	})
	require.NoError(t, err)
	require.Equal(t, []any{5, 1}, []any{r.New, told})
}
