package main

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/ingesttest"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/web/status"
)

// TestTheStatusPageSaysWhatIsNotCurrent holds one county of twenty, which nobody has to sign in to learn.
func TestTheStatusPageSaysWhatIsNotCurrent(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	st, err := store.Open(t.Context(), x.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(st.Close)
	held := ingesttest.HoldOne(t, st, time.Now())
	opened := x.Fields("incident", "open", "Bibb's export stopped", "--text", "We asked the sheriff's office.", "--json")
	root, door := x.Serve("Desk")
	anybody := stranger(t, root)

	var report status.Report
	answer := anybody.send(http.MethodGet, "/status.json", "")
	require.NoError(t, json.Unmarshal([]byte(all(t, answer)), &report))
	require.False(t, report.Current)
	require.Len(t, report.Sources, ingesttest.Counties)
	for _, s := range report.Sources {
		want := "ok"
		if s.County == held.Name {
			want = "held"
			require.NotContains(t, *s.Note, "column", "what exactly is wrong is for operators")
		}
		require.Equal(t, want, s.State, s.County)
		require.NotNil(t, s.AsOf)
	}
	require.Len(t, report.Incidents, 1)
	require.Equal(t, opened["id"], report.Incidents[0].ID)
	require.Nil(t, report.Deliveries.Median)

	shown := all(t, anybody.send(http.MethodGet, "/status", ""))
	require.Contains(t, shown, "Bibb&#39;s export stopped")
	require.Regexp(t, held.Name+`</td>[\s\S]*held`, shown)
	require.NotContains(t, shown, "SMITH")
	require.Equal(t, http.StatusSeeOther, anybody.send(http.MethodGet, "/operator/incidents", "").StatusCode)
	require.Equal(t, http.StatusSeeOther, anybody.submit("/operator/incidents", "title", "x", "text", "y").StatusCode, "to sign in")

	ada := joined(t, root, door)
	require.Contains(t, all(t, ada.submit("/operator/incidents/"+report.Incidents[0].ID, "text", "  ", "ended", "yes")), "Text must have a visible character")
	require.Equal(t, http.StatusSeeOther, ada.submit("/operator/incidents/"+report.Incidents[0].ID, "text", "It is sent again.", "ended", "yes").StatusCode)
	require.Regexp(t, `Incidents of the last 90 days[\s\S]*Bibb&#39;s export stopped[\s\S]*It is sent again`, all(t, anybody.send(http.MethodGet, "/status", "")))
	require.Equal(t, http.StatusConflict, ada.submit("/operator/incidents/"+report.Incidents[0].ID, "text", "More.").StatusCode)
	require.Equal(t, http.StatusNotFound, ada.submit("/operator/incidents/inc_none", "text", "More.").StatusCode)
	require.Equal(t, http.StatusSeeOther, ada.submit("/operator/incidents", "title", "Webhooks are late", "text", "They are sent within the hour.", "sure", "yes").StatusCode)
	require.Contains(t, x.OK("incident", "list"), "Webhooks are late")
	code, _ := x.Run("incident", "update", "inc_none", "--text", "More.")
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "incident not found")
	all, err := st.Incidents(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Nil(t, all[0].EndedAt, "the one that goes on is first")
	require.IsType(t, &source.Incident{}, all[1])
}
