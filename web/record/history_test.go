package record

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestChangesOfOneRunStandTogetherAndTheNewestComeFirst(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	second, third := first.AddDate(0, 0, 1), first.AddDate(0, 0, 2)
	sources := map[string]*models.Source{"jail": {Title: "Fulton jail"}}
	got := timelineOf([]*models.RecordChange{
		{At: first, SourceID: "jail", Field: "bondAmount", Before: nil, After: new("500.00")},
		{At: second, SourceID: "jail", Field: "charges", Before: new(`["SIMPLE BATTERY"]`), After: new(`["SIMPLE BATTERY","FTA"]`)},
		{At: second, SourceID: "jail", Field: "name", Before: new("DOE, JANE"), After: new("Doe, Jane")},
		{At: second, SourceID: "gone", Field: "releaseInferred", Before: new("false"), After: new("true")},
		{At: second, SourceID: "left", Field: "releaseDate", After: new("2026-03-02T07:00:00-05:00")},
		{At: second, SourceID: "left", Field: "releaseInferred", Before: new("false"), After: new("true")},
		{At: third, SourceID: "left", Field: "releaseDate", After: new("2026-03-03T07:00:00-05:00")},
		{At: third, SourceID: "left", Field: "releaseInferred", Before: new("false"), After: new("true")},
	}, sources, &models.Release{At: third.Add(time.Millisecond), Basis: models.ReleaseAbsent})
	var said []string
	for _, r := range got.Runs {
		for _, c := range r.Changes {
			from := ""
			if c.Had {
				from = c.From.String() + " → "
			}
			said = append(said, r.At.Format("Jan 2")+" "+r.Source+": "+c.Name.String()+": "+from+c.To.String())
		}
	}
	require.Equal(t, []string{
		"Mar 3 left: No longer listed: Mar 3, 2026, 7:00 AM",
		"Mar 2 Fulton jail: Charges: Simple battery → Simple battery; FTA",
		"Mar 2 Fulton jail: Name: DOE, JANE → Doe, Jane", // one of capitals alone is shown as it was written
		"Mar 2 gone: Release: as reported → estimated",
		"Mar 2 left: Release estimated: Mar 2, 2026, 7:00 AM",
		"Mar 1 Fulton jail: Bond: $500",
	}, said)
	require.Len(t, got.Runs, 5)
	require.Equal(t, 6, got.Total)
}

func TestOnlyTheNewestChangesAreShown(t *testing.T) {
	t.Parallel()
	var all []*models.RecordChange
	for i := range changesShown {
		at := time.Date(2026, 3, 1, i, 0, 0, 0, time.UTC)
		all = append(all, &models.RecordChange{At: at, Field: "judge", After: new("A")}, &models.RecordChange{At: at, Field: "status", After: new("PENDING")})
	}
	all = all[1:]
	got := timelineOf(all, nil, nil)
	require.Equal(t, changesShown, got.Shown)
	require.Equal(t, 2*changesShown-1, got.Total)
	require.Len(t, got.Runs, changesShown/2)
	require.Equal(t, all[len(all)-1].At, got.Runs[0].At)
}
