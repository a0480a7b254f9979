package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// noscript are the parts of a page that a browser without scripts shows, and nobody else.
var noscript = regexp.MustCompile(`(?s)<noscript>(.*?)</noscript>`)

// without gives what a page says to a reader without scripts beyond what it says to all.
func (w *browser) without(path string) string {
	w.t.Helper()
	resp := w.get(path)
	require.Equal(w.t, http.StatusOK, resp.StatusCode, path)
	var all []string
	for _, m := range noscript.FindAllStringSubmatch(text(w.t, resp), -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, "\n")
}

// TestWithoutScripts goes the ways that a reader without JavaScript goes: by links and forms alone.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	b.db.Add(t,
		testdb.Booking{County: "ben-hill", ID: "ben-hill-2026-000001", Name: "MOONSAIL, <b>WREN", BondCents: 250_050},
		testdb.Booking{County: "ben-hill", ID: "ben-hill-2026-000002", Name: "MOONSAIL, HIDDEN", Withheld: "juvenile"},
		testdb.Case{Number: "26-MA-00137", Defendant: "Moonsail, Wren"},
		testdb.Offender{GdcID: "1000000001", Name: "MOONSAIL, WREN"})
	w := b.as("ada@example.org")

	require.Contains(t, w.without("/search"), `<button class="primary">Search</button>`)
	found := text(t, w.get("/search?q=moonsail"))
	for _, part := range []string{"Jail bookings", `title="MOONSAIL, &lt;b&gt;WREN"`, "$2,500.50", "Court cases", "26-MA-00137", "State corrections", "1000000001"} {
		require.Contains(t, found, part)
	}
	require.NotContains(t, found, "HIDDEN")
	for _, m := range regexp.MustCompile(`class="result" href="([^"]+)"`).FindAllStringSubmatch(found, -1) {
		record := text(t, w.get(m[1]))
		require.Regexp(t, `(?i)moonsail`, record, m[1])
		require.Contains(t, record, "<dl class=\"facts\">", m[1])
	}
	require.Contains(t, text(t, w.get("/search?q=26-ma-00137")), "/cases/")
	require.Contains(t, text(t, w.get("/search?q=ben-hill-2026-000001")), `href="/roster/ben-hill-2026-000001"`)
	require.NotContains(t, text(t, w.get("/search?q=ben-hill-2026-000002")), "/roster/ben-hill-2026-000002")
	require.Contains(t, text(t, w.get("/search?q=zzzz")), "Nothing matches")
	require.NotContains(t, text(t, w.get("/search?q=moonsail&county=fulton")), "/roster/", "of another county")

	t.Log("a key is made and revoked")
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "notebook", "expires", "never").StatusCode)
	revoke := regexp.MustCompile(`action="(/settings/keys/[^"]+/revoke)"`).FindStringSubmatch(text(t, w.get("/settings/keys")))
	require.Len(t, revoke, 2)
	require.Equal(t, http.StatusSeeOther, w.post(revoke[1]).StatusCode)
	require.Contains(t, text(t, w.get("/settings/keys?done=revoked")), "The key was revoked")
}
