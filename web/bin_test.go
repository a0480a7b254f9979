package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestARequestBinShowsWhatArrived(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	member := b.user(b.account, "member@example.org", models.Member, false)
	w := b.as(member.Email)
	require.Contains(t, text(t, w.get("/settings/webhooks")), "No server yet?")
	require.Contains(t, text(t, w.get("/settings/webhooks/bin")), "Create a request bin")
	require.Equal(t, http.StatusNotFound, w.post("/settings/webhooks/bin/test").StatusCode, "there is none yet")
	require.Equal(t, "/settings/webhooks/bin?done=bin-created", w.post("/settings/webhooks/bin").Header.Get("Location"))
	again := w.post("/settings/webhooks/bin")
	require.Equal(t, http.StatusUnprocessableEntity, again.StatusCode)
	require.Contains(t, text(t, again), "The account has a request bin already.")

	h, err := b.store.Bin(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Equal(t, models.EventKinds(), h.Events)
	page := text(t, w.get("/settings/webhooks/bin"))
	require.Contains(t, page, "No requests yet")
	require.Equal(t, "/settings/webhooks/bin?done=bin-tested", w.post("/settings/webhooks/bin/test").Header.Get("Location"))
	d, err := b.store.Deliveries(t.Context(), b.account.ID, models.DeliveryFilter{WebhookID: &h.ID}, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Len(t, d.Deliveries, 1)
	require.NoError(t, b.store.KeepBinRequest(t.Context(), &models.BinRequest{
		WebhookID: h.ID, DeliveryID: d.Deliveries[0].ID, At: time.Now(), Status: new(200), Headers: http.Header{"X-Evil": {"<script>alert(1)</script>"}},
	}))
	list, own := text(t, w.get("/deliveries")), text(t, w.get("/deliveries/"+d.Deliveries[0].ID))
	require.Contains(t, list, "to the request bin")
	require.Contains(t, list, `<option value="`+h.ID+`">Request bin</option>`)
	require.Contains(t, own, `<a class="address" href="/settings/webhooks/bin">Request bin</a>`)
	page = text(t, w.get("/settings/webhooks/bin"))
	for _, part := range []string{"answered 200", "signature verified", "X-Evil: &lt;script&gt;", "Body, 2 bytes", ">{}</pre>", d.Deliveries[0].MessageID} {
		require.Contains(t, page, part)
	}

	t.Log("its answer is chosen, its address is not")
	require.Equal(t, "/settings/webhooks/bin?done=bin-answers", w.post("/settings/webhooks/bin/answer", "answer", "broken").Header.Get("Location"))
	require.Equal(t, http.StatusUnprocessableEntity, w.post("/settings/webhooks/bin/answer", "answer", "redirect").StatusCode)
	h, err = b.store.Bin(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Equal(t, models.BinBroken, *h.Bin)
	path := "/settings/webhooks/" + h.ID
	page = text(t, w.get(path))
	require.NotContains(t, page, `type="url"`)
	require.Contains(t, page, `<a href="/settings/webhooks/bin">See what it received</a>`)
	require.Equal(t, http.StatusUnprocessableEntity, w.post(path, "url", "https://hooks.example.org/", "events", "booking", "seen", h.Version()).StatusCode)
	require.Equal(t, http.StatusSeeOther, w.post(path, "url", h.URL, "bin", "yes", "events", "booking", "version", "2", "seen", h.Version()).StatusCode)

	t.Log("another account has another bin")
	b.user(b.newAccount("else@example.org", models.Enterprise), "stranger@example.org", models.Owner, false)
	require.NotContains(t, text(t, b.as("stranger@example.org").get("/settings/webhooks/bin")), "X-Evil")
	require.Equal(t, http.StatusSeeOther, w.post(path+"/delete").StatusCode)
	require.Contains(t, text(t, w.get("/settings/webhooks/bin")), "Create a request bin")
	trail := text(t, w.get("/settings/trail"))
	require.True(t, strings.Contains(trail, "request bin created") && strings.Contains(trail, "request bin changed"))

	b.user(b.newAccount("pro@example.org", models.Pro), "pro@example.org", models.Owner, false)
	require.NotContains(t, text(t, b.as("pro@example.org").get("/settings/webhooks/bin")), "<button class=\"primary\"")
	require.Equal(t, http.StatusForbidden, b.as("pro@example.org").post("/settings/webhooks/bin").StatusCode)
}

func TestTheSecretStandsWithWebhooks(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	require.Equal(t, "/settings/webhooks/secret", w.get("/settings/keys/secret").Header.Get("Location"), "where it stood before")
}
