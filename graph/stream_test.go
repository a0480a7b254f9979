package graph_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

const events = "text/event-stream"

func TestServerSentEvents(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(1)...)
	const want = "event: next\ndata: {\"data\":{\"roster\":{\"total\":2}}}\n\nevent: complete\ndata:\n\n"
	for name, q := range map[string]request{
		"by POST": {accept: events, body: `{"query": "{ roster { total } }"}`},
		"by GET":  {method: http.MethodGet, accept: events, query: "query=" + url.QueryEscape("{ roster { total } }")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.send(t, q)
			require.Equal(t, http.StatusOK, a.status)
			require.Equal(t, events, a.header.Get("Content-Type"))
			require.Equal(t, want, a.body)
		})
	}
	t.Run("what cannot be executed is an event too", func(t *testing.T) {
		t.Parallel()
		a := b.send(t, request{accept: events, body: `{"query": "{ nothing }"}`})
		require.Equal(t, http.StatusOK, a.status)
		require.Regexp(t, `^event: next\ndata: \{"errors":\[.*"code":"GRAPHQL_VALIDATION_FAILED".*\]\}\n\nevent: complete\ndata:\n\n$`, a.body)
	})
	t.Run("what is no request is answered as JSON", func(t *testing.T) {
		t.Parallel()
		a := b.send(t, request{accept: events, body: `{`})
		require.Equal(t, http.StatusBadRequest, a.status)
		require.Equal(t, "INVALID_REQUEST", a.code(t))
		require.Equal(t, onlyJSON+"; charset=utf-8", a.header.Get("Content-Type"))
	})
}
