package main

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/ingesttest"
	"rollcall/models"
	"rollcall/models/store"
)

// TestACountyThatLeftAFileIsRetired feeds the common CSV with 20 counties, of which one is in no file from the second on, until it
// comes back.
func TestACountyThatLeftAFileIsRetired(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	now := time.Now().UTC().Truncate(time.Second)
	store, err := store.Open(t.Context(), x.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	counties := store.Counties().All()
	gone := counties[7]
	scope := models.ScopeID(ingesttest.Common, gone.Slug)
	feed := func(name string, at time.Time, change func(*ingesttest.Inmate) bool) {
		x.OK("ingest", "--source", ingesttest.Common, "--file", x.put(name, ingesttest.CommonCSV(counties, "", at, change)), "--at", at.Format(time.RFC3339))
	}
	feed("a.csv", now.Add(-100*time.Hour), ingesttest.Unchanged)
	feed("b.csv", now.Add(-2*time.Hour), func(p *ingesttest.Inmate) bool { return p.County != gone.Name })

	state := func(id string) any {
		list := x.Items("sources", "list", "--json")
		return list[slices.IndexFunc(list, func(s map[string]any) bool { return s["id"] == id })]["state"]
	}
	require.Equal(t, []any{"down", "down"}, []any{state(ingesttest.Common), state(scope)})
	require.Len(t, x.Fields("sources", "show", ingesttest.Common, "--json")["trouble"], 1)
	code, _ := x.Run("sources", "retire", ingesttest.Common)
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "say which county left the source (--county)")

	retired := x.Fields("sources", "retire", ingesttest.Common, "--county", gone.Slug, "--json")
	require.Equal(t, []any{scope, now.Add(-100 * time.Hour).Format(time.RFC3339)}, []any{retired["id"], retired["as_of"]})
	require.Contains(t, x.OK("sources", "retire", scope), "Retired "+scope+": its records stay as of ")
	require.Equal(t, retired["retired_at"], x.Fields("sources", "retire", scope, "--json")["retired_at"], "since the first time")
	require.Equal(t, []any{"ok", "retired"}, []any{state(ingesttest.Common), state(scope)})
	shown := x.Fields("sources", "show", ingesttest.Common, "--json")
	require.Equal(t, []any{}, shown["trouble"])
	require.Len(t, shown["counties"], ingesttest.Counties, "it is listed still")
	require.Regexp(t, scope+` +retired`, x.OK("sources", "show", ingesttest.Common))

	root, door := x.Serve("Desk")
	ada := joined(t, root, door)
	key := text(t, x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "tests", "--json")["key"])
	list := func(query string) http.Header {
		answer := ada.send(http.MethodGet, "/v1/roster"+query, "", "Authorization", "Bearer "+key)
		body := all(t, answer)
		require.Equal(t, http.StatusOK, answer.StatusCode, body)
		if query != "" {
			require.Contains(t, body, `"status":"booked"`, "nobody is released")
		}
		return answer.Header
	}
	require.Equal(t, []string{now.Add(-2 * time.Hour).Format(time.RFC3339), gone.Slug}, []string{list("").Get("X-Data-As-Of"), list("").Get("X-Data-Stale")})
	own := list("?county=" + gone.Slug)
	require.Equal(t, []string{"", gone.Slug}, []string{own.Get("X-Data-As-Of"), own.Get("X-Data-Stale")}, "nothing can change the answer")
	require.NotContains(t, all(t, ada.send(http.MethodGet, "/v1/sources", "", "Authorization", "Bearer "+key)), scope)
	require.Regexp(t, `Retired \(1\)[\s\S]*`+scope, all(t, ada.send(http.MethodGet, "/operator/sources", "")))
	require.Contains(t, all(t, ada.send(http.MethodGet, "/operator/sources/"+scope, "")), "An operator retired this source on ")
	require.NotContains(t, all(t, ada.send(http.MethodGet, "/operator/sources/"+ingesttest.Common, "")), `id="began"`)

	feed("c.csv", now.Add(-time.Hour), ingesttest.Unchanged)
	require.Equal(t, []any{"ok", "ok"}, []any{state(ingesttest.Common), state(scope)}, "it is back")
}

func TestAReleaseWaitsForAnotherRunOfTheSource(t *testing.T) {
	t.Parallel()
	f := newField(t, "")
	document, sample := pinewood(t)
	x := terminalOn(t, f.store.Pool().Config().ConnString())
	x.OK("ingest", "--source", x.put("pinewood.yaml", document), x.put("pinewood_2026-03-09_06-00-00.csv", sample))
	x.OK("sources", "enable", x.put("pinewood.yaml", document)) // the release needs its document
	x.OK("sources", "hold", "pinewood")
	unlock, ok, err := f.store.LockSource(t.Context(), "pinewood")
	require.NoError(t, err)
	require.True(t, ok)
	code, _ := x.Run("sources", "release", "pinewood")
	require.Equal(t, 1, code)
	onceItWaits(x, unlock)
	require.Contains(t, x.OK("sources", "release", "pinewood", "--wait"), "Released pinewood")
	require.Contains(t, x.Stderr, "Another run reads pinewood.")
}
