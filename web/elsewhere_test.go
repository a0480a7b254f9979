package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAnInvitationDoesNotTellWhoBelongsToAnotherAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	b.user(b.newAccount("other@example.org", models.Free), "free@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	known, unknown := w.post("/settings/members", "email", "Free@example.org", "role", "member"), w.post("/settings/members", "email", "new@example.org", "role", "member")
	require.Equal(t, http.StatusOK, known.StatusCode)
	require.Equal(t, unknown.StatusCode, known.StatusCode)
	page := text(t, known)
	require.NotContains(t, page, "exists")
	link := regexp.MustCompile(`/invitation/[\w-]+`).FindString(page)
	require.NotEmpty(t, link)
	require.Contains(t, text(t, w.get("/settings/trail")), "invitation created")

	// Looking tells nothing either; only whoever uses it is told, and keeps the account that there is.
	guest := b.browser()
	looked := guest.get(link)
	require.Equal(t, http.StatusOK, looked.StatusCode)
	require.NotContains(t, text(t, looked), "another account")
	used := guest.post(link, "password", "another lamp purple desk", "again", "another lamp purple desk")
	require.Equal(t, http.StatusConflict, used.StatusCode)
	said := text(t, used)
	require.Contains(t, said, "belongs to another account")
	require.Contains(t, said, "ask for an invitation to another address")
	require.Contains(t, said, "Welcome to News Desk", "the entrance says it, not a page of errors")
	require.Equal(t, "/sign-in", guest.get("/settings/keys").Header.Get("Location")[:8])
	b.as("free@example.org")

	again := w.post("/settings/members", "email", "ada@example.org", "role", "member")
	require.Equal(t, http.StatusConflict, again.StatusCode)
	require.Contains(t, text(t, again), "is a member of this account already")
}
