package notifier

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// entrant is a delivery that wants to be sent.
type entrant struct {
	pass chan *Pass
}

// come lets a delivery wait in the background; inside a synctest bubble.
func come(ctx context.Context, l *Lanes, endpoint string) entrant {
	e := entrant{pass: make(chan *Pass, 1)}
	go func() {
		p, err := l.Enter(ctx, endpoint)
		if err == nil {
			e.pass <- p
		}
		close(e.pass)
	}()
	synctest.Wait()
	return e
}

// inside gives the pass of a delivery that may be sent now.
func (e entrant) inside() *Pass {
	select {
	case p := <-e.pass:
		return p
	default:
		return nil
	}
}

// fail makes an endpoint one that last failed, n times in a row.
func fail(t *testing.T, l *Lanes, endpoint string, n int) {
	t.Helper()
	for range n {
		p, err := l.Enter(t.Context(), endpoint)
		require.NoError(t, err)
		p.Leave(Refused)
	}
}

func TestADeadEndpointDoesNotHoldUpAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := NewLanes(LaneOptions{Total: 8, Endpoint: 4, Floor: 1, Waiting: 100})
		for range 50 {
			come(ctx, l, "hangs")
		}
		require.Equal(t, LaneLoad{Sending: 4, Waiting: 46}, l.Load(), "one endpoint fills its lane only")
		require.NotNil(t, come(ctx, l, "healthy").inside(), "another is let in at once")
		cancel()
		synctest.Wait()
	})
}

func TestFailuresNarrowALaneAndSuccessWidensIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLanes(LaneOptions{Total: 100, Endpoint: 8, Floor: 2, Waiting: 100})
		width := func() int {
			ctx, cancel := context.WithCancel(t.Context())
			var in []*Pass
			for range 10 {
				if p := come(ctx, l, "a").inside(); p != nil {
					in = append(in, p)
				}
			}
			cancel()
			synctest.Wait()
			for _, p := range in {
				p.Leave(Unknown)
			}
			return len(in)
		}
		require.Equal(t, 8, width())
		fail(t, l, "a", 1)
		require.Equal(t, 4, width())
		fail(t, l, "a", 5)
		require.Equal(t, 2, width(), "never under the floor: a dead endpoint is still tried, on time")
		for _, want := range []int{4, 8, 8} {
			p, err := l.Enter(t.Context(), "a")
			require.NoError(t, err)
			p.Leave(Took)
			require.Equal(t, want, width())
		}
		require.Empty(t, l.lanes, "nothing is remembered of endpoints that work")
		fail(t, l, "a", 1)
		require.Equal(t, 1, l.Load().Suspect)
		l.Forget("a")
		require.Empty(t, l.lanes)
	})
}

func TestDeadEndpointsTogetherLeaveHalfOfThePlaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := NewLanes(LaneOptions{Total: 8, Endpoint: 4, Floor: 2})
		for i := range 20 {
			fail(t, l, fmt.Sprint("dead", i), 3)
		}
		for i := range 20 {
			come(ctx, l, fmt.Sprint("dead", i))
		}
		require.Equal(t, 4, l.Load().Sending)
		require.Equal(t, 4, l.Load().Waiting, "more than half of the places' worth do not wait here")
		_, err := l.Enter(ctx, "dead7")
		require.ErrorIs(t, err, ErrCrowded)
		for i := range 4 {
			require.NotNil(t, come(ctx, l, fmt.Sprint("healthy", i)).inside())
		}
		require.Nil(t, come(ctx, l, "healthy4").inside(), "all places are taken")
		cancel()
		synctest.Wait()
	})
}

func TestPlacesGoRoundTheEndpoints(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLanes(LaneOptions{Total: 1, Endpoint: 1, Floor: 1})
		first := come(t.Context(), l, "first").inside()
		var order []string
		var all sync.WaitGroup
		for _, endpoint := range []string{"a", "a", "a", "a", "b", "c", "c"} {
			all.Go(func() {
				p, err := l.Enter(t.Context(), endpoint)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, endpoint) // one at a time: there is one place
				p.Leave(Took)
			})
			synctest.Wait()
		}
		first.Leave(Took)
		all.Wait()
		require.Equal(t, []string{"a", "b", "c", "a", "c", "a", "a"}, order, "a crowd does not go first because it came first")
	})
}

func TestALaneTakesOnlySoManyWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		l := NewLanes(LaneOptions{Total: 10, Endpoint: 1, Waiting: 2})
		in := come(ctx, l, "a").inside()
		come(ctx, l, "a")
		come(ctx, l, "a")
		_, err := l.Enter(t.Context(), "a")
		require.ErrorIs(t, err, ErrCrowded)
		stopping := errors.New("stopping")
		cancel(stopping)
		synctest.Wait()
		_, err = l.Enter(ctx, "a")
		require.ErrorIs(t, err, stopping)
		require.Zero(t, l.Load().Waiting, "who gave up does not wait")
		in.Leave(Took)
		in.Leave(Refused)
		require.Zero(t, l.Load(), "a place is given back once")
		require.Empty(t, l.lanes)
	})
}

// laneStep is one thing that happens to lanes.
type laneStep struct {
	what     int // 0, 1: a delivery comes; 2: the first that is sent ends; 3: the first that waits gives up
	endpoint string
	outcome  Outcome
}

// TestLanesKeepTheirBounds has many deliveries come, fail, succeed and give up in any order: no bound is ever passed, nobody
// waits while there is room, and nothing is left at the end.
func TestLanesKeepTheirBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		o := LaneOptions{
			Total: rapid.IntRange(1, 6).Draw(r, "total"), Endpoint: rapid.IntRange(1, 4).Draw(r, "endpoint"),
			Floor: rapid.IntRange(1, 2).Draw(r, "floor"), Waiting: rapid.IntRange(1, 5).Draw(r, "waiting"),
		}
		steps := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) laneStep {
			return laneStep{
				what: rapid.IntRange(0, 3).Draw(r, "what"), endpoint: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "endpoint"),
				outcome: rapid.SampledFrom([]Outcome{Unknown, Took, Refused}).Draw(r, "outcome"),
			}
		}), 1, 40).Draw(r, "steps")
		trouble := ""
		synctest.Test(t, func(t *testing.T) { trouble = walk(t.Context(), NewLanes(o), steps) })
		require.Empty(r, trouble)
	})
}

// walk takes the steps and gives the first bound that was broken.
func walk(ctx context.Context, l *Lanes, steps []laneStep) (trouble string) {
	var in []*Pass
	var waiting []entrant
	var giveUp []context.CancelFunc
	for _, s := range steps {
		switch {
		case s.what < 2:
			given, cancel := context.WithCancel(ctx)
			waiting, giveUp = append(waiting, come(given, l, s.endpoint)), append(giveUp, cancel)
		case s.what == 2 && len(in) > 0:
			in[0].Leave(s.outcome)
			in = in[1:]
		case s.what == 3 && len(giveUp) > 0:
			giveUp[0]()
			giveUp = giveUp[1:]
		}
		synctest.Wait()
		in = append(in, arrived(waiting)...)
		if trouble == "" {
			trouble = l.broken(len(in))
		}
	}
	for _, cancel := range giveUp {
		cancel()
	}
	synctest.Wait()
	for _, p := range append(in, arrived(waiting)...) {
		p.Leave(Took)
	}
	if load := l.Load(); trouble == "" && load.Sending+load.Waiting > 0 {
		trouble = "something is left at the end"
	}
	for _, at := range l.lanes {
		if trouble == "" && at.class == sound && at.width == l.o.Endpoint {
			trouble = "an endpoint that works is remembered"
		}
	}
	return trouble
}

// arrived gives the passes of those that were let in since the last time.
func arrived(waiting []entrant) (in []*Pass) {
	for _, e := range waiting {
		if p := e.inside(); p != nil {
			in = append(in, p)
		}
	}
	return in
}

// broken names a bound that does not hold while sending attempts are under way.
func (l *Lanes) broken(sending int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	busy := l.busy[sound] + l.busy[suspect]
	switch {
	case busy != sending:
		return fmt.Sprintf("%d are sent and %d counted", sending, busy)
	case busy > l.o.Total:
		return "more than Total"
	case l.busy[suspect] > l.half():
		return "suspects have more than half"
	}
	for name, at := range l.lanes {
		room := at.busy < at.width && busy < l.o.Total && (at.class == sound || l.busy[suspect] < l.half())
		switch {
		case at.busy > l.o.Endpoint:
			return name + " has more than Endpoint"
		case at.waiters.Len() > l.o.Waiting:
			return name + " has more than Waiting"
		case room && at.waiters.Len() > 0:
			return name + " waits while there is room"
		}
	}
	return ""
}
