package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestLinksOfWhoeverIsNoOwnerAnyMoreLetNobodyIn(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string][]string{"removed": {"/remove"}, "demoted": {"/role", "was", "owner", "role", "member"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, models.Enterprise)
			owner := b.user(b.account, "owner@example.org", models.Owner, false)
			leaver := b.user(b.account, "leaver@example.org", models.Owner, false)
			other := b.user(b.account, "other@example.org", models.Member, false)
			link := func(who, kind, path string, form ...string) string {
				_, rest, found := strings.Cut(text(t, b.as(who).post(path, form...)), b.url+"/"+kind+"/")
				require.True(t, found)
				return "/" + kind + "/" + rest[:26]
			}
			ended := []string{
				link(leaver.Email, "invitation", "/settings/members", "email", "eve@example.org", "role", "owner"),
				link(leaver.Email, "reset", "/settings/members/"+other.ID+"/reset"),
			}
			kept := link(owner.Email, "invitation", "/settings/members", "email", "new@example.org", "role", "member")
			require.Equal(t, http.StatusSeeOther, b.as(owner.Email).post("/settings/members/"+leaver.ID+leave[0], leave[1:]...).StatusCode)
			for _, path := range ended {
				require.Equal(t, http.StatusNotFound, b.browser().get(path).StatusCode)
				require.Equal(t, http.StatusNotFound, b.browser().post(path, "password", password, "again", password).StatusCode)
			}
			require.Equal(t, http.StatusOK, b.browser().get(kept).StatusCode)
		})
	}
}
