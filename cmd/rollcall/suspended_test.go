package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/plural"
	"rollcall/models"
)

// TestASuspendedAccountHearsNothing suspends an account of a story while mails and webhooks wait for it. Another account watches
// the same people meanwhile: once it was told, a message to the suspended one would have gone too. After the suspension the account
// hears what is detected from then on, and what was dropped only if it asks for it, each once.
func TestASuspendedAccountHearsNothing(t *testing.T) {
	t.Parallel()
	desk := newNewsroom(t)
	wire := desk.beside("wire@example.org")
	key, isText := desk.Fields("key", "create", "--account", desk.account.ID, "--label", "desk", "--json")["key"].(string)
	require.True(t, isText)
	at := weeksBegin
	next := func() []string {
		defer func() { at = at.Add(12 * time.Hour) }()
		return desk.happen(at)
	}
	told := func(n *newsroom, ways ...string) {
		for _, way := range ways {
			n.hears(way)
		}
	}
	send := desk.send()
	for range 2 {
		events := next()
		desk.expect(events...)
		wire.expect(events...)
	}
	told(desk, "webhook", "mail", "feed")
	told(wire, "webhook", "mail")
	desk.answers(http.StatusOK, key)

	t.Log("what waits when it is suspended is dropped")
	send()
	waits := next()
	wire.expect(waits...)
	desk.OK("account", "suspend", desk.account.ID, "--reason", "unpaid")
	before := len(desk.expected)
	desk.expect(waits...)
	open := len(desk.expected) - before
	require.Positive(t, open)
	require.Equal(t, 2*open, desk.dropped(), "by webhook and by mail")
	send = desk.send()
	told(wire, "webhook", "mail")

	t.Log("what is detected meanwhile is not found for it")
	wire.expect(next()...)
	told(wire, "webhook", "mail")
	require.Len(t, desk.webhook.all(), before)
	require.Len(t, desk.mail.all(), before)
	require.Equal(t, 2*open, desk.dropped())
	require.Equal(t, http.StatusNotFound, desk.status(desk.feedURL[len(desk.root):], ""))
	desk.answers(http.StatusForbidden, key)
	code, _ := desk.Run("deliveries", "replay", "--account", desk.account.ID, "--webhook", desk.hook, "--state", "dropped")
	require.NotZero(t, code)
	require.Contains(t, desk.Stderr, "account is suspended")

	t.Log("afterwards it hears what is detected from then on; the feed has what was found before")
	desk.OK("account", "resume", desk.account.ID)
	desk.answers(http.StatusOK, key)
	told(desk, "feed")
	later := next()
	wire.expect(later...)
	waited := desk.expected[before:]
	desk.expected = desk.expected[:before:before]
	desk.expect(later...)
	require.Greater(t, len(desk.expected), before)
	told(desk, "webhook", "mail")
	told(wire, "webhook", "mail")

	t.Log("what was dropped comes to whom it is sent again")
	out := desk.OK("deliveries", "replay", "--account", desk.account.ID, "--webhook", desk.hook, "--state", "dropped")
	require.Contains(t, out, plural.Of(open, "delivery", "deliveries"))
	sent := desk.expected
	desk.expected = append(desk.expected[:len(sent):len(sent)], waited...)
	told(desk, "webhook", "feed")
	send()
	require.Equal(t, open, desk.dropped(), "the mails stay so")
	desk.expected = sent
	told(desk, "mail")
	for _, n := range []*newsroom{desk, wire} {
		for way, h := range n.ways() {
			require.Empty(t, h.twice(), "sent twice by %s", way)
		}
	}
}

// status is that of the answer to a key, or to nobody.
func (n *newsroom) status(path, key string) int {
	n.T.Helper()
	request, err := http.NewRequestWithContext(n.T.Context(), http.MethodGet, n.root+path, http.NoBody)
	require.NoError(n.T, err)
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := (&http.Client{Timeout: time.Minute}).Do(request)
	require.NoError(n.T, err)
	require.NoError(n.T, answer.Body.Close())
	return answer.StatusCode
}

// answers waits until the service answers a key so: it may know the account as it was a moment ago.
func (n *newsroom) answers(status int, key string) {
	n.T.Helper()
	require.Eventually(n.T, func() bool { return n.status("/v1/alerts", key) == status }, time.Minute, 20*time.Millisecond)
}

// dropped counts the deliveries that a suspension ended, and sees that none waits.
func (n *newsroom) dropped() (count int) {
	n.T.Helper()
	for state, want := range map[models.DeliveryState]bool{models.DeliveryDropped: true, models.DeliveryPending: false, models.DeliveryFailed: false} {
		found, err := n.store.Deliveries(n.T.Context(), n.account.ID, models.DeliveryFilter{State: &state}, models.Page{Limit: models.MaxLimit})
		require.NoError(n.T, err)
		if !want {
			require.Empty(n.T, found.Deliveries, state)
			continue
		}
		require.False(n.T, found.PageInfo.HasNextPage)
		for _, d := range found.Deliveries {
			require.Equal(n.T, models.DropPlan, *d.Reason)
		}
		count = len(found.Deliveries)
	}
	return count
}
