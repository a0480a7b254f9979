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
	for name, answer := range map[string]int{"with a short answer": 2, "with an answer of 60 KiB": 60 << 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			e := b.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
				read(r)
				_, _ = w.Write(make([]byte, answer))
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

func TestIdleConnectionsAreClosedBeforeReceiversDo(t *testing.T) {
	t.Parallel()
	require.Less(t, setup(t).transport.IdleConnTimeout, 5*time.Second, "a common timeout of receivers")
}
