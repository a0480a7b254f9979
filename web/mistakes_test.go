package web_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAMistakeInAFormIsLedToAndItsFieldSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	for what, c := range map[string]struct {
		path, field string
		form        []string
	}{
		"a key without a label":               {"/settings/keys", "label", []string{"label", " ", "expires", "never"}},
		"an invitation of no address":         {"/settings/members", "email", []string{"email", "nobody", "role", "member"}},
		"an endpoint that is refused":         {"/settings/webhooks", "url", []string{"url", "https://refused.example/", "events", "booking"}},
		"two new passwords that differ":       {"/settings/you/password", "again", []string{"current", password, "password", "another lamp purple desk", "again", "another"}},
		"the present password as the new one": {"/settings/you/password", "password", []string{"current", password, "password", password, "again", password}},
		"a wrong present password":            {"/settings/you/password", "current", []string{"current", "no", "password", "another lamp purple desk", "again", "another lamp purple desk"}},
	} {
		page := text(t, w.post(c.path, c.form...))
		require.Contains(t, page, "<title>Error: ", what)
		require.Regexp(t, `<p class="note bad" id="problem" role="alert" tabindex="-1" autofocus>`, page, what)
		field := regexp.MustCompile(`<input [^>]*name="` + c.field + `"[^>]*>`).FindString(page)
		require.Contains(t, field, `aria-invalid="true" aria-describedby="problem`, what)
		require.Len(t, regexp.MustCompile(`aria-invalid`).FindAllString(page, -1), 1, what)
	}
	made := text(t, w.post("/settings/keys", "label", "production", "expires", "never"))
	require.Contains(t, made, `<h2 id="made" tabindex="-1" autofocus>`)
	require.NotContains(t, made, "<title>Error")
	require.NotContains(t, text(t, w.get("/settings/keys")), "autofocus")
}
