package server

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAClientLeftOnlyWhenNothingOfOursEndedTheRequest(t *testing.T) {
	t.Parallel()
	base, stop := context.WithCancelCause(t.Context())
	request, leave := context.WithCancel(base)
	require.False(t, ClientLeft(request))

	late, end := context.WithTimeout(request, time.Nanosecond)
	defer end()
	<-late.Done()
	require.False(t, ClientLeft(late), "a time-out of ours")

	other, leaveOther := context.WithCancel(base)
	defer leaveOther()
	leave()
	require.True(t, ClientLeft(request))
	require.False(t, ClientLeft(other), "the client of another request is there")
	work, done := context.WithTimeout(request, time.Hour)
	defer done()
	require.True(t, ClientLeft(work), "the work for a request ends with it")

	stop(ErrStopped)
	require.Error(t, other.Err())
	require.False(t, ClientLeft(other), "the service stops")
	require.True(t, ClientLeft(request), "the client had left before")
}
