package source_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

// begun is a run of the source jail that goes on.
func (b *bundle) begun(t *testing.T) int64 {
	t.Helper()
	id, err := b.Store.BeginRun(b.Ctx, "jail", b.Now)
	require.NoError(t, err)
	return id
}

// contents is how many contents are kept.
func (b *bundle) contents(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, b.Store.Pool().QueryRow(b.Ctx, `select count(*) from archive_contents`).Scan(&n))
	return n
}

func TestDocumentsAreArchivedInParts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := b.begun(t)
	doc := source.Archive{RunID: run, Seq: 1, Name: "list.csv", Digest: make([]byte, 32), Bytes: 9, Fetched: b.Now, Observed: b.Now, Expires: b.Now.Add(24 * time.Hour)}
	content, stored, err := b.Store.BeginArchive(b.Ctx, "jail", doc)
	require.NoError(t, err)
	require.False(t, stored)
	for i, text := range []string{"one", "two"} {
		require.NoError(t, b.Store.AddArchiveChunk(b.Ctx, content, i, []byte(text)))
	}
	require.NoError(t, b.Store.EndArchive(b.Ctx, content, 6))
	b.archived(t, run, 2, b.Now)
	replay, err := b.Store.BeginReplay(b.Ctx, "jail", run, b.Now)
	require.NoError(t, err)
	for _, of := range []int64{run, replay} {
		docs, err := b.Store.Archives(b.Ctx, of)
		require.NoError(t, err)
		require.Len(t, docs, 2)
		doc.ID, doc.ContentID = docs[0].ID, content
		require.Equal(t, doc, docs[0])
		require.Equal(t, 2, docs[1].Seq)
	}
	var read []string
	require.NoError(t, b.Store.ArchiveChunks(b.Ctx, content, func(encrypted []byte) error {
		read = append(read, string(encrypted))
		return nil
	}))
	require.Equal(t, []string{"one", "two"}, read)
	full := errors.New("disk full")
	require.ErrorIs(t, b.Store.ArchiveChunks(b.Ctx, content, func([]byte) error { return full }), full)
}

func TestTheSameBytesAreKeptOnceForAllRuns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.ran(t, source.RunEnd{State: source.RunOK, DataAt: b.Now})
	content := b.kept(t, first, 0, "list", 5, b.Now)
	b.Now = b.Now.Add(12 * time.Hour)
	second := b.ran(t, source.RunEnd{State: source.RunOK, DataAt: b.Now})
	require.Equal(t, content, b.kept(t, second, 0, "list", 5, b.Now))
	require.NotEqual(t, content, b.kept(t, second, 1, "another list", 5, b.Now))
	require.Equal(t, 2, b.contents(t))

	gone, err := b.Store.ExpireRaw(b.Ctx, b.Now.Add(12*time.Hour))
	require.NoError(t, err)
	require.Equal(t, source.Expired{Documents: 1, Needed: []string{}}, gone)
	require.Equal(t, 2, b.contents(t), "the second run needs both")
	docs, err := b.Store.Archives(b.Ctx, second)
	require.NoError(t, err)
	require.Len(t, docs, 2)
	_, err = b.Store.ExpireRaw(b.Ctx, b.Now.Add(24*time.Hour))
	require.NoError(t, err)
	require.Zero(t, b.contents(t), "the last run that needed them is over")
}

func TestAContentThatAKilledRunBeganIsWrittenAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	doc := source.Archive{RunID: b.begun(t), Name: "list.csv", Digest: make([]byte, 32), Bytes: 9, Fetched: b.Now, Observed: b.Now, Expires: b.Now.Add(24 * time.Hour)}
	content, _, err := b.Store.BeginArchive(b.Ctx, "jail", doc)
	require.NoError(t, err)
	require.NoError(t, b.Store.AddArchiveChunk(b.Ctx, content, 0, []byte("half of it")))
	doc.RunID = b.begun(t)
	again, stored, err := b.Store.BeginArchive(b.Ctx, "jail", doc)
	require.NoError(t, err)
	require.Equal(t, []any{content, false}, []any{again, stored}, "half of it is nothing to refer to")
	require.NoError(t, b.Store.ArchiveChunks(b.Ctx, content, func([]byte) error { return errors.New("there is a chunk") }))
	require.NoError(t, b.Store.AddArchiveChunk(b.Ctx, content, 0, []byte("all of it")))
	require.NoError(t, b.Store.EndArchive(b.Ctx, content, 9))
	doc.RunID = b.begun(t)
	_, stored, err = b.Store.BeginArchive(b.Ctx, "jail", doc)
	require.NoError(t, err)
	require.True(t, stored)
}

