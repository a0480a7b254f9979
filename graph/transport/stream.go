package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// pingEvery keeps proxies from closing a stream that waits for events.
const pingEvery = 15 * time.Second

// stream sends the answers of an operation as server-sent events, in the distinct connections mode
// of the GraphQL-over-SSE protocol: events named next, then one named complete (last).
//
// Events of a subscription carry their id. Before the first event stands a lone id line with the
// place where the subscription begins. No client takes it for an event, but each remembers it as
// Last-Event-ID, so nothing is missed when the connection breaks before the first event.
//
// A subscription is lasting: the client has Options.Patience for each of its messages. Anything else ends, and keeps the
// deadline of the server for the whole answer.
func (h *handler) stream(ctx context.Context, w http.ResponseWriter, next graphql.ResponseHandler, at *Places, ended *Ending, lasting bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	to := message{w, http.NewResponseController(w), 0}
	if lasting {
		to.patience = h.options.Patience
	}
	w.Header().Set("Content-Type", eventMedia)
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	begun := ""
	if id := at.begun(); id != "" {
		begun = "id: " + id + "\n\n"
	}
	if to.send(begun) != nil { // so that the client knows at once that it is subscribed
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
			if more = open; open {
				event = "event: next\ndata: " + string(encode(resp.Data, resp.Errors)) + "\n\n"
				if id := at.take(); id != "" {
					event = "id: " + id + "\n" + event
				}
			} else {
				event = h.last(ctx, ended)
			}
		case <-ping.C:
			event = ":\n\n" // a comment, no event
		case <-ctx.Done():
			if ended.why(ctx) == nil {
				return
			}
			event, more = h.last(ctx, ended), false
		}
		if to.send(event) != nil {
			return
		}
	}
}

// last returns the last events of a stream. A subscription that the service ended says why, as an event
// with errors. It completes only if the client would be refused again: clients connect again after a
// stream without complete.
func (h *handler) last(ctx context.Context, ended *Ending) string {
	const complete = "event: complete\ndata:\n\n"
	reason := ended.why(ctx)
	if reason == nil {
		return complete
	}
	event := "event: next\ndata: " + string(encode(nil, gqlerror.List{h.exec.errors.present(ctx, reason)})) + "\n\n"
	if final(reason) {
		event += complete
	}
	return event
}

// message writes messages of a stream, each with a deadline of its own.
type message struct {
	w    http.ResponseWriter
	ctrl *http.ResponseController
	// Time for one message; 0 keeps the deadline of the server.
	patience time.Duration
}

// send writes one message and waits until the connection has taken it.
func (m *message) send(text string) error {
	if m.patience > 0 {
		// An error means that the connection has no deadlines, as in a test.
		_ = m.ctrl.SetWriteDeadline(time.Now().Add(m.patience))
		defer func() { _ = m.ctrl.SetWriteDeadline(time.Time{}) }() // nothing is late while nothing is written
	}
	if _, err := io.WriteString(m.w, text); err != nil {
		return err
	}
	return m.ctrl.Flush()
}

// produce passes answers on until there are no more or nobody takes them. It runs in a goroutine of
// its own, so it recovers: a panic here would end the program.
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
