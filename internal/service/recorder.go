package service

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strconv"

	"rollcall/internal/server"
)

// recorder remembers the status and size of a response for metrics and the access log. It passes flushing and
// hijacking on, which event streams and websockets need. It serves one request and is not safe for concurrent
// use.
type recorder struct {
	http.ResponseWriter
	request *http.Request
	// late is set when the client had already disconnected as the response began.
	late bool
	// status is 0 until one was sent.
	status int
	// bytes counts the body.
	bytes int64
}

// begin remembers the status that is sent first. Later ones are errors of the handler and never reach the
// client.
func (w *recorder) begin(status int) {
	if w.status == 0 {
		w.status, w.late = status, server.ClientLeft(w.request.Context())
	}
}

// WriteHeader remembers the status and sends it.
func (w *recorder) WriteHeader(status int) {
	w.begin(status)
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes that were written. A body without a status is a 200.
func (w *recorder) Write(b []byte) (int, error) {
	w.begin(http.StatusOK)
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection, for deadlines.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what is buffered. Its error is that of the next write too.
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Hijack hands over the connection for a websocket. The request counts as 101.
func (w *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.status = http.StatusSwitchingProtocols
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// code returns the status for metrics and log: the one that was sent, or 200 when the handler named none. It is
// server.StatusClientClosed when the client left before its response was complete, because that is no failure
// of the service. A response of a known length is complete when all of it was written: its reader may close the
// connection before the handler returns. The stream of a subscription is never complete. ctx is the context of
// the request.
func (w *recorder) code(ctx context.Context) int {
	if w.late || (w.status != http.StatusSwitchingProtocols && server.ClientLeft(ctx) && !w.complete()) {
		return server.StatusClientClosed
	}
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}

// complete reports whether a body of a known length was written whole.
func (w *recorder) complete() bool {
	length, err := strconv.ParseInt(w.Header().Get("Content-Length"), 10, 64)
	return err == nil && w.bytes >= length
}
