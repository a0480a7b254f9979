package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/ingesttest"
	"rollcall/models"
	"rollcall/models/store"
)

// TestEveryDoorNamesTheCountyThatIsHeld feeds the common CSV with 20 counties of which one would release everybody, and asks
// the commands, both interfaces and the pages until the county is released.
func TestEveryDoorNamesTheCountyThatIsHeld(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	now := time.Now().UTC().Truncate(time.Second)
	store, err := store.Open(t.Context(), x.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	counties := store.Counties().All()
	held, other := counties[7], counties[0]
	scope := models.ScopeID(ingesttest.Common, held.Slug)
	feed := func(name string, at time.Time, change func(*ingesttest.Inmate) bool) (code int) {
		file := x.put(name, ingesttest.CommonCSV(counties, "", at, change))
		code, _ = x.Run("ingest", "--source", ingesttest.Common, "--file", file, "--at", at.Format(time.RFC3339))
		return code
	}
	require.Zero(t, feed("a.csv", now.Add(-48*time.Hour), ingesttest.Unchanged))
	require.Equal(t, 1, feed("b.csv", now, ingesttest.OneReplaced(held, now.Add(-3*time.Hour))), "not all was applied")
	require.Contains(t, x.Stderr, "held: "+held.Name+": "+ingesttest.WhyHeld)

	state := func(list []map[string]any) (ok int, rest map[string]any) {
		rest = map[string]any{}
		for _, s := range list {
			if id, _ := s["id"].(string); strings.HasPrefix(id, ingesttest.Common) {
				if rest[id] = s["state"]; s["state"] == "ok" {
					delete(rest, id)
					ok++
				}
			}
		}
		return ok, rest
	}
	ok, wrong := state(x.Items("sources", "list", "--json"))
	require.Equal(t, 19, ok, "the others go on")
	require.Equal(t, map[string]any{ingesttest.Common: "held", scope: "held"}, wrong)

	shown := x.Fields("sources", "show", ingesttest.Common, "--json")
	require.Equal(t, []any{"held", "held: " + held.Name}, []any{shown["state"], shown["note"]})
	require.Nil(t, shown["held_since"], "the source itself is not held")
	troubles, isList := shown["trouble"].([]any)
	require.True(t, isList)
	require.Len(t, troubles, 1)
	began, isObject := troubles[0].(map[string]any)
	require.True(t, isObject)
	require.Equal(t, []any{scope, held.Slug, "held", []any{"b.csv"}, ingesttest.WhyHeld},
		[]any{began["source"], began["county"], began["state"], began["files"], began["reason"]})
	require.NotNil(t, began["run"])
	var each []map[string]any
	encoded, err := json.Marshal(shown["counties"])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(encoded, &each))
	ok, wrong = state(each)
	require.Equal(t, []any{19, map[string]any{scope: "held"}}, []any{ok, wrong})
	i := slices.IndexFunc(each, func(c map[string]any) bool { return c["id"] == scope })
	require.Equal(t, []any{held.Slug, ingesttest.WhyHeld}, []any{each[i]["county"], each[i]["note"]})
	would, isObject := shown["held"].(map[string]any)
	require.True(t, isObject)
	require.EqualValues(t, ingesttest.People, would["closed"], "whom a release would release")
	said := x.OK("sources", "show", ingesttest.Common)
	require.Regexp(t, scope+` +held +`+ingesttest.WhyHeld, said)
	require.Regexp(t, `began +`+held.Slug+` held since .* by run \d+ of b.csv: `+ingesttest.WhyHeld, strings.Split(said, "\n")[1], "it begins with what began the trouble")
	require.Regexp(t, models.ScopeID(ingesttest.Common, other.Slug)+` +ok +-`, said)

	root, door := x.Serve("Desk")
	ada := joined(t, root, door)
	key := text(t, x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "tests", "--json")["key"])
	var v1 struct{ Sources []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(all(t, ada.send(http.MethodGet, "/v1/sources", "", "Authorization", "Bearer "+key))), &v1))
	ok, wrong = state(v1.Sources)
	require.Equal(t, []any{19, map[string]any{ingesttest.Common: "held", scope: "held"}}, []any{ok, wrong})
	require.Contains(t, ada.answered(`{ sources { scopes { id state } } }`), `{"id":"`+scope+`","state":"HELD"}`)
	require.Contains(t, all(t, ada.send(http.MethodGet, "/operator/sources/"+scope, "")), "I"+ingesttest.WhyHeld[1:]+".")
	require.Regexp(t, `(?i)id="began"[\s\S]*`+held.Name+` County[\s\S]*`+ingesttest.WhyHeld+`[\s\S]*b\.csv`,
		all(t, ada.send(http.MethodGet, "/operator/sources/"+ingesttest.Common, "")))

	require.Contains(t, x.OK("sources", "release", ingesttest.Common, "--county", held.Slug), "closed 30")
	ok, wrong = state(x.Items("sources", "list", "--json"))
	require.Equal(t, []any{21, map[string]any{}}, []any{ok, wrong})
}
