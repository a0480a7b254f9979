package notifier

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		http2  bool
		answer int // bytes
	}{
		"over HTTP/1.1":                            {false, 2},
		"over HTTP/1.1 with an answer of 60 KiB":   {false, 60 << 10},
		"over HTTP/2":                              {true, 2},
		"over HTTP/2 with an answer of a megabyte": {true, 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			e := b.serve(t, c.http2, func(w http.ResponseWriter, r *http.Request) {
				read(r)
				_, _ = w.Write(make([]byte, c.answer))
			})
			for range 50 {
				require.True(t, b.send(t, e.URL).Delivered())
			}
			require.EqualValues(t, 1, e.connections.Load())
		})
	}
}

func TestDeliveriesAtOnceShareConnections(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *ClientOptions) { o.PerHost = 4 })
	e := b.serve(t, false, func(_ http.ResponseWriter, r *http.Request) { read(r) })
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			a, err := b.Send(t.Context(), b.delivery(t, e.URL))
			if err != nil || !a.Delivered() {
				t.Errorf("%v %v", a, err)
			}
		})
	}
	all.Wait()
	require.LessOrEqual(t, e.connections.Load(), int64(20), "no more than the host's places, save for some that were dialled in vain")
	require.Empty(t, b.hosts.open, "a host without attempts is forgotten")
}

func TestAttemptsToOneHostWaitForAPlaceBeforeTheirClockStarts(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *ClientOptions) { o.PerHost = 1 })
	started, release := make(chan struct{}), make(chan struct{})
	e := b.serve(t, false, func(_ http.ResponseWriter, r *http.Request) {
		read(r)
		started <- struct{}{}
		<-release
	})
	done := make(chan Attempt, 2)
	d := b.delivery(t, e.URL)
	for range 2 {
		go func() {
			a, err := b.Send(t.Context(), d)
			if err != nil {
				a.Err = err.Error()
			}
			done <- a
		}()
	}
	<-started
	given, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("stopping"))
	_, err := b.Send(given, d)
	require.ErrorContains(t, err, "stopping", "who waits can be called off")
	freed := time.Now()
	release <- struct{}{}
	require.Empty(t, (<-done).Err)
	<-started
	release <- struct{}{}
	second := <-done
	require.Empty(t, second.Err)
	require.False(t, second.At.Before(freed), "the second began when the first was over")
}

func TestAKeptConnectionThatWasClosedIsNoFailure(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// Answers one request on each connection, promises to keep it, and hangs up when it is used again.
	url, connections := b.raw(t, func(c *rawConn) {
		c.request(t)
		c.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		c.firstByte()
	})
	for range 5 {
		require.Equal(t, ClassDelivered, b.send(t, url).Class)
	}
	require.EqualValues(t, 5, connections.Load())
}
