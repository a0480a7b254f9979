package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// TestTheStatusPageSaysWhatIsNotCurrentDuringAnIncident stops the schedule of a jail that is days old, and opens an incident.
func TestTheStatusPageSaysWhatIsNotCurrentDuringAnIncident(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, county_id, last_attempt, last_success, data_at, data_seconds, interval_seconds)
select 'jail', 'Dade jail', 'roster', false, id, now(), now() - interval '9 days', now() - interval '9 days', 3600, 3600 from counties where slug = 'dade'`)
	require.NoError(t, err)
	_, err = b.store.OpenIncident(t.Context(), "A power cut", "The jails are off.")
	require.NoError(t, err)
	w := b.as("ada@example.org")
	page := text(t, w.get("/status"))
	for _, part := range []string{"A power cut", "1 source is not current.", "does not mean that no one is in custody"} {
		require.Contains(t, strings.Join(strings.Fields(page), " "), part)
	}
	_, late, found := strings.Cut(text(t, w.get("/")), "Jails that are not current")
	require.True(t, found, "a stopped schedule is not current on the first page either")
	require.Contains(t, late, ">Dade</a>")
}

func TestAnIncidentIsPublicOnceItsPreviewIsConfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "op@example.org", models.Member, true)
	w := b.as("op@example.org")
	require.Equal(t, http.StatusUnprocessableEntity, w.post("/operator/incidents", "title", "A power cut", "text", " ").StatusCode)
	page := text(t, w.post("/operator/incidents", "title", "A power cut", "text", "The jails are off."))
	for _, part := range []string{"<h3>A power cut</h3>", `<p class="written">The jails are off.</p>`, "Anyone can read this", "Publish the incident"} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, text(t, w.get("/status")), "A power cut")
	resp := w.post("/operator/incidents", "title", "A power cut", "text", "The jails are off.", "sure", "yes")
	require.Equal(t, "/operator/incidents?done=incident-opened", resp.Header.Get("Location"))
	require.Contains(t, text(t, w.get("/status")), "A power cut")
	trail := text(t, w.get("/settings/trail?action=Publish+the+incident"))
	require.Contains(t, trail, ": A power cut", "which one it is")
}
