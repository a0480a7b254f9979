package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheTrailIsNarrowedAndSavedAsCSV(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	_, err := b.db.Pool.Exec(t.Context(), `insert into account_events (account_id, at, actor, action, subject) values
 ($1, '2026-03-09T03:30:00Z', 'eve@example.org', 'key created', '=1+1'), ($1, '2026-03-09T12:00:00Z', 'ada@example.org', 'key revoked', 'desk'), ($1, '2026-03-10T12:00:00Z', 'ada@example.org', 'member invited', 'x')`, b.account.ID)
	require.NoError(t, err)
	page := text(t, w.get("/settings/trail?action=KEY&from=2026-03-08&to=2026-03-09"))
	require.Contains(t, page, "key created")
	require.Contains(t, page, "key revoked")
	require.NotContains(t, page, "member invited")
	require.Contains(t, page, `<option value="member"></option>`)
	require.Contains(t, page, `href="/settings/trail/export?action=KEY&amp;from=2026-03-08&amp;to=2026-03-09"`)
	require.NotContains(t, text(t, w.get("/settings/trail?from=2026-03-09&to=2026-03-09")), "key created", "it was the evening before in Georgia")
	require.NotContains(t, text(t, w.get("/settings/trail?actor=ada")), "key created")
	require.Contains(t, text(t, w.get("/settings/trail?action=nonsense")), "No entry matches")
	require.Contains(t, text(t, w.get("/settings/trail?from=2026-03-10&to=2026-03-09")), "From must not be after to.")
	resp := w.get("/settings/trail?from=yesterday")
	require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
	require.Contains(t, text(t, resp), "A day in the filter is not a date")

	resp = w.get("/settings/trail/export?action=key&to=2026-03-09")
	require.Equal(t, "text/csv; charset=utf-8", resp.Header.Get("Content-Type"))
	lines := strings.Split(strings.TrimSpace(text(t, resp)), "\n")
	require.Equal(t, "\ufeffat,actor,action,subject", lines[0])
	require.Equal(t, "2026-03-09T12:00:00Z,ada@example.org,key revoked,desk", lines[1])
	require.Len(t, lines, 3)
	require.NotContains(t, lines[2], ",=1+1", "a spreadsheet computes nothing")
}
