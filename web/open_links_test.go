package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestOwnersSeeOpenLinksAndTakeThemBack(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "owner@example.org", models.Owner, false)
	other := b.user(b.account, "other@example.org", models.Member, false)
	stranger := b.newAccount("elsewhere@example.org", models.Enterprise)
	b.user(stranger, "stranger@example.org", models.Owner, false)
	owner := b.as("owner@example.org")
	made := func(kind, path string, form ...string) string {
		_, rest, found := strings.Cut(text(t, owner.post(path, form...)), b.url+"/"+kind+"/")
		require.True(t, found)
		return "/" + kind + "/" + rest[:26]
	}
	invitation := made("invitation", "/settings/members", "email", "new@example.org", "role", "member")
	resets := []string{made("reset", "/settings/members/"+other.ID+"/reset"), made("reset", "/settings/members/"+other.ID+"/reset")}

	page := text(t, owner.get("/settings/members"))
	_, open, found := strings.Cut(page, `id="open"`)
	require.True(t, found)
	for _, part := range []string{"new@example.org", "Invitation as member", "New password", "Created by owner@example.org", ", expires "} {
		require.Contains(t, open, part)
	}
	require.Equal(t, 3, strings.Count(open, "<li>"), "each link is a line")
	require.NotContains(t, page, resets[0][len("/reset/"):], "what lets in is shown once, when it is made")
	require.NotContains(t, text(t, b.as(other.Email).get("/settings/members")), "Open links", "only owners are told")
	require.NotContains(t, text(t, b.as("stranger@example.org").get("/settings/members")), "Open links")

	links := regexp.MustCompile(`action="(/settings/members/links/[0-9a-f]{64}/take-back)"`).FindAllStringSubmatch(open, -1) // newest first
	require.Len(t, links, 3)
	back := func(who string, link int) *http.Response { return b.as(who).post(links[link][1]) }
	require.Equal(t, http.StatusForbidden, back(other.Email, 0).StatusCode)
	require.Contains(t, text(t, back("stranger@example.org", 0)), "This link is no longer open")
	require.Equal(t, http.StatusNotFound, owner.post("/settings/members/links/nohash/take-back").StatusCode)
	for _, path := range append(resets, invitation) {
		require.Equal(t, http.StatusOK, b.browser().get(path).StatusCode, "none of that ended it")
	}

	require.Equal(t, "/settings/members?done=reset-back", back("owner@example.org", 0).Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, b.browser().get(resets[1]).StatusCode)
	require.Equal(t, http.StatusNotFound, b.browser().post(resets[1], "password", password+" new", "again", password+" new").StatusCode)
	require.Equal(t, http.StatusOK, b.browser().get(resets[0]).StatusCode, "of two alike the other stays")
	require.Equal(t, "/settings/members?done=reset-back", back("owner@example.org", 1).Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, b.browser().get(resets[0]).StatusCode)
	require.Equal(t, http.StatusOK, b.browser().get(invitation).StatusCode, "another kind of link stays")
	require.Equal(t, "/settings/members?done=invited", back("owner@example.org", 2).Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, b.browser().get(invitation).StatusCode)
	page = text(t, owner.get("/settings/members"))
	require.NotContains(t, page, "Open links")
	require.Contains(t, text(t, back("owner@example.org", 2)), "has expired or was revoked")

	trail := text(t, owner.get("/settings/trail"))
	require.Contains(t, trail, "new-password link revoked")
	require.Contains(t, trail, "invitation revoked")
}
