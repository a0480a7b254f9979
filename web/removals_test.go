package web_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestAnOperatorKeepsRequestsToRemovePhotographsOnAPage(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	b.db.Add(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", Photo: true},
		testdb.Booking{ID: "fulton-2026-000002", Name: "QUILLFEATHER, ORLA", Photo: true},
	)
	w := b.as("ada@example.org")
	page := text(t, w.get("/operator/photographs"))
	require.Contains(t, page, "No open requests")

	t.Log("what was typed wrong stays, with the reason")
	day := func(ago int) string { return time.Now().In(models.Georgia).AddDate(0, 0, -ago).Format(time.DateOnly) }
	for want, form := range map[string][]string{
		"rite the day on which the request came":       {"record", "fulton-2026-000001", "asked", "yesterday"},
		"The day of the request lies more than a year": {"record", "fulton-2026-000001", "asked", day(400)},
		"The day of the request lies in the future":    {"record", "fulton-2026-000001", "asked", day(-2)},
		"There is no record nobody":                    {"record", "nobody", "asked", day(0)},
	} {
		resp := w.post("/operator/photographs", form...)
		require.Contains(t, []int{http.StatusUnprocessableEntity, http.StatusNotFound}, resp.StatusCode, want)
		page := text(t, resp)
		require.Contains(t, page, want)
		require.Contains(t, page, `value="`+form[1]+`"`)
	}
	open, err := b.store.Removals(t.Context(), true)
	require.NoError(t, err)
	require.Empty(t, open, "nothing was noted")

	t.Log("a request is due 30 days after it came")
	require.Equal(t, "/operator/photographs?done=photo-asked", w.post("/operator/photographs", "record", "fulton-2026-000001", "asked", day(40), "note", "charges dismissed").Header.Get("Location"))
	require.Equal(t, "/operator/photographs?done=photo-asked", w.post("/operator/photographs", "record", "fulton-2026-000002", "asked", day(0)).Header.Get("Location"))
	open, err = b.store.Removals(t.Context(), true)
	require.NoError(t, err)
	require.Len(t, open, 2)
	require.Equal(t, "fulton-2026-000001", open[0].PublicID, "due first")
	page = text(t, w.get("/operator/photographs"))
	for _, part := range []string{"fulton-2026-000001", "charges dismissed", "noted by ada@example.org", "overdue since", `href="/roster/fulton-2026-000002"`} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, page, "MOONSAIL", "ids are enough")

	t.Log("a second one for the same record names the first")
	resp := w.post("/operator/photographs", "record", "fulton-2026-000002", "asked", day(0))
	require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
	require.Contains(t, text(t, resp), "equest "+strconv.FormatInt(open[1].ID, 10)+" of "+time.Now().In(models.Georgia).Format("Jan 2, 2006")+" is open for fulton-2026-000002; decide that one")

	t.Log("each is decided once")
	first, second := strconv.FormatInt(open[0].ID, 10), strconv.FormatInt(open[1].ID, 10)
	require.Equal(t, "/operator/photographs?done=photo-removed", w.post("/operator/photographs/"+first, "decision", "removed").Header.Get("Location"))
	require.Equal(t, "/operator/photographs?done=photo-declined", w.post("/operator/photographs/"+second, "decision", "declined").Header.Get("Location"))
	resp = w.post("/operator/photographs/"+second, "decision", "removed")
	require.Equal(t, http.StatusNotFound, resp.StatusCode)
	require.Contains(t, text(t, resp), "was decided after you opened the page")
	require.Equal(t, http.StatusNotFound, w.post("/operator/photographs/x", "decision", "removed").StatusCode)
	page = text(t, w.get("/operator/photographs"))
	require.Contains(t, page, "No open requests")
	require.Contains(t, page, `<span class="chip good">granted</span>`)
	require.Contains(t, text(t, w.get("/operator/photographs?done=photo-removed")), "No photograph of this record will be shown.", "true without a photograph too")
	trail := text(t, w.get("/settings/trail"))
	require.Contains(t, trail, "request to remove a photograph declined")
	require.NotContains(t, trail, "fulton-2026-000001", "the whole account reads the trail")
}
