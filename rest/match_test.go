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
		refused := func(method, body, tag string) {
			r := b.send(t, method, path, body, "If-Match", tag)
			require.Contains(t, r.message(t, http.StatusPreconditionFailed, models.CodePreconditionFailed), "If-Match", path)
		}
		refused(http.MethodPatch, change[0], `"0123456789abcdef"`)
		refused(http.MethodPatch, change[0], "W/"+tag)
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
