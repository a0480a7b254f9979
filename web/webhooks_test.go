package web_test

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// hooked makes a webhook by the form and gives the path of its page.
func (w *browser) hooked(url string) string {
	w.t.Helper()
	resp := w.post("/settings/webhooks", "url", url, "events", "booking", "events", "release", "version", "1")
	require.Equal(w.t, http.StatusSeeOther, resp.StatusCode, text(w.t, resp))
	path, _, found := strings.Cut(resp.Header.Get("Location"), "?done=hook-added")
	require.True(w.t, found)
	return path
}

// seen is the version that the form of a webhook's page is of.
func (w *browser) seen(path string) string {
	w.t.Helper()
	m := regexp.MustCompile(`name="seen" value="(\w+)"`).FindStringSubmatch(text(w.t, w.get(path)))
	require.Len(w.t, m, 2)
	return m[1]
}

func TestAWebhookIsAddedChangedTestedPausedAndDeleted(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	member := b.user(b.account, "member@example.org", models.Member, false)
	w := b.as(member.Email) // members look after webhooks as they do after keys
	require.Contains(t, text(t, w.get("/settings/webhooks")), "No endpoint yet")
	path := w.hooked("https://hooks.example.org/in?token=hushhush")
	require.Contains(t, text(t, w.get(path)), "https://hooks.example.org/in?token=hushhush")

	require.Equal(t, http.StatusSeeOther, w.post(path, "url", "https://hooks.example.org/new", "events", "bond_change", "notices", "sealed", "version", "2", "seen", w.seen(path)).StatusCode)
	h, err := b.store.Webhook(t.Context(), b.account.ID, strings.TrimPrefix(path, "/settings/webhooks/"))
	require.NoError(t, err)
	require.Equal(t, []models.EventKind{models.EventBondChange}, h.Events)
	require.Equal(t, []models.Notice{models.NoticeWithheld}, h.Notices)
	require.Equal(t, 2, h.PayloadVersion)

	t.Log("a test leads to its delivery, and is refused while the endpoint is sent nothing")
	require.Regexp(t, `^/deliveries/dlv_`, w.post(path+"/test").Header.Get("Location"))
	require.Equal(t, http.StatusSeeOther, w.post(path+"/pause").StatusCode)
	require.Contains(t, text(t, w.get(path)), "Paused: nothing is sent")
	refused := w.post(path + "/test")
	require.Equal(t, http.StatusUnprocessableEntity, refused.StatusCode)
	require.Contains(t, text(t, refused), "he endpoint is paused: resume it")
	require.Equal(t, http.StatusSeeOther, w.post(path+"/resume").StatusCode)

	t.Log("its health is told: failing, then disabled with the reason, then enabled again")
	_, err = b.db.Pool.Exec(t.Context(), `update webhooks set failing_since = '2026-03-08T06:30:00Z'`)
	require.NoError(t, err)
	require.Contains(t, text(t, w.get(path)), "Mar 8, 2026, 1:30 AM", "in Georgia's zone")
	_, err = b.db.Pool.Exec(t.Context(), `update webhooks set status = 'disabled', disabled_reason = 'every attempt of the last five days failed'`)
	require.NoError(t, err)
	for _, page := range []string{path, "/settings/webhooks"} {
		require.Contains(t, text(t, w.get(page)), "every attempt of the last five days failed")
	}
	require.Equal(t, http.StatusSeeOther, w.post(path+"/enable").StatusCode)
	require.NotContains(t, text(t, w.get(path)), "five days failed")

	require.Equal(t, "/settings/webhooks?done=hook-deleted", w.post(path+"/delete").Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, w.get(path).StatusCode)
	trail := text(t, w.get("/settings/trail"))
	for _, line := range []string{"webhook added", "webhook changed", "webhook tested", "webhook paused", "webhook resumed", "webhook enabled", "webhook deleted", "hooks.example.org"} {
		require.Contains(t, trail, line)
	}
	require.NotContains(t, trail, "hushhush", "the trail keeps no more of an address than its host")
}

