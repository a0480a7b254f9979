package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/service"
)

// counted is how many requests have a status in the figures, by method and route.
func counted(t *testing.T, figures http.Handler, status string) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	figures.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	out := map[string]string{}
	line := regexp.MustCompile(`(?m)^rollcall_http_request_duration_seconds_count\{method="(\w+)",route="([^"]*)",status="` + status + `"\} (\d+)$`)
	for _, found := range line.FindAllStringSubmatch(w.Body.String(), -1) {
		out[found[1]+" "+found[2]] = found[3]
	}
	return out
}

// logged are the lines of a log in JSON.
func logged(t *testing.T, text string) (lines []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var l map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &l), line)
		lines = append(lines, l)
	}
	return lines
}

// slow is a service whose database holds every statement about bookings and sessions back.
type slow struct {
	*terminal
	root, key string
	log       *cmdtest.Output
	db        *pgx.Conn
}

func newSlow(t *testing.T) (*slow, *reader) {
	t.Helper()
	s := &slow{terminal: newTerminal(t), log: cmdtest.NewOutput()}
	s.terminal.Log = s.log
	root, door := s.Serve("Desk")
	ada := joined(t, root, door)
	s.root = root
	s.key = strings.TrimSpace(keyPattern.FindString(s.OK("key", "create", "--account", s.FirstAccount(), "--label", "slow")))
	var err error
	s.db, err = pgx.Connect(t.Context(), s.URL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.db.Close(context.WithoutCancel(t.Context())) })
	require.Equal(t, http.StatusOK, stranger(t, root).send(http.MethodGet, "/v1/counties", "", "Authorization", "Bearer "+s.key).StatusCode, "the key is known from here on")
	_, err = s.db.Exec(t.Context(), `begin; lock table bookings, sessions in access exclusive mode`)
	require.NoError(t, err)
	return s, ada
}

