package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"
)

// opened is a websocket as a browser opens it: without a header. It has sent connection_init.
func opened(t *testing.T, root, key string) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.Dial(t.Context(), root+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Origin": {root}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.CloseNow() })
	init := map[string]any{"type": "connection_init"}
	if key != "" {
		init["payload"] = map[string]string{"authorization": "Bearer " + key}
	}
	require.NoError(t, wsjson.Write(t.Context(), c, init))
	return c
}

// closeOf reads until the socket is closed and returns the close. Nothing but an acknowledgement may come before.
func closeOf(t *testing.T, c *websocket.Conn) (closed websocket.CloseError) {
	t.Helper()
	for {
		var m struct{ Type string }
		_, text, err := c.Read(t.Context())
		if err != nil {
			require.ErrorAs(t, err, &closed)
			return closed
		}
		require.NoError(t, json.Unmarshal(text, &m))
		require.Equal(t, "connection_ack", m.Type)
	}
}

func TestABrowserOpensAWebsocketWithAKeyOfConnectionInit(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, _ := x.Serve("Desk")
	made := x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "tests", "--json")
	key, ok := made["key"].(string)
	require.True(t, ok)

	require.Equal(t, websocket.StatusCode(4401), closeOf(t, opened(t, root, "")).Code)
	refused := closeOf(t, opened(t, root, "rc_live_wrong"))
	require.Equal(t, websocket.StatusCode(4403), refused.Code)
	require.Contains(t, refused.Reason, "the API key is malformed")

	c := opened(t, root, key)
	require.NoError(t, wsjson.Write(t.Context(), c, map[string]any{"id": "1", "type": "subscribe", "payload": map[string]string{"query": `{ alerts { total } }`}}))
	var got []string
	for range 3 {
		_, text, err := c.Read(t.Context())
		require.NoError(t, err)
		got = append(got, string(text))
	}
	require.JSONEq(t, `{"id":"1","type":"next","payload":{"data":{"alerts":{"total":0}}}}`, got[1])
	require.NoError(t, wsjson.Write(t.Context(), c, map[string]any{"id": "2", "type": "subscribe", "payload": map[string]string{"query": `subscription { alertEvents { id } }`}}))
	id, ok := made["id"].(string)
	require.True(t, ok, made)
	x.Run("key", "revoke", id)
	ended := closeOf(t, c)
	require.Equal(t, websocket.StatusCode(4403), ended.Code)
	require.Contains(t, ended.Reason, "revoked")
}
