package web_test

import (
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// TestAFormThatIsSentAgainIsDoneOnce sends each form that makes something several times at the same moment, as browsers do
// that retry, and people who press twice.
func TestAFormThatIsSentAgainIsDoneOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as(u.Email)
	other := b.user(b.account, "other@example.org", models.Member, false)
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "old", "expires", "never").StatusCode)
	hook := w.hooked("https://hooks.example.org/in")
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	for _, c := range []struct {
		name, path, counts string
		form               []string
	}{
		{"a key", "/settings/keys", "api_keys", []string{"label", "production", "expires", "never"}},
		{"a key for another", "/settings/keys/" + keys[0].ID + "/replace", "api_keys", []string{"overlap", "1d"}},
		{"an endpoint", "/settings/webhooks", "webhooks", []string{"url", "https://hooks.example.org/second", "events", "booking"}},
		{"a request bin", "/settings/webhooks/bin", "webhooks", nil},
		{"a test", hook + "/test", "deliveries", nil},
		{"an invitation", "/settings/members", "sign_in_links", []string{"email", "new@example.org", "role", "member"}},
		{"a link for a new password", "/settings/members/" + other.ID + "/reset", "sign_in_links", nil},
	} {
		count := func() (n int) {
			t.Helper()
			require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from `+c.counts).Scan(&n))
			return n
		}
		before := count()
		form := append([]string{"once", "token of " + c.name}, c.form...)
		answers := make(chan *http.Response, 6)
		for range cap(answers) {
			go func() {
				resp, err := w.client.Do(w.form(c.path, form...))
				if err != nil {
					resp = nil
				}
				answers <- resp
			}()
		}
		seen := map[string]int{}
		for range cap(answers) {
			resp := <-answers
			require.NotNil(t, resp)
			seen[resp.Status+resp.Header.Get("Location")+text(t, resp)]++
			require.NoError(t, resp.Body.Close())
		}
		require.Len(t, seen, 1, "%s: each gets the same answer", c.name)
		require.Equal(t, before+1, count(), c.name)

		t.Log("the same form with something else in it is another, and was not meant")
		resp := w.post(c.path, append(form, "more", "yes")...)
		require.Equal(t, http.StatusConflict, resp.StatusCode, c.name)
		require.Contains(t, text(t, resp), "This was sent already", c.name)
		require.Equal(t, before+1, count(), c.name)
		_, err := b.db.Pool.Exec(t.Context(), `delete from webhooks where url like '%second'`)
		require.NoError(t, err)
	}

	t.Log("what was refused is mended and sent again")
	require.Equal(t, http.StatusUnprocessableEntity, w.post("/settings/keys", "once", "mended", "label", "", "expires", "never").StatusCode)
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "once", "mended", "label", "mended", "expires", "never").StatusCode)
}

func TestWhatWasShownOnceIsKeptFromEverybodyElse(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	b.user(b.account, "bob@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	form := []string{"once", "0123456789abcdef", "label", "production", "expires", "never"}
	key := regexp.MustCompile(`rc_live_\w+`)
	made := key.FindString(text(t, w.post("/settings/keys", form...)))
	require.NotEmpty(t, made)
	require.Equal(t, made, key.FindString(text(t, w.post("/settings/keys", form...))), "who lost the answer on the way gets it")

	var names, bodies string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select string_agg(key, ' '), string_agg(encode(body, 'escape'), ' ') from idempotency_keys`).Scan(&names, &bodies))
	require.NotContains(t, names, "0123456789abcdef", "the token would open the answer")
	require.NotContains(t, bodies, "rc_live_", "the database keeps nobody's key")

	require.Equal(t, http.StatusConflict, b.as("bob@example.org").post("/settings/keys", form...).StatusCode, "another member is told nothing")
	b.later(11)
	late := w.post("/settings/keys", form...)
	require.Equal(t, http.StatusConflict, late.StatusCode, "nor who opens the history of the browser later")
	require.NotRegexp(t, key, text(t, late))
}

// TestEveryFormIsSentOnce looks at the templates: whoever writes a new form need not think of it.
func TestEveryFormIsSentOnce(t *testing.T) {
	t.Parallel()
	bare := []string{ // what changes nothing, or who is signed in
		`action="/sign-in"`, `action="/sign-out"`, `action="/theme"`, `action="/language"`, `action="/settings/you/everywhere"`, `action="/settings/you/password"`, `action="/settings/webhooks/secret"`, `action="/alerts/import"`, `<form class="card fields" method="post">`,
	}
	form, forms := regexp.MustCompile(`(<form[^>]*method="post"[^>]*>)(\s*\{\{template "once"\}\})?`), 0
	require.NoError(t, fs.WalkDir(os.DirFS("templates"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		page, err := os.ReadFile("templates/" + path)
		for _, m := range form.FindAllStringSubmatch(string(page), -1) {
			forms++
			exempt := false
			for _, b := range bare {
				exempt = exempt || strings.Contains(m[1], b)
			}
			require.NotEqual(t, exempt, m[2] != "", "%s: %s", path, m[1])
		}
		return err
	}))
	require.Greater(t, forms, 20)
}
