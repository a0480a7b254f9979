package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestAnOperatorTakesAMergeBackOnAPage(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	b.db.Add(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", BirthYear: 1990, At: "2026-03-01T10:00:00-05:00"},
		testdb.Booking{ID: "fulton-2026-000002", Name: "MOONSAIL, WREN", BirthYear: 1990, At: "2026-03-01T11:00:00-05:00"},
		testdb.Offender{GdcID: "1000000001", Name: "QUILLFEATHER, ORLA"},
		testdb.Offender{GdcID: "1000000002", Name: "QUILLFEATHER, ORLA"},
	)
	w := b.as("ada@example.org")
	require.Contains(t, text(t, w.get("/operator/merges")), "No merges")
	require.NoError(t, b.store.Merge(t.Context(), models.Roster, "fulton-2026-000001", "fulton-2026-000002", "ada@example.org"))
	require.NoError(t, b.store.Merge(t.Context(), models.Corrections, "1000000001", "1000000002", ""))
	page := text(t, w.get("/operator/merges"))
	for _, part := range []string{"fulton-2026-000002", "1000000002", "by ada@example.org", `href="/roster/fulton-2026-000001"`} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, page, "MOONSAIL", "ids are enough")

	t.Log("grounds are needed, and not too many of them")
	undo := func(id, note string) *http.Response {
		return w.post("/operator/merges/undo", "family", "roster", "record", id, "note", note)
	}
	resp := undo("fulton-2026-000002", " ")
	require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
	require.Contains(t, text(t, resp), "Write a reason")
	require.Equal(t, http.StatusUnprocessableEntity, undo("fulton-2026-000002", strings.Repeat("long ", 120)).StatusCode)

	require.Equal(t, "/operator/merges?done=unmerged", undo("fulton-2026-000002", "two people, says the jail").Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, undo("fulton-2026-000002", "again").StatusCode)
	require.NotContains(t, text(t, w.get("/operator/merges")), "fulton-2026-000002")
	require.Contains(t, text(t, w.get("/settings/trail")), "merge undone")
	require.Contains(t, text(t, w.get("/roster/fulton-2026-000002")), "MOONSAIL")
}