func TestAnArchiveThatIsTooLargeLosesTheOldestThatNobodyNeeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	held := b.ran(t, source.RunEnd{State: source.RunHeld, Note: "it shrank"})
	b.kept(t, held, 0, "held", 100, b.Now)
	ok := source.RunEnd{State: source.RunOK, DataAt: b.Now}
	runs := make([]int64, 3)
	for i := range runs {
		b.Now = b.Now.Add(time.Hour)
		runs[i] = b.ran(t, ok)
		b.kept(t, runs[i], 0, string(rune('a'+i)), 100, b.Now)
	}
	b.Now = b.Now.Add(time.Hour)
	again := b.ran(t, ok) // the oldest list came again, so it is the newest now
	b.kept(t, again, 0, "a", 100, b.Now)
	running := b.begun(t)
	b.kept(t, running, 0, "running", 100, b.Now.Add(-48*time.Hour))
	kept := func() (all []int64) {
		for _, run := range append([]int64{held, again, running}, runs...) {
			docs, err := b.Store.Archives(b.Ctx, run)
			require.NoError(t, err)
			if len(docs) > 0 {
				all = append(all, run)
			}
		}
		return all
	}
	shrink := func(most int64, want source.Expired) {
		t.Helper()
		gone, err := b.Store.ShrinkArchive(b.Ctx, most)
		require.NoError(t, err)
		require.Equal(t, want, gone)
	}
	shrink(500, source.Expired{})
	shrink(450, source.Expired{Documents: 1, Needed: []string{}})
	require.Equal(t, []int64{held, again, running, runs[0], runs[2]}, kept(), "b was received longest ago")
	shrink(200, source.Expired{Documents: 3, Needed: []string{}})
	require.Equal(t, []int64{held, running}, kept(), "what is held goes last")
	shrink(0, source.Expired{Documents: 1, Needed: []string{"jail"}})
	require.Equal(t, []int64{running}, kept(), "what is being read stays")
	require.Equal(t, 1, b.contents(t))
}

func TestFilesThatCameWhileASourceWasHeldAreNewWhenTheHoldEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Exec(t, `update sources set whole_since = now() where id = 'jail'`)
	take := func(run int64, name string) {
		t.Helper()
		require.NoError(t, b.Store.TakeFiles(b.Ctx, "jail", run, map[string]string{name: "1"}, b.Now))
	}
	taken := func() map[string]string {
		t.Helper()
		all, err := b.Store.TakenFiles(b.Ctx, "jail")
		require.NoError(t, err)
		return all
	}
	standing := source.RunEnd{State: source.RunHeld, Standing: true, Report: []byte(`{"standing": true}`)}
	held := b.ran(t, source.RunEnd{State: source.RunHeld, Note: "it shrank"})
	take(held, "a")
	take(b.ran(t, standing), "b")
	take(b.ran(t, standing), "c")
	require.NoError(t, b.Store.ForgetHeldFiles(b.Ctx, "jail", "jail", &held, false))
	require.Equal(t, map[string]string{"a": "1", "b": "1"}, taken(), "the newest one tells of everybody")

	lost := b.ran(t, source.RunEnd{State: source.RunHeld, Note: "it shrank"})
	take(lost, "d")
	require.NoError(t, b.Store.ForgetHeldFiles(b.Ctx, "jail", "jail", &lost, false))
	require.Contains(t, taken(), "d", "it was applied or discarded")
	require.NoError(t, b.Store.ForgetHeldFiles(b.Ctx, "jail", "jail", &lost, true))
	require.NotContains(t, taken(), "d", "its documents are gone, so it is read anew")
}
