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
	counties := someCounties()
	require.Subset(t, ingest.Shipped(), []string{"common-csv", "zuercher", "court-delta", "corrections-fixed"})
	for _, id := range ingest.Shipped() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			source, err := ingest.Load(id)
			require.NoError(t, err)
			require.Equal(t, id, source.ID)
			samples, err := filepath.Glob(filepath.Join("sources", id, "samples", "*"))
			require.NoError(t, err)
			require.NotEmpty(t, samples)
			got := map[string]*ingest.Preview{}
			for _, sample := range samples {
				data, err := os.ReadFile(sample)
				require.NoError(t, err)
				got[filepath.Base(sample)], err = source.Preview(filepath.Base(sample), data, counties, seen)
				require.NoError(t, err)
			}
			text, err := json.MarshalIndent(got, "", "  ")
			require.NoError(t, err)
			expect := filepath.Join("sources", id, "expect.json")
			if *update {
				require.NoError(t, os.WriteFile(expect, append(text, '\n'), 0o600))
			}
			want, err := os.ReadFile(expect)
			require.NoError(t, err)
			require.JSONEq(t, string(want), string(text))
		})
	}
}