// awaitStatement returns when a statement waits for the lock.
func (s *slow) awaitStatement() {
	s.T.Helper()
	require.Eventually(s.T, func() bool {
		var waiting int
		// A transaction reads the activity once, unless it is told to forget it.
		if _, err := s.db.Exec(s.T.Context(), `select pg_stat_clear_snapshot()`); err != nil {
			return false
		}
		err := s.db.QueryRow(s.T.Context(), `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).Scan(&waiting)
		return err == nil && waiting > 0
	}, time.Minute, 5*time.Millisecond)
}

// leaves makes a request and disconnects while its statement waits.
func (s *slow) leaves(client *http.Client, method, path, body string, headers ...string) {
	s.T.Helper()
	ctx, leave := context.WithCancel(s.T.Context())
	req, err := http.NewRequestWithContext(ctx, method, s.root+path, strings.NewReader(body))
	require.NoError(s.T, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if resp, err := client.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
	}()
	s.awaitStatement()
	leave()
	<-ended
}

func TestAClientThatLeavesDuringASlowStatementIsNoErrorOfOurs(t *testing.T) {
	t.Parallel()
	const records = `{"query":"{ roster { records { id } } }"}`
	bearer := func(s *slow, more ...string) []string {
		return append([]string{"Authorization", "Bearer " + s.key, "Content-Type", "application/json"}, more...)
	}
	for name, c := range map[string]struct {
		ask   func(s *slow, ada *reader)
		route string
	}{
		"a list of /v1": {func(s *slow, _ *reader) { s.leaves(&http.Client{}, http.MethodGet, "/v1/roster", "", bearer(s)...) }, "GET /v1/roster"},
		"a record of /v1": {func(s *slow, _ *reader) {
			s.leaves(&http.Client{}, http.MethodGet, "/v1/roster/fulton-2026-000001", "", bearer(s)...)
		}, "GET /v1/roster/{id}"},
		"GraphQL": {func(s *slow, _ *reader) { s.leaves(&http.Client{}, http.MethodPost, "/graphql", records, bearer(s)...) }, "POST /graphql"},
		"GraphQL as a stream": {func(s *slow, _ *reader) {
			s.leaves(&http.Client{}, http.MethodPost, "/graphql", records, bearer(s, "Accept", "text/event-stream")...)
		}, "POST /graphql"},
		"a page": {func(s *slow, ada *reader) { s.leaves(ada.client, http.MethodGet, "/settings/you", "") }, "GET /settings/you"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ada := newSlow(t)
			c.ask(s, ada)
			require.Eventually(t, func() bool { return len(counted(t, s.API.Metrics.Handler(), service.ClientClosed)) > 0 }, time.Minute, 5*time.Millisecond)
			require.Equal(t, map[string]string{c.route: "1"}, counted(t, s.API.Metrics.Handler(), service.ClientClosed))
			require.Empty(t, counted(t, s.API.Metrics.Handler(), `5\d\d`))
			s.requireNoError(499)
		})
	}
}

// requireNoError reads the log: one request ended with this status, and nothing is a warning or an error.
func (s *slow) requireNoError(status int) {
	s.T.Helper()
	found := 0
	require.Eventually(s.T, func() bool {
		found = 0
		for _, line := range logged(s.T, s.log.String()) {
			if line["msg"] == "request" && line["status"] == float64(status) {
				found++
			}
		}
		return found > 0
	}, time.Minute, 5*time.Millisecond)
	require.Equal(s.T, 1, found)
	for _, line := range logged(s.T, s.log.String()) {
		require.NotContains(s.T, []any{"WARN", "ERROR"}, line["level"], line)
	}
}

func TestAWebsocketThatEndsDuringASlowStatementIsNoErrorOfOurs(t *testing.T) {
	t.Parallel()
	s, _ := newSlow(t)
	c, _, err := websocket.Dial(t.Context(), s.root+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + s.key}},
	})
	require.NoError(t, err)
	require.NoError(t, wsjson.Write(t.Context(), c, map[string]string{"type": "connection_init"}))
	var ack map[string]any
	require.NoError(t, wsjson.Read(t.Context(), c, &ack))
	require.NoError(t, wsjson.Write(t.Context(), c, map[string]any{"id": "1", "type": "subscribe", "payload": map[string]string{"query": `{ roster { records { id } } }`}}))
	s.awaitStatement()
	require.NoError(t, c.CloseNow())
	s.requireNoError(http.StatusSwitchingProtocols)
	require.Equal(t, map[string]string{"GET /graphql": "1"}, counted(t, s.API.Metrics.Handler(), "101"))
}

func TestASubscriptionEndsWhenItsClientLeaves(t *testing.T) {
	t.Parallel()
	s, _ := newSlow(t)
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.root+"/graphql", strings.NewReader(`{"query":"subscription { alertEvents { id } }"}`))
	require.NoError(t, err)
	req.Header = http.Header{"Authorization": {"Bearer " + s.key}, "Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	resp, err := (&http.Client{}).Do(req)
	require.NoError(t, err)
	_, err = bufio.NewReader(resp.Body).ReadString('\n')
	require.NoError(t, err)
	leave()
	require.NoError(t, resp.Body.Close())
	s.requireNoError(499)
	require.Equal(t, map[string]string{"POST /graphql": "1"}, counted(t, s.API.Metrics.Handler(), service.ClientClosed))
}

func TestTheStatusOfARequestWhoseClientLeaves(t *testing.T) {
	t.Parallel()
	gone := func(r *http.Request) { <-r.Context().Done() }
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		status string
	}{
		"left before an error began": {func(w http.ResponseWriter, r *http.Request) { gone(r); w.WriteHeader(http.StatusInternalServerError) }, service.ClientClosed},
		"left before a whole answer began": {func(w http.ResponseWriter, r *http.Request) {
			gone(r)
			w.Header().Set("Content-Length", "2")
			_, _ = w.Write([]byte("ok"))
		}, service.ClientClosed},
		"left, and nothing was answered": {func(_ http.ResponseWriter, r *http.Request) { gone(r) }, service.ClientClosed},
		"left within the answer":         {func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("half")); gone(r) }, service.ClientClosed},
		"left when all of it was written": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "2")
			_, _ = w.Write([]byte("ok"))
			gone(r)
		}, "200"},
		"stays, and a time-out of ours ended the work": {func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), time.Nanosecond)
			defer cancel()
			gone(r.WithContext(ctx))
			w.WriteHeader(http.StatusServiceUnavailable)
		}, "503"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := service.NewMetrics(nil)
			done := make(chan struct{})
			observed := m.Observe(slog.New(slog.DiscardHandler), func(context.Context) string { return "" })(c.answer)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer close(done)
				observed.ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			ctx, leave := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer leave()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, http.NoBody)
			require.NoError(t, err)
			if resp, err := (&http.Client{}).Do(req); err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
			leave()
			<-done
			requests := prometheus.NewRegistry() // without the figures that need a database
			requests.MustRegister(m.Requests)
			require.Equal(t, map[string]string{"GET none": "1"}, counted(t, promhttp.HandlerFor(requests, promhttp.HandlerOpts{}), c.status))
		})
	}
}
