package havoc

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"
)

// listens is how long a subscription that was accepted is held open.
const listens = 50 * time.Millisecond

// Random subscriptions, by server-sent events and by websocket, begin or are refused cleanly, and end when their client goes.
func TestAnySubscriptionBeginsOrIsRefused(t *testing.T) {
	t.Parallel()
	a := begin(t)
	s := schema()
	accepted := map[bool]int{}
	for i := 0; a.more(); i++ {
		d := &document{attack: a, schema: s, variables: map[string]any{}}
		text, _ := d.operation("subscription", s.Subscription)
		if i < 4 { // one of each outcome by each way, for certain
			text, d.variables = []string{`subscription{alertEvents{id}}`, `subscription{alertEvents{nonsense}}`}[i/2], nil
		}
		body, err := json.Marshal(map[string]any{"query": text, "variables": d.variables})
		require.NoError(t, err)
		a.requests++
		begun := a.byEvents
		if i%2 == 1 {
			begun = a.bySocket
		}
		at := time.Now()
		ok := begun(string(body))
		a.slowest = max(a.slowest, time.Since(at)-listens)
		accepted[ok]++
	}
	require.Positive(t, accepted[true])
	require.Positive(t, accepted[false])
	a.ends()
}

// byEvents subscribes over server-sent events and reports whether the stream began.
func (a *attack) byEvents(body string) bool {
	a.t.Helper()
	ctx, leave := context.WithCancel(a.t.Context())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.root+"/graphql", strings.NewReader(body))
	require.NoError(a.t, err)
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}, "Authorization": {"Bearer " + a.key}}
	res, err := (&http.Client{}).Do(req)
	require.NoError(a.t, err)
	defer func() { _ = res.Body.Close() }()
	require.Equal(a.t, http.StatusOK, res.StatusCode, body)
	require.Equal(a.t, "text/event-stream", res.Header.Get("Content-Type"))
	end := time.AfterFunc(listens, leave)
	defer end.Stop()
	event := ""
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "event: "):
			event = line[len("event: "):]
			require.Contains(a.t, []string{"next", "complete"}, event, body)
		case strings.HasPrefix(line, "data: ") && event == "next":
			if a.refused(body, line[len("data: "):]) {
				return false
			}
		}
	}
	return true
}

// refused reports whether an answer is one of errors alone, which must not be ours.
func (a *attack) refused(body, text string) bool {
	a.t.Helper()
	var answer struct {
		Data   any
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	require.NoError(a.t, json.Unmarshal([]byte(text), &answer), "%s\n%s", body, text)
	for _, e := range answer.Errors {
		require.NotEqual(a.t, "INTERNAL", e.Extensions.Code, "%s\n%s", body, text)
		require.NotEmpty(a.t, e.Message)
	}
	return answer.Data == nil
}

// bySocket subscribes over a websocket and reports whether the subscription began.
func (a *attack) bySocket(body string) bool {
	a.t.Helper()
	ctx, leave := context.WithTimeout(a.t.Context(), time.Minute)
	defer leave()
	c, res, err := websocket.Dial(ctx, a.root+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + a.key}},
	})
	require.NoError(a.t, err)
	if res.Body != nil {
		defer func() { _ = res.Body.Close() }()
	}
	defer func() { _ = c.CloseNow() }()
	require.NoError(a.t, wsjson.Write(ctx, c, map[string]any{"type": "connection_init"}))
	require.NoError(a.t, wsjson.Write(ctx, c, map[string]any{"id": "1", "type": "subscribe", "payload": json.RawMessage(body)}))
	within, end := context.WithTimeout(ctx, listens)
	defer end()
	for {
		var m struct {
			Type    string
			Payload json.RawMessage
		}
		err := wsjson.Read(within, c, &m)
		switch status := websocket.CloseStatus(err); {
		case err != nil && within.Err() != nil: // nothing came: it waits for events
			return true
		case err != nil:
			require.Equal(a.t, websocket.StatusCode(4400), status, "%s\n%v", body, err)
			return false
		case m.Type == "error":
			require.True(a.t, a.refused(body, `{"errors":`+string(m.Payload)+`}`))
			return false
		case m.Type == "next":
			_ = a.refused(body, string(m.Payload))
		}
	}
}