func TestAFormOfAWebhookSaysWhatToMend(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	for name, c := range map[string]struct {
		form []string
		says string
	}{
		"an address that may not be registered": {[]string{"url", "https://refused.example.org/", "events", "booking"}, "This address is refused"},
		"no kind of event":                      {[]string{"url", "https://hooks.example.org/"}, "at least one of booking"},
		"an invented kind of event":             {[]string{"url", "https://hooks.example.org/", "events", "sealed"}, "at least one of booking"},
		"an address of any length":              {[]string{"url", "https://hooks.example.org/" + strings.Repeat("a", 3000), "events", "booking"}, "at most 2000"},
	} {
		resp := w.post("/settings/webhooks", c.form...)
		require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode, name)
		page := text(t, resp)
		require.Contains(t, page, c.says, name)
		require.Contains(t, page, `value="`+c.form[1], "what was typed is still there: "+name)
	}
}

func TestWebhooksAndTheirSecretAreOfOneAccountAndPlan(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	path := b.as("ada@example.org").hooked("https://hooks.example.org/in")
	b.user(b.newAccount("else@example.org", models.Enterprise), "stranger@example.org", models.Owner, false)
	stranger := b.as("stranger@example.org")
	require.Equal(t, http.StatusNotFound, stranger.get(path).StatusCode)
	for _, action := range []string{"", "/pause", "/resume", "/enable", "/test", "/delete"} {
		require.Equal(t, http.StatusNotFound, stranger.post(path+action, "url", "https://hooks.example.org/", "events", "booking").StatusCode, action)
	}
	require.Contains(t, text(t, stranger.get("/settings/webhooks/secret")), "No webhook secret yet")

	b.user(b.newAccount("pro@example.org", models.Pro), "pro@example.org", models.Owner, false)
	pro := b.as("pro@example.org")
	for _, page := range []string{"/settings/webhooks", "/settings/webhooks/secret"} {
		said := text(t, pro.get(page))
		require.Contains(t, said, "Webhooks belong to the Enterprise plan", page)
		require.NotContains(t, said, "<button class=\"primary\"", page)
	}
	for _, action := range []string{"/settings/webhooks", path, path + "/test", "/settings/webhooks/secret", "/settings/webhooks/secret/rotate"} {
		require.Equal(t, http.StatusForbidden, pro.post(action, "url", "https://hooks.example.org/", "events", "booking").StatusCode, action)
	}
	for _, page := range []string{"/alerts", "/alerts/new", "/alerts/x", "/activity", "/deliveries", "/deliveries/x"} {
		closed := pro.get(page)
		require.Equal(t, http.StatusForbidden, closed.StatusCode, page)
		require.Contains(t, text(t, closed), "Alerts belong to the Enterprise plan", page)
		require.Equal(t, http.StatusSeeOther, b.browser().get(page).StatusCode, page)
	}
	for _, page := range []string{"/settings/webhooks", path, "/settings/webhooks/secret"} {
		require.Equal(t, http.StatusSeeOther, b.browser().get(page).StatusCode, page)
	}
}

func TestTheWebhookSecretIsForOwnersWhoProveItIsThem(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "owner@example.org", models.Owner, false)
	b.user(b.account, "member@example.org", models.Member, false)
	w := b.as("owner@example.org")
	w.hooked("https://hooks.example.org/in")

	t.Log("a member neither sees nor replaces it")
	member := b.as("member@example.org")
	require.Contains(t, text(t, member.get("/settings/webhooks/secret")), "Only owners of the account can see and replace the secret")
	for _, step := range []string{"", "/rotate", "/finish", "/cancel"} {
		require.Equal(t, http.StatusForbidden, member.post("/settings/webhooks/secret"+step, "current", password).StatusCode, step)
	}
	require.Empty(t, b.secrets.steps)

	t.Log("who has just signed in sees it, and it is on no page that did not ask")
	require.Contains(t, text(t, w.post("/settings/webhooks/secret")), "whsec_current")
	require.NotContains(t, text(t, w.get("/settings/webhooks/secret")), "whsec_current")

	t.Log("later the password is asked for, and a wrong one shows nothing")
	_, err := b.db.Pool.Exec(t.Context(), `update sessions set created_at = now() - interval '16 minutes'`)
	require.NoError(t, err)
	require.Contains(t, text(t, w.get("/settings/webhooks/secret")), "Confirm your password")
	for _, step := range []string{"", "/rotate", "/finish", "/cancel"} {
		resp := w.post("/settings/webhooks/secret"+step, "current", "wrong")
		require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode, step)
		page := text(t, resp)
		require.NotContains(t, page, "whsec_current", step)
		require.Contains(t, page, `href="/sign-in?again=1&amp;next=%2fsettings%2fwebhooks%2fsecret"`, "signing in again leads back here, not to the address of the form")
	}
	require.Len(t, b.secrets.steps, 1)
	both := text(t, w.post("/settings/webhooks/secret/rotate", "current", password))
	require.Contains(t, both, "whsec_current")
	require.Contains(t, both, "whsec_next")
	require.Equal(t, "/settings/webhooks/secret?done=rotated", w.post("/settings/webhooks/secret/finish", "current", password).Header.Get("Location"))
	b.secrets.err = &models.Error{Code: models.CodeConflict, Message: "no rotation of the secret is in progress"}
	require.Contains(t, text(t, w.post("/settings/webhooks/secret/cancel", "current", password)), "No rotation of the secret is in progress.")
	for _, actor := range b.secrets.actors {
		require.Equal(t, "owner@example.org", actor, "whom the trail of the account names")
	}
	b.secrets.err = errors.New("the database is gone")
	require.Equal(t, http.StatusInternalServerError, w.post("/settings/webhooks/secret", "current", password).StatusCode)
}

