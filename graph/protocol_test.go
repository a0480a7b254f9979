package graph_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/graph"
	"rollcall/graph/transport"
	"rollcall/models"
)

const aboutBonds = `{"id":"1","type":"subscribe","payload":{"query":"subscription { alertEvents { event } }"}}`

// strangers serves the bundle's data once more, to sockets whose upgrade has no caller: the key "good" is that of the
// bundle's account.
func (b *bundle) strangers(t *testing.T, change func(*transport.Options)) string {
	t.Helper()
	refuse := &models.Error{Code: models.CodeUnauthorized, Message: "key not found"}
	o := transport.Options{
		Log: logTo(b.log), Closing: b.closing,
		Authorize: func(ctx context.Context, authorization string) (context.Context, error) {
			if authorization != "Bearer good" {
				return ctx, refuse
			}
			return auth.WithCaller(ctx, &auth.Caller{Account: b.mine, KeyID: "key_test", Scopes: models.Scopes()}), nil
		},
		Admit: func(ctx context.Context, authorization string) error {
			if authorization != "Bearer good" {
				return refuse
			}
			return b.standing(ctx)
		},
	}
	if change != nil {
		change(&o)
	}
	server := httptest.NewServer(graph.NewHandler(graph.NewResolver(b.store, baseURL, usage{}, b.alerts(t)), o))
	t.Cleanup(server.Close)
	return server.URL
}

// say opens a socket, sends texts, and returns the types of what is answered until the socket is closed, with the close.
func say(t *testing.T, address string, texts ...string) (types []string, closed websocket.CloseError) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	require.NoError(t, err)
	defer func() { _ = c.CloseNow() }()
	for _, text := range texts {
		kind := websocket.MessageText
		if strings.HasPrefix(text, "\x00") {
			kind = websocket.MessageBinary
		}
		require.NoError(t, c.Write(ctx, kind, []byte(text)))
	}
	for {
		var m message
		_, text, err := c.Read(ctx)
		if err != nil {
			require.ErrorAs(t, err, &closed)
			return types, closed
		}
		require.NoError(t, json.Unmarshal(text, &m))
		types = append(types, m.Type)
	}
}

func TestASocketIsClosedWithTheCodesOfTheProtocol(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	address := b.strangers(t, nil)
	init := `{"type":"connection_init","payload":{"authorization":"Bearer good"}}`
	for _, c := range []struct {
		name   string
		texts  []string
		before string
		code   websocket.StatusCode
		reason string
	}{
		{"no JSON", []string{`{`}, "", 4400, "must be a JSON object"},
		{"binary", []string{"\x00"}, "", 4400, "must be a JSON object"},
		{"an unknown type", []string{init, `{"type":"start"}`}, "connection_ack", 4400, "the type of a message"},
		{"a type of the server", []string{init, `{"type":"next","id":"1"}`}, "connection_ack", 4400, "the type of a message"},
		{"subscribe without id", []string{init, strings.Replace(aboutBonds, `"1"`, `""`, 1)}, "connection_ack", 4400, "needs an id"},
		{"subscribe without query", []string{init, `{"id":"1","type":"subscribe","payload":{}}`}, "connection_ack", 4400, "query is missing"},
		{"subscribe without payload", []string{init, `{"id":"1","type":"subscribe"}`}, "connection_ack", 4400, "payload of subscribe"},
		{"init with a list", []string{`{"type":"connection_init","payload":[]}`}, "", 4400, "must be a JSON object"},
		{"subscribe before init", []string{aboutBonds}, "", 4401, "connection_init first"},
		{"init without a key", []string{`{"type":"connection_init"}`}, "", 4401, "Authorization"},
		{"init with null", []string{`{"type":"connection_init","payload":null}`}, "", 4401, "Authorization"},
		{"init with a key that nobody has", []string{`{"type":"connection_init","payload":{"Authorization":"Bearer bad"}}`}, "", 4403, "key not found"},
		{"an id that is in use", []string{init, aboutBonds, aboutBonds}, "connection_ack", 4409, "Subscriber for 1 already exists"},
		{"two inits", []string{init, init}, "connection_ack", 4429, "Too many initialisation requests"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			types, closed := say(t, address, c.texts...)
			require.Equal(t, c.before, strings.Join(types, " "))
			require.Equal(t, c.code, closed.Code)
			require.Contains(t, closed.Reason, c.reason)
		})
	}
	hasty := b.strangers(t, func(o *transport.Options) { o.InitWithin = time.Millisecond })
	_, closed := say(t, hasty)
	require.Equal(t, websocket.StatusCode(4408), closed.Code)
}

func TestAnOperationEndsWithOneMessage(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	c := dial(t, b, `{}`)
	_, err := next(t, c)
	require.NoError(t, err)
	for range 2 { // a completed id may be used again, and complete is not answered
		require.NoError(t, c.Write(t.Context(), websocket.MessageText, []byte(aboutBonds)))
		require.NoError(t, c.Write(t.Context(), websocket.MessageText, []byte(`{"id":"1","type":"complete"}`)))
	}
	require.NoError(t, c.Write(t.Context(), websocket.MessageText, []byte(`{"id":"2","type":"subscribe","payload":{"query":"{ nothing }"}}`)))
	require.NoError(t, c.Write(t.Context(), websocket.MessageText, []byte(`{"id":"3","type":"subscribe","payload":{"query":"{ eventCursor }"}}`)))
	got := map[string]string{}
	for len(got["3"]) < len("next complete ") {
		m, err := next(t, c)
		require.NoError(t, err)
		got[m.ID] += m.Type + " "
	}
	require.NoError(t, c.Write(t.Context(), websocket.MessageText, []byte(`{"type":"ping","payload":{"a":1}}`)))
	_, text, err := c.Read(t.Context())
	require.NoError(t, err)
	require.JSONEq(t, `{"type":"pong","payload":{"a":1}}`, string(text), "nothing came between")
	require.Equal(t, map[string]string{"2": "error ", "3": "next complete "}, got)
}

