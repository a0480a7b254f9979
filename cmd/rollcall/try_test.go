package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

// The reference tries operations of /v1 by the session of its reader. What follows is how that stays with the page.
func TestOnlyAPageOfTheServiceTriesOperationsBySession(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	ada := joined(t, root, door)
	page := ada.asPage()
	const add = `{"name": "Wren Moonsail"}`
	try := func(method, path, body string, headers ...string) *http.Response {
		return ada.send(method, auth.TryPath+"/v1"+path, body, append([]string{"Content-Type", "application/json"}, headers...)...)
	}

	t.Log("its own page reads and changes as a key of the account does")
	direct := text(t, x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "tests", "--json")["key"])
	resp := try(http.MethodGet, "/roster", "", page...)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	byPage := all(t, resp)
	require.Equal(t, all(t, ada.send(http.MethodGet, "/v1/roster", "", "Authorization", "Bearer "+direct)), byPage, "the same handler")
	require.Equal(t, "100", resp.Header.Get("RateLimit-Limit"), "the limit of the account, and not that of pages")
	require.Equal(t, http.StatusCreated, try(http.MethodPost, "/alerts", add, page...).StatusCode)
	require.Equal(t, http.StatusBadRequest, try(http.MethodGet, "/roster?limit=x", "", page...).StatusCode)
	require.Equal(t, http.StatusNotFound, try(http.MethodGet, "/nothing", "", page...).StatusCode)

	t.Log("nobody else does, whatever the browser sends along")
	withoutToken := []string{"Sec-Fetch-Site", "same-origin", "Origin", root}
	for name, headers := range map[string][]string{
		"a page of another site":                  {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
		"a neighbour below the same domain":       {"Sec-Fetch-Site", "same-site"},
		"a page of this site without the token":   withoutToken,
		"a wrong token":                           append([]string{auth.PageHeader, strings.Repeat("00", 64)}, withoutToken...),
		"a program with the cookie and the token": {auth.PageHeader, page[1]},
		"a request with a key beside the session": append([]string{"Authorization", "Bearer " + direct}, page...),
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			resp := try(method, "/alerts", add, headers...)
			require.Equal(t, http.StatusForbidden, resp.StatusCode, "%s by %s", method, name)
			require.Contains(t, all(t, resp), `"error":"forbidden"`, name)
		}
	}
	other := try(http.MethodPost, "/alerts", add, append([]string{auth.ReaderHeader, "user_other"}, page...)...)
	require.Equal(t, http.StatusConflict, other.StatusCode, "a page that was made for another reader")
	require.Equal(t, 1, ada.alertsOf(), "only its page added one")

	t.Log("without a session there is nothing, with a key neither")
	stranger, err := http.NewRequestWithContext(t.Context(), http.MethodGet, root+auth.TryPath+"/v1/roster", http.NoBody)
	require.NoError(t, err)
	stranger.Header.Set("Authorization", "Bearer "+direct)
	refused, err := http.DefaultClient.Do(stranger) //nolint:forbidigo // a client as anybody has it
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, refused.StatusCode)
	require.NoError(t, refused.Body.Close())

	t.Log("it ends with the session")
	require.Equal(t, http.StatusSeeOther, ada.submit("/settings/you/everywhere").StatusCode)
	require.Equal(t, http.StatusUnauthorized, try(http.MethodGet, "/roster", "", page...).StatusCode)
}