func TestMarkupInWebhooksIsText(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	const evil = `https://hooks.example.org/"><img src=x onerror=alert(1)><script>alert(2)</script>{{.}}`
	path := w.hooked(evil)
	_, err := b.db.Pool.Exec(t.Context(), `update webhooks set status = 'disabled', disabled_reason = $1`, evil)
	require.NoError(t, err)
	page := text(t, w.get(path)) + text(t, w.get("/settings/webhooks")) + text(t, w.get("/alerts/x%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E")) +
		text(t, w.get("/deliveries/x%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E"))
	require.Contains(t, page, "&lt;img src=x onerror=alert(1)&gt;")
	require.NotContains(t, page, "<img")
	require.NotContains(t, page, "<script>alert")
}

func TestAnAddressThatIsNotPublicLeadsToTheBin(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	page := text(t, w.post("/settings/webhooks", "url", "https://private.example.org/", "events", "booking", "version", "1"))
	require.Contains(t, page, "This host is not public: it has a private, local or reserved IP address.</p>")
	require.Regexp(t, `id="url-hint"(?s:.*)<a href="/settings/webhooks/bin">request bin</a>(?s:.*)ROLLCALL_WEBHOOK_CA_FILE(?s:.*)Sent when`, page, "at its field")
	require.Equal(t, http.StatusSeeOther, w.post("/language", "lang", "es", "next", "/").StatusCode)
	said := text(t, w.post("/settings/webhooks", "url", "https://private.example.org/", "events", "booking", "version", "1"))
	require.Contains(t, said, "Este servidor no es público", "an error is in the language of the page")
	require.Equal(t, http.StatusSeeOther, w.post("/language", "lang", "en", "next", "/").StatusCode)
	require.NotContains(t, page, "pattern=", "http reaches the server, which says what to do instead")
}

func TestTheSameAddressIsAddedAgainOnlyWhenMeant(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	add := func(more ...string) *http.Response {
		return w.post("/settings/webhooks", append([]string{"url", "https://hooks.example.org/same", "version", "1"}, more...)...)
	}
	first := add("events", "booking").Header.Get("Location")
	id := strings.TrimSuffix(strings.TrimPrefix(first, "/settings/webhooks/"), "?done=hook-added")
	require.Equal(t, http.StatusSeeOther, add("events", "release").StatusCode, "another subset is another registration")
	resp := add("events", "booking")
	require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
	page := text(t, resp)
	require.Contains(t, page, "An endpoint with this address already exists")
	require.Contains(t, page, "beside <code>"+id)
	require.Equal(t, http.StatusSeeOther, add("events", "booking", "again", "yes").StatusCode)
	require.Contains(t, text(t, w.get("/settings/trail")), "hooks.example.org ("+id+")", "the trail tells them apart")
	require.Contains(t, text(t, w.get("/settings/webhooks")), "<code>"+id+"</code>")
}