// whyEnded are the ways in which the service ends a subscription.
var whyEnded = []struct {
	name   string
	end    func(*testing.T, *bundle)
	code   websocket.StatusCode
	reason string
	final  bool
}{
	{"the key is revoked", func(t *testing.T, b *bundle) { t.Helper(); b.revoked.Store(true); b.happens(t, "evt_1") }, 4403, "this key was revoked", true},
	{"the service stops", func(_ *testing.T, b *bundle) { close(b.closing) }, 1001, "the service is stopping; connect again", false},
}

func TestASubscriptionThatTheServiceEndsSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range whyEnded {
		t.Run(c.name+", over a websocket", func(t *testing.T) {
			t.Parallel()
			b := setup(t, nil, tess)
			conn := dial(t, b, `{}`)
			_, err := next(t, conn)
			require.NoError(t, err)
			require.NoError(t, conn.Write(t.Context(), websocket.MessageText, []byte(aboutBonds)))
			c.end(t, b)
			m, err := next(t, conn)
			var closed websocket.CloseError
			require.ErrorAs(t, err, &closed, m.Type)
			require.Equal(t, []any{c.code, c.reason}, []any{closed.Code, closed.Reason})
		})
		t.Run(c.name+", over server-sent events", func(t *testing.T) {
			t.Parallel()
			b := setup(t, nil, tess)
			s := &source{b: b, query: bond}
			s.connect(t)
			c.end(t, b)
			kind, data := s.block(t)
			require.Equal(t, "next", kind)
			require.Contains(t, data, c.reason)
			require.NotContains(t, data, `"data"`)
			kind, _ = s.block(t)
			require.Equal(t, map[bool]string{true: "complete", false: ""}[c.final], kind, "a client connects again after a stream without complete")
		})
	}
}

// skipLine waits for a line and returns what comes after it.
func skipLine(t *testing.T, r io.Reader) io.Reader {
	t.Helper()
	lines := bufio.NewReader(r)
	_, err := lines.ReadString('\n')
	require.NoError(t, err)
	return lines
}

// clientScript follows events with the npm clients and prints how each of them ended.
const clientScript = `
import { createClient } from "graphql-ws";
import { createClient as createEvents } from "graphql-sse";
const [url, events] = process.argv.slice(2);
const query = "subscription { alertEvents { event } }";
const ended = (client) => new Promise((done) => {
  const seen = [];
  client.subscribe({ query }, {
    next: (value) => seen.push(value), complete: () => done({ seen, complete: true }),
    error: (e) => done({ seen, code: e.code, reason: e.reason, list: Array.isArray(e) ? e : undefined }),
  });
});
const socket = (key, more) => createClient({ url: url.replace("http", "ws"), retryAttempts: 0, connectionParams: key && { Authorization: key }, ...more });
const out = {};
out.none = await ended(socket());
out.bad = await ended(socket("Bearer bad"));
const query1 = socket("Bearer good").iterate({ query: "{ eventCursor }" });
out.query = (await query1.next()).value;
out.done = (await query1.next()).done;
out.invalid = await new Promise((done) => socket("Bearer good").subscribe({ query: "{ nothing }" }, { next() {}, complete() {}, error: done }));
const live = ended(socket("Bearer good", { on: { connected: () => setTimeout(() => console.log("connected"), 0) } }));
const stream = ended(createEvents({ url: events, retryAttempts: 0 }));
out.live = await live;
out.stream = await stream;
console.log(JSON.stringify(out));
process.exit(0);
`

func TestTheClientsOfNpmUnderstandHowSubscriptionsEnd(t *testing.T) {
	t.Parallel()
	dir := npmFolder(t, "graphql-ws@6.0.6", "graphql-sse@2.5.4", "graphql@16.11.0", "ws@8.18.3")
	script := filepath.Join(dir, "clients.mjs")
	require.NoError(t, os.WriteFile(script, []byte("import WebSocket from \"ws\";\nglobalThis.WebSocket ??= WebSocket;\n"+clientScript), 0o600))
	b := setup(t, nil, tess)
	cmd := exec.CommandContext(t.Context(), "node", script, b.strangers(t, nil), b.url)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	lines := json.NewDecoder(skipLine(t, out))
	b.revoked.Store(true)
	b.happens(t, "evt_1")
	var got map[string]json.RawMessage
	require.NoError(t, lines.Decode(&got))
	require.NoError(t, cmd.Wait())
	require.JSONEq(t, `{"seen":[],"code":4403,"reason":"key not found"}`, string(got["bad"]))
	require.Contains(t, string(got["none"]), `"code":4401`)
	require.JSONEq(t, `{"data":{"eventCursor":"start"}}`, string(got["query"]))
	require.Equal(t, "true", string(got["done"]))
	require.Contains(t, string(got["invalid"]), "GRAPHQL_VALIDATION_FAILED")
	require.JSONEq(t, `{"seen":[],"code":4403,"reason":"this key was revoked"}`, string(got["live"]))
	require.Contains(t, string(got["stream"]), "this key was revoked")
	require.Contains(t, string(got["stream"]), `"complete":true`)
}
