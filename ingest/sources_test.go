package ingest_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

var update = flag.Bool("update", false, "write what the samples give to expect.json")

// seen stands in for the instant of samples that name none.
var seen = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

func someCounties() *models.Counties {
	return models.CountiesOf([]*models.County{
		{ID: 9, Slug: "baldwin", Name: "Baldwin"}, {ID: 17, Slug: "ben-hill", Name: "Ben Hill"}, {ID: 59, Slug: "clarke", Name: "Clarke"},
	})
}

// TestEveryShippedSourceMakesTheRowsItExpects takes each sample of each shipped source through the
// pure stages and compares with expect.json beside it.
func TestEveryShippedSourceMakesTheRowsItExpects(t *testing.T) {
	t.Parallel()
	require.Subset(t, ingest.Shipped(), []string{ // issue: one for each of F1, F2, F3, F6, F7, F9, F11, F12, F14, F19, F22, F23
		"common-csv", "odyssey", "zuercher", "jailtracker", "citizen", "new-world", "eagle", "connect", "docket", "roster-xml", "court-delta", "corrections-fixed",
	})
	for _, id := range ingest.Shipped() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			source, err := ingest.Load(id)
			require.NoError(t, err)
			require.Equal(t, id, source.ID)
			expect(t, source, filepath.Join("sources", id))
		})
	}
}

// TestOtherShapesAreReadByADocumentAlone does the same with the shapes of which no source is shipped.
func TestOtherShapesAreReadByADocumentAlone(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob(filepath.Join("testdata", "shapes", "*", "source.yaml"))
	require.NoError(t, err)
	require.Len(t, documents, 12)
	for _, file := range documents {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			source, err := ingest.Load(file)
			require.NoError(t, err)
			expect(t, source, dir)
		})
	}
}

// expect compares what the samples in a folder give with expect.json.
func expect(t *testing.T, source *ingest.Source, dir string) {
	t.Helper()
	samples, err := filepath.Glob(filepath.Join(dir, "samples", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, samples)
	got := map[string]*ingest.Preview{}
	for _, sample := range samples {
		data, err := os.ReadFile(sample)
		require.NoError(t, err)
		got[filepath.Base(sample)], err = source.Preview(filepath.Base(sample), data, someCounties(), seen)
		require.NoError(t, err)
	}
	text, err := json.MarshalIndent(got, "", "  ")
	require.NoError(t, err)
	file := filepath.Join(dir, "expect.json")
	if *update {
		require.NoError(t, os.WriteFile(file, append(text, '\n'), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(text))
}
