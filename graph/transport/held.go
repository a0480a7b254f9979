package transport

import (
	"context"
	"net/http"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/models"
)

// messageTime is how long a client may take for one message of a stream. An answer waits in memory for it.
const messageTime = 30 * time.Second

// Streams bounds what a caller holds open. auth.Streams implements it.
type Streams interface {
	// Enter counts a stream of the caller of ctx until leave is called. An error is for the caller.
	Enter(ctx context.Context, kind string) (leave func(), err error)
}

// Kinds of streams, as messages name them. One websocket carries any number of subscriptions, so both are counted.
const (
	subscriptions = "subscriptions"
	websockets    = "websockets"
)

// noBounds lets everybody hold anything.
type noBounds struct{}

// Enter implements Streams.
func (noBounds) Enter(context.Context, string) (func(), error) { return func() {}, nil }

// tooManyStreams answers a request for another stream with 429. When one ends is up to the client.
func (h *handler) tooManyStreams(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Retry-After", "30")
	if h.options.Reject != nil {
		h.options.Reject(w, r, err)
		return
	}
	shown := &gqlerror.Error{Message: err.Error(), Extensions: map[string]any{"code": upper(models.CodeOf(err))}}
	write(w, http.StatusTooManyRequests, jsonMedia, gqlerror.List{shown})
}
