package watchlist_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/watchlist"
	"rollcall/models"
)

// texts are values as people and attackers write them, many of which begin as a formula or with apostrophes. Line ends
// of Windows are not kept: a watcher has none.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		start := rapid.SampledFrom([]string{"", "", "=", "+", "-", "@", "\t", "'", "''=", "'-", "\"", ";"}).Draw(t, "start")
		return start + rapid.StringMatching(`[a-zA-ZÁé'",;=+@ -]{0,12}[a-z]`).Draw(t, "rest")
	})
}

func TestWhatIsWrittenIsReadAsItWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all []*models.Watcher
		for range rapid.IntRange(1, 5).Draw(t, "n") {
			w := &models.Watcher{Name: strings.TrimSpace(texts().Draw(t, "name")), Events: models.EventKinds()[rapid.IntRange(0, 2).Draw(t, "events"):], Level: models.LevelWide}
			if rapid.Bool().Draw(t, "labelled") {
				w.Label = new(strings.TrimSpace(texts().Draw(t, "label")))
				w.Note = new(texts().Draw(t, "note") + "\n" + texts().Draw(t, "more"))
				w.County = &models.County{Slug: "ben-hill"}
			}
			if rapid.Bool().Draw(t, "born") {
				w.Dob, w.BirthYear = &models.Date{Year: 1990, Month: 2, Day: 28}, new(1990)
			} else if rapid.Bool().Draw(t, "aged") {
				w.Age, w.AgeOn = new(33), &models.Date{Year: 2026, Month: 2, Day: 28}
			}
			w.Paused = rapid.Bool().Draw(t, "paused")
			all = append(all, w)
		}
		var b bytes.Buffer
		require.NoError(t, watchlist.Write(&b, func(see func(*models.Watcher) error) error {
			for _, w := range all {
				if err := see(w); err != nil {
					return err
				}
			}
			return nil
		}))
		harmless(t, b.String())
		l, err := watchlist.Read(&b, watchlist.UTF8)
		require.NoError(t, err)
		require.Empty(t, l.Problems)
		require.Len(t, l.Lines, len(all))
		for i, w := range all {
			got := l.Lines[i].Watcher
			want := models.NewWatcher{
				Name: w.Name, Dob: w.Dob, BirthYear: w.BirthYear, Age: w.Age, AgeOn: w.AgeOn, Level: &w.Level, Events: &w.Events,
				Label: w.Label, Note: w.Note, Paused: w.Paused,
			}
			if w.County != nil {
				want.County = &w.County.Slug
			}
			require.Equal(t, want, got)
		}
	})
}

// harmless requires that no value of a table begins as a formula.
func harmless(t require.TestingT, table string) {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	require.NoError(t, err)
	for _, row := range rows {
		for _, v := range row {
			require.False(t, v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])), "%q", v)
		}
	}
}

func TestHitsAreWrittenHarmless(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 8, 6, 30, 0, 0, time.UTC)
	hit := &models.FoundHit{
		Hit:         models.Hit{ID: "hit_1", WatcherID: "alrt_1", RecordID: "fulton-1", Probability: 0.98, Reasons: []string{"same name", "born alike"}, At: at},
		WatcherName: "Wren Moonsail", Label: new("-desk"), Name: "=MOONSAIL, WREN", County: &models.County{Slug: "fulton"}, BookedAt: at,
		Event: models.EventBondChange, Charges: []string{"THEFT", "DUI"}, BondCents: new(int64(310_050)),
	}
	var b bytes.Buffer
	require.NoError(t, watchlist.WriteHits(&b, func(see func(*models.FoundHit) error) error { return see(hit) }))
	harmless(t, b.String())
	require.Contains(t, b.String(), `alrt_1,Wren Moonsail,'-desk,hit_1,2026-03-08T01:30:00-05:00,0.9800,same name; born alike,,fulton-1,"'=MOONSAIL, WREN",,,fulton,2026-03-08T01:30:00-05:00,bond_change,THEFT; DUI,3100.50`)
}
