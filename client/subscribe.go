package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"
)

// silence is how long a stream may be silent before it counts as broken. The service sends a sign every 15 seconds.
const silence = 50 * time.Second

// Message is one event of a subscription.
type Message struct {
	// ID is where to resume: pass it to Subscribe after a restart.
	ID string
	// Data is the object under data.
	Data json.RawMessage
}

// Decode decodes the data.
func (m Message) Decode(out any) error {
	if err := json.Unmarshal(m.Data, out); err != nil {
		return fmt.Errorf("decode event: %w", err)
	}
	return nil
}

// Subscribe yields the events of a GraphQL subscription over server-sent events, from the one after an id on; empty: from
// now on. When the connection breaks, or the service restarts, it connects again and resumes, so that no event is missed.
// It ends with ctx, with the loop, when the service ends the subscription, and with an error of the service, such as that
// of a revoked key. A subscription that is refused with CodeRateLimited, as one too many, is tried Client.Tries times.
func (c *Client) Subscribe(ctx context.Context, doc string, vars map[string]any, after string) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		body, err := json.Marshal(operation{doc, vars})
		if err != nil {
			yield(Message{}, fmt.Errorf("encode operation: %w", err))
			return
		}
		s := &stream{c: c, body: body, last: after, yield: yield}
		for failed := 1; ; failed++ {
			before := s.last
			done, err := s.connect(ctx)
			if done {
				return
			}
			if s.last != before {
				failed = 1
			}
			wait := backoff(failed)
			if said := (*Error)(nil); errors.As(err, &said) {
				if !passing(said) || said.RetryAfter > c.Patience || s.limited >= c.Tries {
					yield(Message{}, err)
					return
				}
				wait = max(wait, said.RetryAfter)
			}
			if err := sleep(ctx, wait); err != nil {
				yield(Message{}, err)
				return
			}
		}
	}
}

// stream is a subscription over several connections.
type stream struct {
	c    *Client
	body []byte
	// last is the id of the last event, or where the subscription begins.
	last string
	// limited is how often in a row it was refused with 429.
	limited int
	yield   func(Message, error) bool
}

// passing reports whether a subscription may go on after an error: a refusal that asks for another try, or an event in which
// a service that stops, or cannot check the key, says so.
func passing(e *Error) bool { return again(e.Status) || e.Code == CodeUnavailable }

// connect opens a connection and reads it until it ends. done says that nothing is to follow.
func (s *stream) connect(ctx context.Context) (done bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := s.c.build(ctx, request{method: http.MethodPost, url: s.c.graphQL(), accept: "text/event-stream", body: s.body}, "")
	if err != nil {
		s.yield(Message{}, err)
		return true, err
	}
	if s.last != "" {
		req.Header.Set("Last-Event-ID", s.last)
	}
	watch := time.AfterFunc(silence, cancel)
	defer watch.Stop()
	endless := *s.c.HTTP // a stream has no time-out; its silence has
	endless.Timeout = 0
	res, err := endless.Do(req)
	if err != nil {
		return false, fmt.Errorf("subscribe: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		if res.StatusCode == http.StatusTooManyRequests {
			s.limited++
		}
		return false, refused(res)
	}
	s.limited = 0
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, maxBody)
	var e event
	for lines.Scan() {
		watch.Reset(silence)
		if !e.line(lines.Bytes()) {
			continue
		}
		if done, err := s.handle(e, res); done || err != nil {
			return done, err
		}
		if e.id != "" {
			s.last = e.id
		}
		e = event{}
	}
	return false, lines.Err()
}

// refused reads an answer that is no stream.
func refused(res *http.Response) error {
	got, err := read(res)
	if err != nil {
		return err
	}
	var a graphQLAnswer
	if err := json.Unmarshal(got.body, &a); err == nil && len(a.Errors) > 0 {
		return a.err(got.status, got.header)
	}
	return errorOf(got)
}

// handle passes an event on and reports whether it was the last. An error counts as a broken connection: the event was not
// passed on, and comes again.
func (s *stream) handle(e event, res *http.Response) (done bool, err error) {
	switch e.name {
	case "complete":
		return true, nil
	case "next":
		var a graphQLAnswer
		if err := json.Unmarshal(e.data, &a); err != nil {
			s.yield(Message{}, fmt.Errorf("decode event: %w", err))
			return true, nil
		}
		err := a.err(res.StatusCode, res.Header)
		if said := (*Error)(nil); errors.As(err, &said) && passing(said) {
			return false, err
		}
		return !s.yield(Message{ID: e.id, Data: a.Data}, err) || err != nil, nil
	}
	return false, nil
}

// event is one server-sent event while it is read.
type event struct {
	id, name string
	data     []byte
}

// line takes the next line of a stream and reports whether the event is whole.
func (e *event) line(text []byte) bool {
	if len(text) == 0 {
		return e.id != "" || e.name != "" || len(e.data) > 0
	}
	field, value, _ := bytes.Cut(text, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "id":
		e.id = string(value)
	case "event":
		e.name = string(value)
	case "data":
		if len(e.data) > 0 {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
	}
	return false
}
