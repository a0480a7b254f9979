package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"

	"rollcall/graph/limit"
	"rollcall/graph/transport"
	"rollcall/models"
)

// message is one of the protocol graphql-transport-ws.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// dial opens a websocket and sends connection_init.
func dial(t *testing.T, b *bundle, init string) *websocket.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, _, err := websocket.Dial(ctx, b.url, &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.CloseNow() })
	require.NoError(t, wsjson.Write(ctx, c, message{Type: "connection_init", Payload: json.RawMessage(init)}))
	return c
}

// next is the next message that is no ping.
func next(t *testing.T, c *websocket.Conn) (message, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		var m message
		if err := wsjson.Read(ctx, c, &m); err != nil || m.Type != "ping" && m.Type != "pong" {
			return m, err
		}
	}
}

// subscribe sends an operation and gives what comes back for it.
func subscribe(t *testing.T, c *websocket.Conn, id, query string) []message {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(t, err)
	require.NoError(t, wsjson.Write(t.Context(), c, message{ID: id, Type: "subscribe", Payload: body}))
	var got []message
	for {
		m, err := next(t, c)
		require.NoError(t, err)
		require.Equal(t, id, m.ID)
		got = append(got, m)
		if m.Type == "complete" || m.Type == "error" {
			return got
		}
	}
}

func TestWebsocketServesOneOperationAfterAnother(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(3)...)
	c := dial(t, b, `{}`)
	ack, err := next(t, c)
	require.NoError(t, err)
	require.Equal(t, "connection_ack", ack.Type)
	for _, id := range []string{"1", "2"} {
		got := subscribe(t, c, id, `{ roster { total records { gdcMatch { gdcId } } } }`)
		require.Len(t, got, 2)
		require.Equal(t, "next", got[0].Type)
		require.Contains(t, string(got[0].Payload), `"total":6`)
		require.Equal(t, "complete", got[1].Type)
	}
	refused := subscribe(t, c, "3", back(6))
	require.Contains(t, string(refused[0].Payload), `"code":"LIMIT_EXCEEDED"`)
	invalid := subscribe(t, c, "4", `{ nothing }`)
	require.Contains(t, string(invalid[0].Payload), `"code":"GRAPHQL_VALIDATION_FAILED"`)
}

func TestWebsocketTakesAKeyFromItsFirstMessage(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *transport.Options) {
		o.Authorize = func(ctx context.Context, authorization string) (context.Context, error) {
			switch authorization {
			case "Bearer good":
				return ctx, nil
			case "Bearer broken":
				return ctx, errors.New("read key of MARLOWE")
			}
			return ctx, &models.Error{Code: models.CodeUnauthorized, Message: "key not found"}
		}
	})
	ack, err := next(t, dial(t, b, `{"Authorization": "Bearer good"}`))
	require.NoError(t, err)
	require.Equal(t, "connection_ack", ack.Type)
	for key, want := range map[string]websocket.CloseError{
		"Bearer bad": {Code: 4403, Reason: "key not found"}, "Bearer broken": {Code: websocket.StatusTryAgainLater, Reason: "internal error"},
	} {
		_, err := next(t, dial(t, b, `{"Authorization": "`+key+`"}`))
		var closed websocket.CloseError
		require.ErrorAs(t, err, &closed, key)
		require.Equal(t, want, closed)
	}
}

func TestWebsocketAsksBeforeEachOperation(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	b := setup(t, func(o *transport.Options) {
		o.Authorize = func(ctx context.Context, _ string) (context.Context, error) { return ctx, nil }
		o.Admit = func(_ context.Context, authorization string) error {
			if authorization != "Bearer good" {
				return &models.Error{Code: models.CodeUnauthorized, Message: "key not found"}
			}
			if asked.Add(1) > 1 {
				return &models.Error{Code: models.CodeRateLimited, Message: "more than 1 request in a minute"}
			}
			return nil
		}
	})
	stranger := dial(t, b, `{}`)
	_, err := next(t, stranger)
	require.NoError(t, err)
	require.NoError(t, wsjson.Write(t.Context(), stranger, message{ID: "1", Type: "subscribe", Payload: json.RawMessage(`{"query":"{ usage { limit } }"}`)}))
	_, err = next(t, stranger)
	require.Equal(t, websocket.StatusCode(4403), websocket.CloseStatus(err), "a key that is refused ends the socket")
	c := dial(t, b, `{"Authorization": "Bearer good"}`)
	_, err = next(t, c)
	require.NoError(t, err)
	require.Equal(t, "next", subscribe(t, c, "1", `{ usage { limit } }`)[0].Type)
	require.Contains(t, string(subscribe(t, c, "2", `{ usage { limit } }`)[0].Payload), `"code":"RATE_LIMITED"`)
	require.Empty(t, b.post(t, `{ usage { limit } }`, nil).Errors, "over HTTP the middleware has asked")
	require.EqualValues(t, 2, asked.Load())
}

func TestWebsocketUpgradesThatAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *transport.Options) { o.AllowedOrigins = []string{"https://app.example"} })
	own := strings.TrimSuffix(b.url, "/graphql")
	for _, c := range []struct {
		name, origin, protocol string
		status                 int
	}{
		{"a page of the service itself", own, "graphql-transport-ws", http.StatusSwitchingProtocols},
		{"a page that is allowed", "https://app.example", "graphql-transport-ws", http.StatusSwitchingProtocols},
		{"any other page", "https://evil.example", "graphql-transport-ws", http.StatusForbidden},
		{"a page without an origin", "null", "graphql-transport-ws", http.StatusForbidden},
		{"a client of another protocol", "", "graphql-ws", http.StatusBadRequest},
		{"a client without a protocol", "", "", http.StatusBadRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := &websocket.DialOptions{HTTPHeader: http.Header{}}
			if c.origin != "" {
				o.HTTPHeader.Set("Origin", c.origin)
			}
			if c.protocol != "" {
				o.Subprotocols = []string{c.protocol}
			}
			conn, resp, err := websocket.Dial(t.Context(), b.url, o)
			if err == nil {
				t.Cleanup(func() { _ = conn.CloseNow() })
			}
			require.Equal(t, c.status, resp.StatusCode)
		})
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "h2c")
	resp, err := b.client.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusUpgradeRequired, resp.StatusCode)
}

func TestWebsocketMessagesOverTheLimitEndTheConnection(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *transport.Options) {
		o.Limits = limit.Default()
		o.Limits.Body = 4 << 10
	})
	c := dial(t, b, `{}`)
	_, err := next(t, c)
	require.NoError(t, err)
	body := `{"query": "{ __typename } # ` + strings.Repeat("x", 5<<10) + `"}`
	require.NoError(t, wsjson.Write(t.Context(), c, message{ID: "1", Type: "subscribe", Payload: json.RawMessage(body)}))
	_, err = next(t, c)
	require.Error(t, err)
}
