package service

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strconv"

	"rollcall/internal/server"
)

// recorder remembers the status and size of an answer, and passes flushing and hijacking on (SSE and websockets need them).
type recorder struct {
	http.ResponseWriter
	request *http.Request
	late    bool // the client had disconnected when the answer began
	// 0 until a status was sent.
	status int
	// Of the body.
	bytes int64
}

// begin remembers the status that is sent first.
func (w *recorder) begin(status int) {
	if w.status == 0 {
		w.status, w.late = status, server.ClientLeft(w.request.Context())
	}
}

// WriteHeader remembers the status.
func (w *recorder) WriteHeader(status int) {
	w.begin(status)
	w.ResponseWriter.WriteHeader(status)
}

// Write counts bytes.
func (w *recorder) Write(b []byte) (int, error) {
	w.begin(http.StatusOK)
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush passes on what is buffered.
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Hijack hands over the connection, for websockets.
func (w *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.status = http.StatusSwitchingProtocols
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// code is the status that was sent, 200 when the handler named none. It is server.StatusClientClosed when the client of
// the request, whose context is ctx, left before its answer was complete. An answer of a known length is complete when all
// of it was written: its reader may close the connection before the handler returns. A subscription's stream is never
// complete: it ends when its client leaves.
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
