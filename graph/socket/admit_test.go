package socket_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"

	"rollcall/graph/socket"
)

// refusing are operations of which none is admitted, once it is asked for.
type refusing struct {
	asked   atomic.Int64
	decided chan struct{}
}

func (*refusing) Init(ctx context.Context, _ json.RawMessage) (context.Context, error) {
	return ctx, nil
}

func (r *refusing) Admit(ctx context.Context) ([]byte, error) {
	r.asked.Add(1)
	select {
	case <-r.decided:
		return []byte(`[{"message":"too many"}]`), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (*refusing) Run(context.Context, json.RawMessage, func([]byte)) ([]byte, error) {
	panic("nothing was admitted")
}

// A client that sends operations faster than they are decided about is read no faster. Refused ones cost it time.
func TestASocketIsReadNoFasterThanItsOperationsAreAdmitted(t *testing.T) {
	t.Parallel()
	r := &refusing{decided: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		socket.Serve(w, req, socket.Options{Operations: r, MessageMost: 1000})
	}))
	t.Cleanup(server.Close)
	c, _, err := websocket.Dial(t.Context(), server.URL, &websocket.DialOptions{Subprotocols: []string{socket.Protocol}})
	require.NoError(t, err)
	defer func() { _ = c.CloseNow() }()
	const sent = 10
	require.NoError(t, wsjson.Write(t.Context(), c, map[string]string{"type": "connection_init"}))
	for i := range sent {
		require.NoError(t, wsjson.Write(t.Context(), c, map[string]any{"id": strconv.Itoa(i), "type": "subscribe", "payload": map[string]string{"query": "{a}"}}))
	}
	var m struct{ Type, ID string }
	require.NoError(t, wsjson.Read(t.Context(), c, &m))
	require.Equal(t, "connection_ack", m.Type)
	for r.asked.Load() == 0 {
		<-time.After(time.Millisecond)
	}
	require.EqualValues(t, 1, r.asked.Load(), "the others are not read yet")
	at := time.Now()
	close(r.decided)
	for i := range sent {
		require.NoError(t, wsjson.Read(t.Context(), c, &m))
		require.Equal(t, "error", m.Type)
		require.Equal(t, strconv.Itoa(i), m.ID)
	}
	require.GreaterOrEqual(t, time.Since(at), (sent-1)*50*time.Millisecond)
}
