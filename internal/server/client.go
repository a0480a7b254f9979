package server

import (
	"context"
	"errors"
)

// StatusClientClosed is the status that the log shows for a request whose client left before its answer was complete. It
// is never sent: nobody is there to read it.
const StatusClientClosed = 499

// ErrStopped is the cause of request contexts that end because the service stops.
var ErrStopped = errors.New("the service stops")

// ClientLeft reports whether the context of a request ended because its client disconnected, which is no error of ours. It
// is false for time-outs of ours and for the end of the service (ErrStopped).
func ClientLeft(ctx context.Context) bool {
	return ctx.Err() != nil && errors.Is(context.Cause(ctx), context.Canceled)
}
