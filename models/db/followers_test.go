package db_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"rollcall/models/db"
)

// line is a list of followers whose connections a test speaks for.
type line struct {
	db.Followers[string, int]
	sessions []*db.Session
	open     int // connections
	events   []string
}

// follow joins a follower of something.
func (l *line) follow(ctx context.Context, what string) (<-chan int, func()) {
	note := func(event string) func() { return func() { l.events = append(l.events, event) } }
	return l.Follow(ctx, what, db.Hooks[int]{
		Begin: note("begin"), End: note("end"), Joined: func(ch chan<- int) { ch <- 0 },
		Run: func(ctx context.Context, s *db.Session) {
			l.open++
			l.sessions = append(l.sessions, s)
			<-ctx.Done()
			l.open--
		},
	})
}

func about(what string) func(string) bool { return func(of string) bool { return of == what } }

func TestFollowersShareOneConnectionAndGetTheNewest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{}
		ctx, gone := context.WithCancel(t.Context())
		cats, leaveCats := l.follow(ctx, "cats")
		dogs, leaveDogs := l.follow(t.Context(), "dogs")
		synctest.Wait()
		require.Equal(t, 1, l.open)
		require.Equal(t, []int{0, 0}, []int{<-cats, <-dogs}, "each is told as it joins")

		l.Tell(l.sessions[0], 1, about("cats"))
		l.Tell(l.sessions[0], 2, about("cats"))
		require.Equal(t, 2, <-cats, "only the newest is kept")
		select {
		case n := <-dogs:
			require.Fail(t, "news of something else", n)
		default:
		}

		gone() // the first follower's request ends, the others stay
		leaveCats()
		leaveCats()
		synctest.Wait()
		require.Equal(t, []any{1, []string{"begin"}}, []any{l.open, l.events})
		l.Tell(l.sessions[0], 3, about("dogs"))
		require.Equal(t, 3, <-dogs)
		leaveDogs()
		require.Equal(t, []any{0, []string{"begin", "end"}}, []any{l.open, l.events}, "the last one waits for the end")
	})
}

func TestNewsOfAnEarlierConnectionReachNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{}
		_, leave := l.follow(t.Context(), "cats")
		synctest.Wait()
		leave()
		cats, leave := l.follow(t.Context(), "cats")
		defer leave()
		synctest.Wait()
		require.Len(t, l.sessions, 2)
		require.Equal(t, 0, <-cats)
		l.Tell(l.sessions[0], 1, about("cats"))
		l.Tell(l.sessions[1], 2, about("cats"))
		require.Equal(t, 2, <-cats)
	})
}
