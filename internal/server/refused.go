package server

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// plainRefusal ends the head of what net/http answers by itself to a request that it cannot read, such as one whose path
// does not unescape. No handler sees these requests, and the answer of a handler always has further headers.
const plainRefusal = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// alike is a listener whose connections answer such requests like all others: JSON of two texts, and X-Request-Id.
type alike struct{ net.Listener }

// Accept implements net.Listener.
func (l alike) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return alikeConn{c}, nil
}

type alikeConn struct{ net.Conn }

// Write implements net.Conn. net/http writes such an answer at once, so it is recognised by its beginning.
func (c alikeConn) Write(b []byte) (int, error) {
	line, _, found := bytes.Cut(b, []byte(plainRefusal))
	if !found || !bytes.HasPrefix(b, []byte("HTTP/1.1 4")) || bytes.IndexByte(line, '\r') >= 0 {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(refusal(line)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// refusal returns the whole answer for a status line of net/http.
func refusal(line []byte) []byte {
	code, message := "invalid_request", "this is no HTTP request that can be read; in a path write % as %25, a blank as %20"
	if status, _ := strconv.Atoi(string(line[len("HTTP/1.1 "):min(len(line), len("HTTP/1.1 400"))])); status == http.StatusRequestHeaderFieldsTooLarge {
		message = fmt.Sprintf("the headers of the request are larger than %d bytes", maxHeader)
	}
	body := fmt.Sprintf(`{"error":%q,"message":%q}`, code, message)
	return fmt.Appendf(nil, "%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n%s",
		line, len(body), rand.Text(), body)
}
