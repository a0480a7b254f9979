package socket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/coder/websocket"
)

// read takes messages until the socket ends, and returns why it did. A *CloseError was sent to the client.
func (s *session) read(ctx context.Context) error {
	late := time.AfterFunc(s.InitWithin, func() {
		s.end(&CloseError{Code: InitTimeout, Reason: "Connection initialisation timeout"})
	})
	defer late.Stop()
	in := ctx // that of operations, from connection_init on
	ready := false
	for {
		m, err := s.next(ctx)
		switch {
		case err != nil:
		case m.Type == "connection_init" && ready:
			err = &CloseError{Code: TooManyInits, Reason: "Too many initialisation requests"}
		case m.Type == "connection_init":
			late.Stop()
			if in, err = s.Operations.Init(ctx, m.Payload); err == nil {
				ready = true
				s.write(ctx, message{Type: "connection_ack"})
			}
		default:
			err = s.take(ctx, in, m, ready)
		}
		if err != nil {
			if end, ok := errors.AsType[*CloseError](err); ok {
				s.end(end)
			}
			return err
		}
	}
}

// next returns the next message. What is no message of the protocol is a *CloseError.
func (s *session) next(ctx context.Context) (m message, err error) {
	kind, text, err := s.conn.Read(ctx)
	if err != nil {
		return m, err
	}
	if kind != websocket.MessageText || json.Unmarshal(text, &m) != nil {
		return m, &CloseError{Code: BadMessage, Reason: "a message must be a JSON object with type, and where it needs them id and payload"}
	}
	if string(m.Payload) == "null" {
		m.Payload = nil
	}
	return m, nil
}

// take handles a message other than connection_init. ctx is that of the socket, in that of operations.
func (s *session) take(ctx, in context.Context, m message, ready bool) error {
	switch m.Type {
	case "subscribe":
		return s.subscribe(ctx, in, m, ready)
	case "complete":
		s.mu.Lock()
		defer s.mu.Unlock()
		if op := s.active[m.ID]; op != nil {
			op.cancel()
			delete(s.active, m.ID)
		}
	case "ping":
		s.write(ctx, message{Type: "pong", Payload: m.Payload})
	case "pong":
	default:
		return &CloseError{Code: BadMessage, Reason: "the type of a message must be one that clients send in " + Protocol}
	}
	return nil
}

// subscribe starts an operation.
func (s *session) subscribe(ctx, in context.Context, m message, ready bool) error {
	switch {
	case !ready:
		return &CloseError{Code: Unauthorized, Reason: "Unauthorized: send connection_init first"}
	case m.ID == "":
		return &CloseError{Code: BadMessage, Reason: "subscribe needs an id"}
	}
	if s.has(m.ID) {
		return &CloseError{Code: DuplicateID, Reason: fmt.Sprintf("Subscriber for %s already exists", m.ID)}
	}
	failed, err := s.Operations.Admit(in)
	if err != nil {
		return err
	}
	if failed != nil {
		s.write(ctx, message{ID: m.ID, Type: "error", Payload: failed})
		return wait(ctx, refusedWait)
	}
	op := &operation{id: m.ID}
	op.ctx, op.cancel = context.WithCancel(in)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active[m.ID] = op
	s.running.Go(func() { s.run(ctx, op, m.Payload) })
	return nil
}

// wait waits for some time, or until ctx ends, which is its error.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// has reports whether an operation of that id runs. Only the reader starts one.
func (s *session) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active[id] != nil
}

// run executes an operation and sends what comes of it. Nothing is sent for an operation that its client
// has completed, and nothing after error.
func (s *session) run(ctx context.Context, op *operation, payload json.RawMessage) {
	defer op.cancel()
	failed, err := s.Operations.Run(op.ctx, payload, func(answer []byte) { //nolint:contextcheck // messages are written in the socket's context
		if s.runs(op) {
			s.write(ctx, message{ID: op.id, Type: "next", Payload: answer})
		}
	})
	s.mu.Lock()
	wanted := s.active[op.id] == op
	if wanted { // before the last message, after which the client may use the id again
		delete(s.active, op.id)
	}
	s.mu.Unlock()
	var end *CloseError
	switch {
	case errors.As(err, &end):
		s.end(end)
	case !wanted:
	case failed != nil:
		s.write(ctx, message{ID: op.id, Type: "error", Payload: failed})
	default:
		s.write(ctx, message{ID: op.id, Type: "complete"})
	}
}

// runs reports whether the client still wants the operation.
func (s *session) runs(op *operation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active[op.id] == op
}
