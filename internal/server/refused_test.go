package server_test

import (
	"bufio"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/server"
)

func TestARequestThatCannotBeReadIsAnsweredLikeAllOthers(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := server.New(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		http.Error(w, "of a handler", http.StatusBadRequest)
	}), slog.New(slog.DiscardHandler))
	ended := make(chan error)
	go func() { ended <- server.Run(s, l) }()
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		require.NoError(t, <-ended)
	})
	for _, c := range []struct {
		name, request, message string
		status                 int
	}{
		{"a path that does not unescape", "GET /v1/courts/26-CR-100% HTTP/1.1\r\nHost: x\r\n\r\n", "write % as %25", 400},
		{"no host", "GET / HTTP/1.1\r\n\r\n", "", 400},
		{"no HTTP", "nonsense\r\n\r\n", "write % as %25", 400},
		{"two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "", 400},
		{"two lengths in one line", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 2\r\n\r\nab", "", 400},
		{"a length below nothing", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "", 400},
		{"two hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "", 400},
		{"a host that is none", "GET / HTTP/1.1\r\nHost: x y\r\n\r\n", "", 400},
		{"a blank before the colon", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length : 1\r\n\r\n", "", 400},
		{"a coding that nobody knows", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "", 501},
		{"many headers", "GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: y\r\n", 20<<10) + "\r\n", "larger than 65536 bytes", 431},
		{"an address as long as headers may be", "GET /" + strings.Repeat("a", 80<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n", "larger than 65536 bytes", 431},
		{"large headers", "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("y", 80<<10) + "\r\n\r\n", "larger than 65536 bytes", 431},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			resp := raw(t, l.Addr().String(), c.request)
			require.Equal(t, c.status, resp.StatusCode)
			if c.message == "" { // net/http names the reason in this answer
				return
			}
			require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
			require.NotEmpty(t, resp.Header.Get("X-Request-Id"))
			var body map[string]string
			require.NoError(t, json.NewDecoder(resp.Body).Decode(&body))
			require.Len(t, body, 2)
			require.Equal(t, "invalid_request", body["error"])
			require.Contains(t, body["message"], c.message)
		})
	}
	resp := raw(t, l.Addr().String(), "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	require.Equal(t, "text/plain; charset=utf-8", resp.Header.Get("Content-Type"), "an answer of a handler stays as it is")
}

// raw sends the text of a request and returns what is answered.
func raw(t *testing.T, address, request string) *http.Response {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	_, err = c.Write([]byte(request))
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}
