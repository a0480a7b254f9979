package notifier

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// answerOf is what a willing receiver answers.
const answerOf = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

// breaks is a receiver over TLS that answers until it is armed. Then it takes some bytes of whatever comes, says some of
// the answer, and breaks the connection.
type breaks struct {
	url      string
	requests atomic.Int64 // connections on which a request began since it was armed
	warm     chan struct{}
	release  chan struct{}

	mu    sync.Mutex
	armed *breaking
	idle  map[*tls.Conn]bool
}

// breaking is how a connection ends.
type breaking struct {
	read  int // bytes of the request
	write int // bytes of the answer
	end   func(*tls.Conn)
}

// ways are those to end a connection.
func ways() map[string]func(*tls.Conn) {
	return map[string]func(*tls.Conn){
		"closing": closes, "closing without a farewell of TLS": closesInTCP, "resetting": resets, "closing its half": closesHalf,
	}
}

func closes(c *tls.Conn)      { _ = c.Close() }
func closesHalf(c *tls.Conn)  { _ = c.CloseWrite() }
func closesInTCP(c *tls.Conn) { _ = c.NetConn().Close() }
func resets(c *tls.Conn) {
	if tcp, ok := c.NetConn().(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
		_ = tcp.Close()
	}
}

func (b *bundle) breaks(t *testing.T) *breaks {
	t.Helper()
	r := &breaks{warm: make(chan struct{}), release: make(chan struct{}), idle: map[*tls.Conn]bool{}}
	r.url, _ = b.raw(t, r.serve)
	return r
}

// rests notes whether a connection is idle.
func (r *breaks) rests(c *tls.Conn, idle bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.idle, c)
	if idle {
		r.idle[c] = true
	}
}

// endIdle ends all idle connections.
func (r *breaks) endIdle(end func(*tls.Conn)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.idle {
		end(c)
	}
	clear(r.idle)
}

func (r *breaks) now() *breaking {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.armed
}

func (r *breaks) arm(how *breaking) {
	r.mu.Lock()
	r.armed = how
	r.mu.Unlock()
	r.requests.Store(0)
}

// serve answers requests on one connection until one breaks it.
func (r *breaks) serve(c *rawConn) {
	for {
		_, err := c.buffered.Peek(1)
		r.rests(c.Conn, false)
		if err != nil {
			return
		}
		how := r.now()
		if how != nil {
			r.requests.Add(1)
			r.end(c, how)
			return
		}
		request, err := http.ReadRequest(c.buffered)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, request.Body)
		select {
		case r.warm <- struct{}{}:
		case <-c.stop:
			return
		}
		select {
		case <-r.release:
		case <-c.stop:
			return
		}
		r.rests(c.Conn, true)
		if !c.write(answerOf) {
			return
		}
	}
}

func (r *breaks) end(c *rawConn, how *breaking) {
	_, _ = io.CopyN(io.Discard, c.buffered, int64(how.read))
	if how.write > 0 && !c.write(answerOf[:how.write]) {
		return
	}
	how.end(c.Conn)
	_, _ = io.Copy(io.Discard, c.buffered) // a half that is open takes what comes
}

// fill opens idle connections by as many deliveries at once.
func (r *breaks) fill(t *testing.T, b *bundle, idle int) {
	t.Helper()
	d, done := b.delivery(t, r.url), make(chan Attempt, idle)
	for range idle {
		go func() {
			a, err := b.Send(t.Context(), d)
			if err != nil {
				a.Err = err.Error()
			}
			done <- a
		}()
	}
	for range idle {
		select {
		case <-r.warm:
		case a := <-done:
			require.FailNow(t, "an idle connection was broken", "%+v", a)
		}
	}
	for range idle {
		r.release <- struct{}{}
		a := <-done
		require.True(t, a.Delivered(), "%+v", a)
	}
}

// size is the number of bytes of the request that carries a delivery.
func size(t *testing.T, b *bundle) (n int) {
	t.Helper()
	done := make(chan int, 1)
	url, _ := b.raw(t, func(c *rawConn) {
		counted := &counter{from: c}
		request, err := http.ReadRequest(bufio.NewReaderSize(counted, 16))
		if err == nil {
			_, _ = io.Copy(io.Discard, request.Body)
		}
		c.write(answerOf)
		done <- counted.n
	})
	require.True(t, b.send(t, url).Delivered())
	return <-done
}

type counter struct {
	from io.Reader
	n    int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += n
	return n, err
}

// TestOneAttemptIsOneRequest breaks connections at every byte of the request and of the answer, beside idle connections
// that could carry the request once more. Each attempt must be one request, and delivered if and only if its status came.
func TestOneAttemptIsOneRequest(t *testing.T) {
	t.Parallel()
	for name, end := range ways() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			r, whole := b.breaks(t), size(t, b)
			const head = len(answerOf) - len("ok")
			try := func(read, write int) {
				r.arm(nil)
				r.fill(t, b, 2)
				r.arm(&breaking{read: read, write: write, end: end})
				a, err := b.Send(t.Context(), b.delivery(t, r.url))
				require.NoError(t, err)
				require.EqualValues(t, 1, r.requests.Load(), "%d bytes read, %d written", read, write)
				if write < head || name != "resetting" { // a reset may discard the answer before it is read
					require.Equal(t, write >= head, a.Delivered(), "%d bytes read, %d written: %+v", read, write, a)
				}
			}
			for read := 1; read <= whole; read++ {
				try(read, 0)
			}
			for write := 1; write <= len(answerOf); write++ {
				try(whole, write)
			}
		})
	}
}

// TestIdleConnectionsThatEndAsADeliveryStarts ends all idle connections at the moment at which one of them is used.
func TestIdleConnectionsThatEndAsADeliveryStarts(t *testing.T) {
	t.Parallel()
	for name, end := range ways() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			whole := size(t, b)
			for range 30 {
				r := b.breaks(t)
				r.fill(t, b, 4)
				r.arm(&breaking{read: whole, write: len(answerOf), end: closesHalf})
				var ended sync.WaitGroup
				ended.Go(func() { r.endIdle(end) })
				a, err := b.Send(t.Context(), b.delivery(t, r.url))
				ended.Wait()
				require.NoError(t, err)
				require.LessOrEqual(t, r.requests.Load(), int64(1), "%+v", a)
				if a.Delivered() {
					require.EqualValues(t, 1, r.requests.Load())
				}
			}
		})
	}
}
