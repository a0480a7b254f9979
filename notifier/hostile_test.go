package notifier

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// short is the time an attempt gets in tests of receivers that never answer.
const short = 2 * time.Second

// rawConn is a TLS connection that a test answers by hand.
type rawConn struct {
	*tls.Conn
	buffered *bufio.Reader
	stop     <-chan struct{} // closed when the test ends
}

// request reads one request.
func (c *rawConn) request(t *testing.T) {
	t.Helper()
	r, err := http.ReadRequest(c.buffered)
	if err != nil {
		return // the client gave up
	}
	_, _ = io.Copy(io.Discard, r.Body)
}

func (c *rawConn) write(s string) bool {
	_, err := io.WriteString(c, s)
	return err == nil
}

// drip writes s again and again, a piece each tick, until the other end is gone.
func (c *rawConn) drip(s string) {
	ticks := time.NewTicker(5 * time.Millisecond)
	defer ticks.Stop()
	for c.write(s) {
		select {
		case <-ticks.C:
		case <-c.stop:
			return
		}
	}
}

// raw serves TLS connections with answer, which need not speak HTTP.
func (b *bundle) raw(t *testing.T, answer func(*rawConn)) (url string, connections *atomic.Int64) {
	t.Helper()
	config := &tls.Config{Certificates: []tls.Certificate{b.ca.certificate(t, nil)}, MinVersion: tls.VersionTLS12}
	l, err := tls.Listen("tcp4", "127.0.0.1:0", config)
	require.NoError(t, err)
	connections = &atomic.Int64{}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			go func() {
				defer func() { _ = c.Close() }()
				if secure, ok := c.(*tls.Conn); ok {
					answer(&rawConn{Conn: secure, buffered: bufio.NewReader(secure), stop: stop})
				}
			}()
		}
	}()
	t.Cleanup(func() { close(stop); _ = l.Close(); <-done; b.Close() })
	return "https://" + l.Addr().String() + "/", connections
}

func TestReceiversThatDoNotSpeakHTTP(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(*rawConn)
		class  Class
	}{
		"hanging up":         {func(*rawConn) {}, ClassProtocol},
		"half a status line": {func(c *rawConn) { c.write("HTTP/1.1 20") }, ClassProtocol},
		"another protocol":   {func(c *rawConn) { c.write("220 mail.example.org ESMTP\r\n") }, ClassProtocol},
		"endless headers": {func(c *rawConn) {
			c.write("HTTP/1.1 200 OK\r\n")
			for c.write("X-A: " + strings.Repeat("a", 4096) + "\r\n") {
			}
		}, ClassProtocol},
		"headers of 200 KiB": {func(c *rawConn) {
			c.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A: " + strings.Repeat("a", 200<<10) + "\r\n\r\n")
		}, ClassProtocol},
		"one endless header": {func(c *rawConn) {
			c.write("HTTP/1.1 200 OK\r\nX-A: ")
			for c.write(strings.Repeat("a", 4096)) {
			}
		}, ClassProtocol},
		"endless interim answers": {func(c *rawConn) {
			for c.write("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n") {
			}
		}, ClassProtocol},
		"a status that is no number": {func(c *rawConn) { c.write("HTTP/1.1 abc OK\r\n\r\n") }, ClassProtocol},
		"a switch of protocols": {func(c *rawConn) {
			c.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		}, ClassStatus},
		"a good status and a broken body":    {func(c *rawConn) { c.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok") }, ClassDelivered},
		"a good status and a broken chunk":   {func(c *rawConn) { c.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") }, ClassDelivered},
		"an answer that claims to be zipped": {func(c *rawConn) { c.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok") }, ClassDelivered},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			url, _ := b.raw(t, func(r *rawConn) {
				r.request(t)
				c.answer(r)
			})
			require.Equal(t, c.class, b.send(t, url).Class)
		})
	}
}

func TestReceiversThatTakeForEver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(*rawConn)
		class  Class
	}{
		"no answer":                        {func(c *rawConn) { <-c.stop }, ClassTimeout},
		"a status line that drips":         {func(c *rawConn) { c.write("HTTP/1.1 200 O"); c.drip("K") }, ClassTimeout},
		"headers that drip":                {func(c *rawConn) { c.write("HTTP/1.1 200 OK\r\n"); c.drip("X-A: b\r\n") }, ClassTimeout},
		"a good status, a body that drips": {func(c *rawConn) { c.write("HTTP/1.1 200 OK\r\n\r\n"); c.drip("a") }, ClassDelivered},
		"a bad status, a body that drips":  {func(c *rawConn) { c.write("HTTP/1.1 500 No\r\n\r\n"); c.drip("a") }, ClassStatus},
		"a good status and then silence":   {func(c *rawConn) { c.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"); <-c.stop }, ClassDelivered},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.timeout = short
			url, _ := b.raw(t, func(r *rawConn) {
				r.request(t)
				c.answer(r)
			})
			a := b.send(t, url)
			require.Equal(t, c.class, a.Class, a.Err)
		})
	}
	require.Equal(t, 5*time.Second, setup(t).timeout, "without a test's hand an attempt has 5 seconds")
}

func TestATLSHandshakeThatNeverEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.timeout = short
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	require.Equal(t, ClassTimeout, b.send(t, "https://"+l.Addr().String()).Class)
}

// TestAnswerOf10GB offers ten gigabytes and counts what could be got rid of.
func TestAnswerOf10GB(t *testing.T) {
	t.Parallel()
	b := setup(t)
	written := make(chan int64, 1)
	e := b.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		read(r)
		w.Header().Set("Content-Length", "10737418240")
		piece, sum := []byte(strings.Repeat("z", 32<<10)), int64(0)
		for sum < 10<<30 {
			n, err := w.Write(piece)
			sum += int64(n)
			if err != nil {
				break
			}
		}
		written <- sum
	})
	a := b.send(t, e.URL)
	require.True(t, a.Delivered())
	require.Equal(t, strings.Repeat("z", 1024), a.Answer)
	require.Less(t, <-written, int64(32<<20), "what fits buffers of the network, not more")
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	a := setup(t).send(t, "https://"+l.Addr().String())
	require.Equal(t, ClassConnect, a.Class)
	require.Equal(t, "the connection was refused", a.Err)
}
