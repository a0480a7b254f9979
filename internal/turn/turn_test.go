package turn_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"rollcall/internal/turn"
)

func TestAnAccountWorksOnceAtATimeAndAProcessAFewTimes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns, begun := turn.New(1, 2), make(chan string, 4)
		take := func(ctx context.Context, account string) (done func()) {
			done, err := turns.Take(ctx, account)
			require.NoError(t, err)
			return done
		}
		first := take(t.Context(), "a")
		for _, account := range []string{"a", "b", "c"} {
			go func() {
				done := take(t.Context(), account)
				begun <- account
				if account != "a" {
					done()
				}
			}()
			synctest.Wait()
		}
		require.Len(t, begun, 2)
		require.ElementsMatch(t, []string{"b", "c"}, []string{<-begun, <-begun}, "a waits for its own")
		left, leave := context.WithCancel(t.Context())
		refused := make(chan error, 1)
		go func() {
			_, err := turns.Take(left, "a")
			refused <- err
		}()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-refused, context.Canceled, "who leaves does not wait")
		first()
		synctest.Wait()
		require.Equal(t, "a", <-begun)
		last := take(t.Context(), "d")
		go func() {
			done := take(t.Context(), "e")
			begun <- "e"
			done()
		}()
		synctest.Wait()
		require.Empty(t, begun, "two places are taken")
		last()
		synctest.Wait()
		require.Equal(t, "e", <-begun)
	})
}

func TestTurnsWithoutPlacesBoundAccountsAlone(t *testing.T) {
	t.Parallel()
	turns := turn.New(2, 0)
	for _, account := range []string{"a", "a", "b", "b", "c"} {
		_, err := turns.Take(t.Context(), account)
		require.NoError(t, err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	_, err := turns.Take(left, "a")
	require.ErrorIs(t, err, context.Canceled)
	done, err := turns.Take(t.Context(), "c")
	require.NoError(t, err)
	done()
}
