package walk

import (
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// cutter is a wire between a browser and the service that can be cut.
type cutter struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]bool
}

func newCutter(t *testing.T, to string) *cutter {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c := &cutter{listener: l, to: to, conns: map[net.Conn]bool{}}
	var working sync.WaitGroup
	working.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			working.Go(func() { c.carry(near) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		c.cut()
		working.Wait()
	})
	return c
}

func (c *cutter) address() string { return c.listener.Addr().String() }

// carry copies both ways until one side ends.
func (c *cutter) carry(near net.Conn) {
	defer func() { _ = near.Close() }()
	far, err := (&net.Dialer{}).Dial("tcp", c.to)
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	c.mu.Lock()
	if c.down {
		c.mu.Unlock()
		return
	}
	c.conns[near] = true
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.conns, near)
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(far, near)
		_ = far.Close()
	}()
	_, _ = io.Copy(near, far)
	_ = near.Close()
	<-done
}

// cut ends every connection, and those that are tried from now on.
func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = true
	for conn := range c.conns {
		_ = conn.Close()
	}
}

// mend lets connections through again.
func (c *cutter) mend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = false
}
