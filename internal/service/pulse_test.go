package service

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// However often /readyz is asked, the database is asked once a second, and a client that left ends nothing for the others.
func TestAPulseAsksOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, away := 0, errors.New("away")
		p := &pulse{now: time.Now, check: func(ctx context.Context) error {
			asked++
			if asked == 2 {
				return away
			}
			return ctx.Err()
		}}
		left, cancel := context.WithCancel(t.Context())
		cancel()
		for range 1000 {
			require.NoError(t, p.Err(left))
		}
		require.Equal(t, 1, asked)
		<-time.After(time.Second)
		require.ErrorIs(t, p.Err(t.Context()), away)
		require.ErrorIs(t, p.Err(t.Context()), away)
		<-time.After(time.Second)
		require.NoError(t, p.Err(t.Context()))
		require.Equal(t, 3, asked)
	})
}
