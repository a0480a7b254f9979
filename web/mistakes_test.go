package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAMistakeInAChoiceIsMarkedToo(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	member := b.user(b.account, "bob@example.org", models.Member, false)
	w := b.as("ada@example.org")
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "production", "expires", "never").StatusCode)
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	hook := w.hooked("https://hooks.example.org/in")
	const problem = ` aria-describedby="problem"`
	for what, c := range map[string]struct {
		path, field string
		form        []string
	}{
		"no end of a key":             {"/settings/keys", `<select id="expires" name="expires" aria-invalid="true"` + problem, []string{"label", "desk"}},
		"no overlap":                  {"/settings/keys/" + keys[0].ID + "/replace", `<details class="confirm" open><summary>Regenerate(?s:.*)<select id="overlap-` + keys[0].ID + `" name="overlap" aria-invalid="true"` + problem, nil},
		"no role of who is invited":   {"/settings/members", `<select id="role" name="role" aria-invalid="true"` + problem, []string{"email", "new@example.org"}},
		"no role of a member":         {"/settings/members/" + member.ID + "/role", `<details class="confirm" open><summary>Role(?s:.*)<select id="role-` + member.ID + `" name="role" aria-invalid="true"` + problem, []string{"was", "member"}},
		"no event of an endpoint":     {hook, `<fieldset class="choices"` + problem + `><legend>Sent when`, []string{"url", "https://hooks.example.org/in", "seen", w.seen(hook)}},
		"a time that is none":         {hook + "/replay", `<input id="replay-to" [^>]* aria-invalid="true" aria-describedby="replay-problem"`, []string{"to", "soon", "dropped", "yes"}},
		"nothing chosen to send anew": {hook + "/replay", `<fieldset class="choices across" aria-describedby="replay-problem"`, nil},
	} {
		page := text(t, w.post(c.path, c.form...))
		require.Regexp(t, c.field, page, what)
		require.LessOrEqual(t, len(regexp.MustCompile(`aria-invalid`).FindAllString(page, -1)), 1, what)
	}
}

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
