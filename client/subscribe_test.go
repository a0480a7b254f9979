package client

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A subscription goes on where it was when its connection breaks, and ends when the service ends it.
func TestASubscriptionResumes(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	var last [5]string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		last[n] = r.Header.Get("Last-Event-ID")
		if n == 3 { // as a proxy answers while the service starts
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		switch n {
		case 1:
			_, _ = fmt.Fprint(w, "id: begin\n\n:\n\nid: e1\nevent: next\ndata: {\"data\":{\"x\":1}}\n\n")
		case 2:
			_, _ = fmt.Fprint(w, "id: e2\nevent: next\ndata: {\"data\":\ndata: {\"x\":2}}\n\nid: e3\nevent: next\ndata: {\"da") // cut off
		case 4:
			_, _ = fmt.Fprint(w, "id: e3\nevent: next\ndata: {\"data\":{\"x\":3}}\n\nevent: complete\ndata:\n\n")
		}
	}))
	defer server.Close()
	var got []string
	for m, err := range New(server.URL+"/v1", "rc_live_x").Subscribe(t.Context(), "subscription { x }", nil, "") {
		require.NoError(t, err)
		var out struct{ X int }
		require.NoError(t, m.Decode(&out))
		got = append(got, fmt.Sprint(m.ID, out.X))
	}
	require.Equal(t, []string{"e11", "e22", "e33"}, got)
	require.Equal(t, [5]string{"", "", "e1", "e2", "e2"}, last)
}

// stopping is what the service sends last when it stops, without complete.
const stopping = "event: next\ndata: {\"data\":null,\"errors\":[{\"message\":\"the service is stopping; connect again\",\"extensions\":{\"code\":\"UNAVAILABLE\"}}]}\n\n"

// An event of which a part was unavailable comes again too, so that nobody sees half of it.
func TestASubscriptionGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	stream := func(text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(text))
		}
	}
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(
			stream("id: e1\nevent: next\ndata: {\"data\":{\"x\":1}}\n\n"+stopping),
			stream("id: e2\nevent: next\ndata: {\"data\":{\"x\":null},\"errors\":[{\"message\":\"too late\",\"extensions\":{\"code\":\"UNAVAILABLE\"}}]}\n\n"),
			stream(stopping),
			stream("id: e2\nevent: next\ndata: {\"data\":{\"x\":2}}\n\nevent: complete\ndata:\n\n"),
		)
		var got []string
		for m, err := range c.Subscribe(t.Context(), "subscription { x }", nil, "") {
			require.NoError(t, err)
			got = append(got, m.ID+string(m.Data))
		}
		require.Equal(t, []string{`e1{"x":1}`, `e2{"x":2}`}, got)
		require.Len(t, s.requests, 4)
		for _, r := range s.requests[1:] {
			require.Equal(t, "e1", r.Header.Get("Last-Event-ID"))
		}
	})
}

func TestASubscriptionTooManyIsRefusedAfterSomeTries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(status(429, "2", `{"errors":[{"message":"too many streams","extensions":{"code":"RATE_LIMITED"}}]}`))
		times := 0
		for _, err := range c.Subscribe(t.Context(), "subscription { x }", nil, "") {
			var said *Error
			require.ErrorAs(t, err, &said)
			require.Equal(t, CodeRateLimited, said.Code)
			times++
		}
		require.Equal(t, 1, times)
		require.Len(t, s.requests, c.Tries)
	})
}

func TestASubscriptionEndsWithAnError(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(http.ResponseWriter){
		"when it is refused": func(w http.ResponseWriter) { status(401, "", `{"error":"unauthorized","message":"no"}`)(w) },
		"of a bad document": func(w http.ResponseWriter) {
			status(400, "", `{"errors":[{"message":"no","extensions":{"code":"UNAUTHORIZED"}}]}`)(w)
		},
		"while it is going on": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprint(w, "event: next\ndata: {\"data\":null,\"errors\":[{\"message\":\"no\",\"extensions\":{\"code\":\"unauthorized\"}}]}\n\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
			defer server.Close()
			times := 0
			for _, err := range New(server.URL+"/v1", "rc_live_x").Subscribe(t.Context(), "subscription { x }", nil, "") {
				var said *Error
				require.ErrorAs(t, err, &said)
				require.Equal(t, CodeUnauthorized, said.Code)
				times++
			}
			require.Equal(t, 1, times)
		})
	}
}
