package client

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// script is a service that answers its requests one after the other.
type script struct {
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	steps    []func(w http.ResponseWriter)
}

// RoundTrip implements http.RoundTripper without a network, so that a test may stop the clock.
func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
	step := s.steps[min(len(s.requests), len(s.steps))-1]
	if step == nil {
		return nil, io.ErrUnexpectedEOF
	}
	w := httptest.NewRecorder()
	step(w)
	res := w.Result()
	res.Request = r
	return res, nil
}

// status answers with a status, a Retry-After unless empty, and a body.
func status(code int, after, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("X-Request-Id", "r1")
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}
}

func scripted(steps ...func(http.ResponseWriter)) (*Client, *script) {
	s := &script{steps: steps}
	c := New("https://records.example/v1", "rc_live_x")
	c.HTTP = &http.Client{Transport: s}
	return c, s
}

const limited = `{"error":"rate_limited","message":"wait"}`

func TestRetriesWaitAsLongAsTheServiceSays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(status(429, "17", limited), nil, status(503, "2", `{"error":"unavailable","message":"wait"}`), status(201, "", `{"id":"alrt_1"}`))
		begun := time.Now()
		a, err := c.CreateAlert(t.Context(), NewAlert{Name: "Jane Doe"})
		require.NoError(t, err)
		require.Equal(t, "alrt_1", a.ID)
		require.Equal(t, "r1", a.RequestID)
		took := time.Since(begun)
		require.GreaterOrEqual(t, took, 19*time.Second)
		require.Less(t, took, 21*time.Second, "what broke is tried again within a second")
		require.Len(t, s.requests, 4)
		key := s.requests[0].Header.Get("Idempotency-Key")
		require.NotEmpty(t, key)
		for i, r := range s.requests {
			require.Equal(t, key, r.Header.Get("Idempotency-Key"), "one key for all tries")
			require.JSONEq(t, `{"name":"Jane Doe"}`, s.bodies[i])
			require.Equal(t, "Bearer rc_live_x", r.Header.Get("Authorization"))
		}
	})
}

func TestWhatIsRefusedForGoodIsAskedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step func(http.ResponseWriter)
		want Error
	}{
		"a bad parameter":           {status(400, "", `{"error":"invalid_parameter","message":"no county"}`), Error{Code: CodeInvalidParameter, Message: "no county", Status: 400, RequestID: "r1"}},
		"a long wait":               {status(429, "3600", limited), Error{Code: CodeRateLimited, Message: "wait", Status: 429, RequestID: "r1", RetryAfter: time.Hour}},
		"the page of another proxy": {status(404, "", `<html>`), Error{Code: "http_404", Message: "Not Found", Status: 404, RequestID: "r1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cl, s := scripted(c.step)
			_, err := cl.Booking(t.Context(), "x")
			var said *Error
			require.ErrorAs(t, err, &said)
			require.Equal(t, c.want, *said)
			require.Len(t, s.requests, 1)
		})
	}
}

func TestTriesAndPatienceAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(status(503, "", ""))
		_, err := c.Usage(t.Context())
		require.ErrorContains(t, err, "http_503")
		require.Len(t, s.requests, c.Tries)
		c, s = scripted(nil)
		_, err = c.Usage(t.Context())
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Len(t, s.requests, c.Tries)
		c, s = scripted(status(429, "60", limited))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = c.Usage(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Len(t, s.requests, 1)
	})
}

func TestAChangeWhoseAnswerWasLostIsNotReportedWrongly(t *testing.T) {
	t.Parallel()
	gone, changed := status(404, "", `{"error":"not_found","message":"none"}`), status(412, "", `{"error":"precondition_failed","message":"look"}`)
	for name, c := range map[string]struct {
		first, second func(http.ResponseWriter)
		patch         bool
		// want is a part of the error; empty: none.
		want  string
		tries int
	}{
		"a deletion that happened":                         {nil, gone, false, "", 2},
		"a deletion of which a proxy knew nothing":         {status(502, "", ""), gone, false, "", 2},
		"a deletion that was refused before":               {status(429, "", limited), gone, false, CodeNotFound, 2},
		"a deletion of what was never there":               {gone, nil, false, CodeNotFound, 1},
		"a change that happened":                           {nil, changed, true, "unexpected EOF", 1},
		"a change of which a proxy knew nothing":           {status(502, "", ""), changed, true, "http_502", 1},
		"a change that was refused before":                 {status(429, "", limited), changed, true, CodePreconditionFailed, 2},
		"a change of what somebody else changed before it": {changed, nil, true, CodePreconditionFailed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				cl, s := scripted(c.first, c.second)
				ctx := IfMatch(t.Context(), `"t1"`)
				var err error
				if c.patch {
					_, err = cl.ChangeAlert(ctx, "alrt_1", AlertChange{Note: Set("x")})
				} else {
					err = cl.DeleteAlert(ctx, "alrt_1")
				}
				if c.want == "" {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, c.want)
				}
				require.Len(t, s.requests, c.tries)
			})
		})
	}
}

// Codes of GraphQL are in capitals on the wire, and those of /v1 for whoever compares them.
func TestGraphQLHasTheCodesOfTheConstants(t *testing.T) {
	t.Parallel()
	c, _ := scripted(status(200, "", `{"data":null,"errors":[{"message":"no","extensions":{"code":"NOT_FOUND"}},{"message":"old","extensions":{"code":"CURSOR_EXPIRED"}}]}`))
	_, err := c.Query(t.Context(), "{ x }", nil, nil)
	require.ErrorContains(t, err, CodeNotFound+": no")
	require.ErrorContains(t, err, CodeCursorExpired+": old")
}

func TestAKeyOfOnesOwn(t *testing.T) {
	t.Parallel()
	c, s := scripted(status(200, "", `{"data":{"x":1}}`))
	ctx := Idempotent(t.Context(), "order-7")
	_, err := c.Mutate(ctx, "mutation { x }", nil, nil)
	require.NoError(t, err)
	_, err = c.Query(ctx, "{ x }", nil, nil)
	require.NoError(t, err)
	require.Equal(t, "order-7", s.requests[0].Header.Get("Idempotency-Key"))
	require.Empty(t, s.requests[1].Header.Get("Idempotency-Key"), "a query is no change")
	require.Equal(t, "https://records.example/graphql", s.requests[0].URL.String())
}
