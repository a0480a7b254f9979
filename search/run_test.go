package search

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAMergeOfRecordsThatWereLoadedAnewIsDropped(t *testing.T) {
	t.Parallel()
	compare := sortingOf(models.Roster)
	load := func(gen int64, names ...string) *snapshot {
		b := newBuilder(compare)
		for i, name := range names {
			require.NoError(t, b.add(&models.IndexRow{Key: int64(i + 1), Order: -int64(i), Words: name, Gen: gen}))
		}
		s, err := newSnapshot(b.segment(), nil, gen, compare)
		require.NoError(t, err)
		return s
	}
	ix := New(nil, models.Roster, slog.New(slog.DiscardHandler))
	ask := func() models.IndexPage {
		page, ok := ix.Find(models.IndexQuery{Words: []string{"new"}, Limit: 1})
		require.True(t, ok)
		return page
	}
	old := load(1, "old")
	main, err := old.merged()
	require.NoError(t, err)

	ix.publish(old)
	ix.publish(load(3, "old", "new"))
	ix.rebase(t.Context(), merge{from: old.main, main: main, gen: 1})
	require.Equal(t, models.IndexPage{Keys: []int64{2}, Total: 1, Gen: 3}, ask())

	changed, err := old.with([]models.IndexRow{{Key: 7, Words: "new", Gen: 4}}, 4)
	require.NoError(t, err)
	ix.publish(changed)
	ix.rebase(t.Context(), merge{from: old.main, main: main, gen: 1})
	require.Equal(t, models.IndexPage{Keys: []int64{7}, Total: 1, Gen: 4}, ask(), "what changed while merging stays")
	require.Same(t, main, ix.current.Load().main)
}
