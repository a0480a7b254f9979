package graph_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/ingesttest"
	"rollcall/models"
)

// TestAHeldCountyIsAScopeOfItsSource feeds the common CSV with 20 counties of which one would release everybody.
func TestAHeldCountyIsAScopeOfItsSource(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	held := ingesttest.HoldOne(t, b.store, time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC))
	const unusual = "The newest data looks unusual. It is held until someone checks it."
	type source struct {
		ID     string
		State  string
		Note   string
		County *struct{ Slug string }
		Scopes []source
	}
	var answer struct {
		Sources []source
		Roster  struct{ Freshness struct{ Stale []string } }
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `{
		sources { id state note county { slug } scopes { id state note county { slug } } }
		roster(filter: {county: "`+held.Slug+`"}) { freshness { stale } }
	}`, nil)), &answer))
	require.Equal(t, []string{held.Slug}, answer.Roster.Freshness.Stale)

	wrong := map[string]string{}
	for _, s := range answer.Sources {
		if s.ID != ingesttest.Common {
			require.Empty(t, s.Scopes)
			continue
		}
		require.Nil(t, s.County)
		require.Equal(t, []string{"HELD", held.Name + ": " + unusual}, []string{s.State, s.Note}, "its state is that of the worst county, which is named")
		require.Len(t, s.Scopes, ingesttest.Counties)
		for _, scope := range s.Scopes {
			require.Equal(t, models.ScopeID(s.ID, scope.County.Slug), scope.ID)
			if scope.State != "OK" {
				wrong[scope.ID] = scope.State + ": " + scope.Note
				continue
			}
			require.Empty(t, scope.Note)
		}
	}
	require.Equal(t, map[string]string{models.ScopeID(ingesttest.Common, held.Slug): "HELD: " + unusual}, wrong, "the others go on")
}
