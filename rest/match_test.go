package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAChangeOfAStateThatIsNotThePresentOneIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	for path, change := range map[string][2]string{
		"/alerts/alrt_1":  {`{"note": "first"}`, `{"note": "second"}`},
		"/webhooks/wh_1":  {`{"events": ["release"]}`, `{"events": ["booking"]}`},
		"/webhooks/wh_2/": {`{"paused": true}`, `{"payload_version": 1}`},
	} {
		tag := b.get(t, path).head.Get("ETag")
		packed := strings.TrimSuffix(tag, `"`) + `-gzip"`
		refused := func(method, body, tag string) (message string) {
			r := b.send(t, method, path, body, "If-Match", tag)
			message = r.message(t, http.StatusPreconditionFailed, models.CodePreconditionFailed)
			require.Contains(t, message, "If-Match", path)
			return message
		}
		require.Contains(t, refused(http.MethodPatch, change[0], `"0123456789abcdef"`), "it was changed since")
		require.Contains(t, refused(http.MethodPatch, change[0], `W/"x", "0123456789abcdef"`), "it was changed since")
		for _, wrong := range []string{"W/" + tag, strings.Trim(tag, `"`), "", tag + "x", ","} {
			require.Contains(t, refused(http.MethodPatch, change[0], wrong), "no strong entity tag", "If-Match: %s", wrong)
		}
		require.Equal(t, tag, b.get(t, path).head.Get("ETag"), "nothing was changed")

		t.Log("the tag of any coding holds, and one of several")
		r := b.send(t, http.MethodPatch, path, change[0], "If-Match", `"0123456789abcdef", `+packed)
		require.Equal(t, http.StatusOK, r.status, r.body)
		now := b.get(t, path).head.Get("ETag")
		require.Equal(t, now, r.head.Get("ETag"), "the answer has the tag for the next change")
		require.NotEqual(t, tag, now)

		t.Log("whoever saw the old state changes and deletes nothing")
		refused(http.MethodPatch, change[1], tag)
		refused(http.MethodDelete, "", tag)
		require.Equal(t, http.StatusOK, b.send(t, http.MethodPatch, path, change[1], "If-Match", "*").status)
		require.Equal(t, http.StatusNoContent, b.send(t, http.MethodDelete, path, "", "If-Match", b.get(t, path).head.Get("ETag")).status)
		b.send(t, http.MethodDelete, path, "", "If-Match", "*").message(t, http.StatusNotFound, models.CodeNotFound)
	}
	r := b.send(t, http.MethodPost, "/alerts", `{"name": "Jane Doe"}`)
	require.Equal(t, b.get(t, "/alerts/"+r.idOf(t)).head.Get("ETag"), r.head.Get("ETag"))
}

// Between what If-Match names and the lock of the change another change may come: of anything that the representation
// shows, the pause and an endpoint's state too.
func TestAChangeThatComesBeforeTheLockIsSeenUnderIt(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	// In this order: what is resumed was paused before.
	for _, c := range []struct{ name, path, method, body, change string }{
		{"a watcher is paused, and deleted", "/alerts/alrt_1", http.MethodDelete, "", `update watchers set paused = true where id = 'alrt_1'`},
		{"a watcher is resumed, and changed", "/alerts/alrt_1", http.MethodPatch, `{"note": "x"}`, `update watchers set paused = not paused where id = 'alrt_1'`},
		{"a watcher is renamed, and deleted", "/alerts/alrt_1", http.MethodDelete, "", `update watchers set note = 'another' where id = 'alrt_1'`},
		{"an endpoint is paused, and deleted", "/webhooks/wh_1", http.MethodDelete, "", `update webhooks set paused = true where id = 'wh_1'`},
		{"an endpoint is disabled, and changed", "/webhooks/wh_1", http.MethodPatch, `{"events": ["release"]}`, `update webhooks set status = 'disabled', disabled_reason = 'gone' where id = 'wh_1'`},
		{"an endpoint is restored, and deleted", "/webhooks/wh_1", http.MethodDelete, "", `update webhooks set status = 'active', disabled_reason = null where id = 'wh_1'`},
		{"an endpoint is readdressed, and ended", "/webhooks/wh_1", http.MethodDelete, "", `update webhooks set url = 'https://other.example.org/' where id = 'wh_1'`},
	} {
		b.changedUnder(t, c.name, c.path, c.method, c.body, c.change)
	}
	t.Log("without another change the same requests do what they say")
	for _, path := range []string{"/alerts/alrt_1", "/webhooks/wh_1"} {
		tag := b.get(t, path).head.Get("ETag")
		r := b.send(t, http.MethodPatch, path, `{"paused": true}`, "If-Match", tag)
		require.Equal(t, http.StatusOK, r.status, r.body)
		require.Equal(t, http.StatusNoContent, b.send(t, http.MethodDelete, path, "", "If-Match", r.head.Get("ETag")).status)
	}
}

// changedUnder sends a request that is of the present state, and changes the state while the request waits for its lock.
func (b *bundle) changedUnder(t *testing.T, name, path, method, body, change string) {
	t.Helper()
	tag := b.get(t, path).head.Get("ETag")
	tx, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }() // nothing after the commit
	_, err = tx.Exec(t.Context(), change)
	require.NoError(t, err, name)
	var holder int
	require.NoError(t, tx.QueryRow(t.Context(), `select pg_backend_pid()`).Scan(&holder))
	committed := make(chan error, 1)
	go func() {
		for waits := false; !waits; {
			if err := b.db.Pool.QueryRow(t.Context(), `select exists (select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)))`, holder).Scan(&waits); err != nil {
				committed <- err
				return
			}
		}
		committed <- tx.Commit(t.Context())
	}()
	r := b.send(t, method, path, body, "If-Match", tag)
	require.NoError(t, <-committed)
	require.Contains(t, r.message(t, http.StatusPreconditionFailed, models.CodePreconditionFailed), "If-Match", name)
	require.Equal(t, http.StatusOK, b.get(t, path).status, name)
}
