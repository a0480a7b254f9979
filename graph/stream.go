package graph

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// pingEvery keeps proxies from closing a stream that is waiting.
const pingEvery = 15 * time.Second

// stream sends the answers of an operation as server-sent events, in the distinct connections mode
// of the GraphQL-over-SSE protocol: events named next, then one named complete. A subscription's events carry their
// id, and before the first stands that of the place where it begins: a line that no client takes for an event, but
// remembers as Last-Event-ID.
func (h *handler) stream(ctx context.Context, w http.ResponseWriter, next graphql.ResponseHandler, at *places) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	to := http.NewResponseController(w)
	_ = to.SetWriteDeadline(time.Time{}) // the server's is for answers that end; without one there is none to lift
	w.Header().Set("Content-Type", eventMedia)
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	if id := at.begun(); id != "" {
		_, _ = w.Write([]byte("id: " + id + "\n\n"))
	}
	if to.Flush() != nil { // the client learns at once that it is subscribed
		return
	}

	answers := make(chan *graphql.Response)
	go h.produce(ctx, next, answers)
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for more := true; more; {
		var event string
		select {
		case resp, open := <-answers:
			event, more = "event: complete\ndata:\n\n", open
			if open {
				event = "event: next\ndata: " + string(encode(resp.Data, resp.Errors)) + "\n\n"
				if id := at.take(); id != "" {
					event = "id: " + id + "\n" + event
				}
			}
		case <-ping.C:
			event = ":\n\n" // a comment, no event
		case <-ctx.Done():
			return
		}
		if _, err := w.Write([]byte(event)); err != nil || to.Flush() != nil {
			return
		}
	}
}

// produce hands on answers until there are no more or nobody takes them.
func (h *handler) produce(ctx context.Context, next graphql.ResponseHandler, answers chan<- *graphql.Response) {
	defer close(answers)
	give := func(resp *graphql.Response) bool {
		select {
		case answers <- resp:
			return true
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if v := recover(); v != nil {
			err := h.exec.errors.recovered(ctx, v)
			give(&graphql.Response{Errors: gqlerror.List{h.exec.errors.present(ctx, err)}})
		}
	}()
	for resp := next(ctx); resp != nil; resp = next(ctx) {
		resp.Data = bytes.Clone(resp.Data) // the executor writes the next answer over this one
		if !give(resp) {
			return
		}
	}
}
