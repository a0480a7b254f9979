package rest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/ingesttest"
	"rollcall/models"
)

// TestSourcesNameTheCountyThatIsHeld feeds the common CSV with 20 counties of which one would release everybody.
func TestSourcesNameTheCountyThatIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	held := ingesttest.HoldOne(t, b.store, b.now.at)
	b.now.at = b.now.at.Add(2 * time.Second)
	const unusual = "The newest data looks unusual. It is held until someone checks it."

	var list struct {
		Total   int
		Sources []struct {
			ID       string
			County   *string
			State    string
			Note     string
			Coverage []string
		}
	}
	decode(t, b.get(t, "/sources").body, &list)
	others := 0
	for _, s := range list.Sources {
		switch {
		case s.ID == ingesttest.Common:
			require.Nil(t, s.County)
			require.Len(t, s.Coverage, ingesttest.Counties)
			require.Equal(t, "held", s.State, "its state is that of the worst county")
			require.Equal(t, held.Name+": "+unusual, s.Note, "which is named, with the reason for readers")
		case s.ID == models.ScopeID(ingesttest.Common, held.Slug):
			require.Equal(t, []string{"held", held.Slug, unusual}, []string{s.State, *s.County, s.Note})
			require.Equal(t, []string{held.Slug}, s.Coverage)
		case s.County != nil:
			others++
			require.Equal(t, []any{"ok", models.ScopeID(ingesttest.Common, *s.County)}, []any{s.State, s.ID})
			require.Empty(t, s.Note)
		}
	}
	require.Equal(t, ingesttest.Counties-1, others, "the others go on")

	stale := func(path string) string { return b.get(t, path).head.Get("X-Data-Stale") }
	require.Equal(t, held.Slug, stale("/roster?county="+held.Slug))
	require.Empty(t, stale("/roster?county="+b.store.Counties().All()[0].Slug))
	require.Equal(t, ingesttest.People, b.get(t, "/roster?status=booked&county="+held.Slug).total(t), "nobody of it is released")
	raised := func(county string) int {
		return strings.Count(b.get(t, "/roster?limit=200&county="+county).body, `"bond_amount":700,`)
	}
	require.Equal(t, []int{0, 1}, []int{raised(held.Slug), raised(b.store.Counties().All()[0].Slug)}, "what the others brought is shown")
}
