package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/auth"
	"rollcall/graph/socket"
	"rollcall/models"
)

// heavy is a schema whose every answer is larger than what a connection takes unread.
func heavy() graphql.ExecutableSchema {
	data := []byte(`{"a": "` + strings.Repeat("x", 16<<20) + `"}`)
	return &graphql.ExecutableSchemaMock{
		SchemaFunc:     ticking(false).Schema,
		ComplexityFunc: func(context.Context, string, string, int, map[string]any) (int, bool) { return 1, true },
		ExecFunc: func(ctx context.Context) graphql.ResponseHandler {
			left := 1
			if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
				left = 1000
			}
			return func(context.Context) *graphql.Response {
				if left--; left < 0 {
					return nil
				}
				return &graphql.Response{Data: data}
			}
		},
	}
}

// waiting is a schema whose answers never come.
func waiting() graphql.ExecutableSchema {
	return &graphql.ExecutableSchemaMock{
		SchemaFunc:     ticking(false).Schema,
		ComplexityFunc: func(context.Context, string, string, int, map[string]any) (int, bool) { return 1, true },
		ExecFunc: func(context.Context) graphql.ResponseHandler {
			return func(ctx context.Context) *graphql.Response {
				<-ctx.Done()
				return nil
			}
		},
	}
}

// held serves a schema, and counts the requests that are being answered.
func held(t *testing.T, schema graphql.ExecutableSchema, o Options) (address string, live *atomic.Int64) {
	t.Helper()
	live = &atomic.Int64{}
	h := newHandler(schema, o, func(ctx context.Context) context.Context { return ctx })
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		live.Add(1)
		defer live.Add(-1)
		account := &models.Account{ID: "acc_1", Plan: models.Enterprise}
		h.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), &auth.Caller{Account: account, KeyID: "key"})))
	}))
	server.Config.WriteTimeout = 300 * time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://"), live
}

// The answers of clients that never read wait in memory until a deadline, and none without one.
func TestClientsThatNeverReadAreLeft(t *testing.T) {
	t.Parallel()
	address, live := held(t, heavy(), Options{Patience: 300 * time.Millisecond})
	for name, query := range map[string]string{"query": "{ a }", "mutation": "mutation { a }", "subscription": "subscription { tick }"} {
		for _, accept := range []string{jsonMedia, eventMedia} {
			c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
			require.NoError(t, err, name)
			t.Cleanup(func() { _ = c.Close() })
			body := `{"query": "` + query + `"}`
			_, err = fmt.Fprintf(c, "POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", accept, len(body), body)
			require.NoError(t, err, name)
		}
	}
	conn, _, err := websocket.Dial(t.Context(), "ws://"+address, &websocket.DialOptions{Subprotocols: []string{socket.Protocol}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })
	require.NoError(t, wsjson.Write(t.Context(), conn, map[string]any{"type": "connection_init"}))
	for _, id := range []string{"1", "2"} {
		require.NoError(t, wsjson.Write(t.Context(), conn, map[string]any{"id": id, "type": "subscribe", "payload": map[string]any{"query": "{ a }"}}))
	}
	require.Eventually(t, func() bool { return live.Load() == 0 }, time.Minute, 10*time.Millisecond, "they are still being answered")
}

// An account that holds as many streams as it may gets no more until one of them ends; another account is not concerned.
func TestAnAccountHasSoManyStreams(t *testing.T) {
	t.Parallel()
	open := &auth.Streams{}
	address, _ := held(t, waiting(), Options{Streams: open})
	client := &http.Client{}
	t.Cleanup(client.CloseIdleConnections)
	ask := func() (*http.Response, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address, strings.NewReader(`{"query": "subscription { tick }"}`))
		require.NoError(t, err)
		r.Header.Set("Accept", eventMedia)
		r.Header.Set("Content-Type", jsonMedia)
		resp, err := client.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp, cancel
	}
	var ends []context.CancelFunc
	for range auth.MostStreams {
		resp, end := ask()
		require.Equal(t, http.StatusOK, resp.StatusCode)
		ends = append(ends, end)
	}
	require.Equal(t, auth.MostStreams, open.Open())
	resp, _ := ask()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusTooManyRequests, resp.StatusCode)
	require.NotEmpty(t, resp.Header.Get("Retry-After"))
	require.Contains(t, string(text), "too many streams: 50 subscriptions are open already")

	other := auth.WithCaller(t.Context(), &auth.Caller{Account: &models.Account{ID: "acc_2"}})
	leave, err := open.Enter(other, subscriptions)
	require.NoError(t, err)
	leave()

	ends[0]()
	require.Eventually(t, func() bool { return open.Open() < auth.MostStreams }, time.Minute, 5*time.Millisecond)
	resp, _ = ask()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	for _, end := range ends {
		end()
	}
}

// Subscriptions on one websocket count each, and sockets for themselves.
func TestSubscriptionsOnASocketAreCounted(t *testing.T) {
	t.Parallel()
	open := &auth.Streams{}
	address, _ := held(t, waiting(), Options{Streams: open})
	conn, _, err := websocket.Dial(t.Context(), "ws://"+address, &websocket.DialOptions{Subprotocols: []string{socket.Protocol}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })
	require.NoError(t, wsjson.Write(t.Context(), conn, map[string]any{"type": "connection_init"}))
	for i := range auth.MostStreams + 1 {
		payload := map[string]any{"query": "subscription { tick }"}
		require.NoError(t, wsjson.Write(t.Context(), conn, map[string]any{"id": strconv.Itoa(i), "type": "subscribe", "payload": payload}))
	}
	for {
		var m struct {
			Type    string
			Payload json.RawMessage
		}
		require.NoError(t, wsjson.Read(t.Context(), conn, &m))
		if m.Type == "error" {
			require.Contains(t, string(m.Payload), "too many streams")
			break
		}
	}
	require.Equal(t, auth.MostStreams+1, open.Open(), "the socket and its subscriptions")
	require.NoError(t, conn.CloseNow())
	require.Eventually(t, func() bool { return open.Open() == 0 }, time.Minute, 5*time.Millisecond)
}
