package web_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// sent makes deliveries to a new endpoint, each with the body of a booking, and returns the path of the endpoint's page.
func (b *bundle) sent(w *browser, count int) string {
	b.t.Helper()
	path := w.hooked("https://hooks.example.org/in")
	for range count {
		require.Equal(b.t, http.StatusSeeOther, w.post(path+"/test").StatusCode)
	}
	b.exec(`update deliveries set body = '{"event":"booking","record":{"id":"hall-2026-1","name":"MOONSAIL, WREN <B>"}}'`)
	return path
}

func (b *bundle) exec(sql string) {
	b.t.Helper()
	_, err := b.db.Pool.Exec(b.t.Context(), sql)
	require.NoError(b.t, err)
}

func TestDeliveriesAreListedWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	page := func(address string) string {
		resp := w.get(address)
		require.Equal(t, http.StatusOK, resp.StatusCode, address)
		return text(t, resp)
	}
	require.Contains(t, page("/deliveries"), "Nothing was sent yet")
	hook := b.sent(w, 35)
	b.exec(`update deliveries set state = 'dropped', reason = 'exhausted', next_attempt = null, created_at = '2026-03-09T03:30:00Z' where id = (select min(id) from deliveries)`)

	first := page("/deliveries")
	require.NotContains(t, first, "need JavaScript")
	require.Equal(t, 30, strings.Count(first, "data-delivery="))
	for _, part := range []string{"Moonsail, Wren &lt;B&gt;", ">waiting<", "to hooks.example.org", "not tried yet", ">https://hooks.example.org/in</option>", "data-under-way"} {
		require.Contains(t, first, part)
	}
	older := regexp.MustCompile(`href="([^"]+)" data-more`).FindStringSubmatch(first)
	require.NotNil(t, older)
	second := page(html.UnescapeString(older[1]))
	require.Equal(t, 5, strings.Count(second, "data-delivery="))
	require.Contains(t, second, `<a class="button" href="/deliveries">Show the newest</a>`)
	require.Contains(t, second, "dropped: every attempt failed")

	id := strings.TrimPrefix(hook, "/settings/webhooks/")
	for address, want := range map[string]int{
		"/deliveries?state=DROPPED": 1, "/deliveries?state=dropped": 1, "/deliveries?state=FAILED": 0, "/deliveries?state=none": 30, "/deliveries?from=2026-03-08&to=2026-03-08": 1,
		"/deliveries?to=2026-03-07": 0, "/deliveries?from=someday": 30, "/deliveries?webhook=" + id: 30, "/deliveries?webhook=wh_none": 0, "/deliveries?alert=alrt_none": 0,
	} {
		list := page(address)
		require.Equal(t, want, strings.Count(list, "data-delivery="), address)
		require.Equal(t, want == 0, strings.Contains(list, "No matching delivery"), address)
	}
	for _, days := range []string{"from=2026-03-09&to=2026-03-08", "from=2026-03-11&to=2026-03-08"} {
		require.Contains(t, text(t, w.get("/deliveries?"+days)), "From must not be after to.", days)
	}
	require.Contains(t, page("/deliveries?state=DROPPED&alert=alrt_none"), `<option value="DROPPED" selected>dropped</option>`)
	for _, wrong := range []string{"?from=2026-03-09&to=2026-03-07", "?after=nonsense"} {
		resp := w.get("/deliveries" + wrong)
		require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode, wrong)
		require.Contains(t, text(t, resp), `id="problem"`, wrong)
	}

	t.Log("endpoints with one address are told apart")
	other := strings.TrimPrefix(w.hooked("https://hooks.example.org/other"), "/settings/webhooks/")
	b.exec(`update webhooks set url = 'https://hooks.example.org/in'`)
	twice := page("/deliveries")
	require.NotContains(t, twice, ">https://hooks.example.org/in</option>")
	for _, each := range []string{id, other} {
		require.Contains(t, twice, ">https://hooks.example.org/in ("+each[:12]+"…)</option>")
	}

	t.Log("the page of an endpoint has the last ones, in the same rows")
	require.Equal(t, 10, strings.Count(page(hook), "data-delivery="))
}

func TestADeliveryIsReadAndSentAgainWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	hook := b.sent(w, 1)
	at := regexp.MustCompile(`/deliveries/dlv_\w+`).FindString(text(t, w.get("/deliveries")))
	page := func() string { return text(t, w.get(at)) }
	require.Contains(t, page(), "Not tried yet")
	require.NotContains(t, page(), "<summary>Send it again</summary>")
	resp := w.post(at + "/again")
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Contains(t, text(t, resp), "The delivery is still under way.")

	b.exec(`insert into attempts (delivery_id, at, status, latency_ms, class, answer, error)
select id, now(), 500, 12, 'status', '<b>no</b>', 'the receiver answered 500' from deliveries union all select id, now(), 200, 0, 'ok', '', null from deliveries`)
	b.exec(`update deliveries set state = 'failed', attempts = 2, failures = 1`)
	require.Contains(t, page(), "The next attempt is due <time")
	b.exec(`update deliveries set state = 'dropped', reason = 'exhausted', next_attempt = null`)
	for _, part := range []string{
		"MOONSAIL, WREN &lt;B&gt;</bdi></h1>", "dropped: every attempt failed", "Attempt 1 failed", `<span class="chip bad">500</span>`, "the receiver answered 500", "&lt;b&gt;no&lt;/b&gt;", "12 ms",
		"Attempt 2 succeeded", "under 1 ms", "every attempt failed", "77 bytes, the same on each attempt", "  &#34;record&#34;: {", `href="` + hook + `"`, "A test: a booking of an invented person",
	} {
		require.Contains(t, page(), part)
	}
	require.Equal(t, 1, strings.Count(page(), "What it answered"))

	t.Log("why an attempt failed is in the reader's language")
	b.exec(`update attempts set error = 'the name of the host does not resolve' where error is not null`)
	require.Contains(t, w.reads(at, "es"), "el nombre del servidor no existe en el DNS")

	t.Log("sent twice by a form of one page, it begins anew once")
	once := regexp.MustCompile(`/again"><input type="hidden" name="once" value="(\w+)"`).FindStringSubmatch(page())[1]
	for range 2 {
		require.Equal(t, at+"?done=sent-again", w.post(at+"/again", "once", once).Header.Get("Location"))
	}
	require.Contains(t, text(t, w.get(at+"?done=sent-again")), "It is being sent again.")
	require.Contains(t, text(t, w.get("/settings/trail")), "delivery sent again")

	t.Log("what must not be shown is not")
	b.exec(`update deliveries set body = 'no json', state = 'delivered', next_attempt = null`)
	require.Contains(t, page(), `aria-label="Body, formatted">no json</pre>`)
	require.Contains(t, page(), "<h1><bdi>Delivery</bdi></h1>")

	t.Log("an account sees nothing of another")
	b.user(b.newAccount("other@example.org", models.Enterprise), "mallory@example.org", models.Owner, false)
	mallory := b.as("mallory@example.org")
	require.Equal(t, http.StatusNotFound, mallory.get(at).StatusCode)
	require.Equal(t, http.StatusNotFound, mallory.post(at+"/again").StatusCode)
	require.NotContains(t, text(t, mallory.get("/deliveries")), "data-delivery=")
}
