package simulator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesAreDroppedUnderTheNameOfTheirInstant(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 4, People: 400, Still: true, Rosters: oneOfEach()})
	for id, name := range map[string]string{
		"common-csv/glynn": `^glynn_2026-07-08_12-00-00\.csv$`,
		ShapeCourtDelta:    `^cases_20260708_120000\.txt$`,
		ShapeCorrections:   `^offenders_20260708_120000\.txt$`,
	} {
		folder := t.TempDir()
		path, err := b.Drop(t.Context(), id, folder)
		require.NoError(t, err)
		require.Regexp(t, name, filepath.Base(path))
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		var lists []string
		for _, e := range entries {
			if filepath.Ext(e.Name()) != ".jpg" {
				lists = append(lists, e.Name())
			}
		}
		require.Equal(t, []string{filepath.Base(path)}, lists, "nothing half written is left")
		require.Equal(t, id != ShapeCourtDelta, len(entries) > 1, "photographs lie beside the lists that name them")
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, feed := range b.Feeds() {
			if feed.ID == id {
				require.Equal(t, b.fetch(t, feed.Method, feed.Path, ""), string(data))
			}
		}
	}
	for _, id := range []string{"zuercher/bartow", "eagle/laurens", "nobody"} {
		_, err := b.Drop(t.Context(), id, t.TempDir())
		require.Error(t, err, "%s is no file", id)
	}
}
