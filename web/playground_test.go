package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestThePlaygroundIsAPageLikeAllOthers(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	resp := w.get("/graphql?query=%7B__typename%7D")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	page := text(t, resp)
	for _, part := range []string{`id="account-menu"`, `href="/inbox"`, `action="/search"`, `name="page"`, `action="/theme"`, `<h1 class="visually-hidden">GraphQL playground</h1>`} {
		require.Contains(t, page, part)
	}
	require.Contains(t, text(t, b.browser().get("/graphql")), `href="/sign-in"`, "anybody may read it")

	t.Log("all its scripts and styles carry the nonce of the answer")
	policy := resp.Header.Get("Content-Security-Policy")
	nonce := regexp.MustCompile(`script-src 'nonce-([A-Z2-7]{26})';`).FindStringSubmatch(policy)
	require.NotNil(t, nonce, policy)
	require.NotContains(t, policy, "unsafe")
	require.Contains(t, policy, "connect-src 'self'")
	require.Equal(t, strings.Count(page, "<script")+strings.Count(page, `rel="stylesheet"`), strings.Count(page, `nonce="`+nonce[1]+`"`))
	require.NotContains(t, text(t, w.get("/graphql")), nonce[1], "a nonce is used once")

	w.post("/theme", "theme", "dark", "next", "/graphql")
	require.Contains(t, text(t, w.get("/graphql")), `data-theme="dark"`)
}
