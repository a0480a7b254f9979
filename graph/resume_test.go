package graph_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"
)

// source is a client as browsers have one: it remembers the id of what came last and sends it when it comes again.
type source struct {
	b     *bundle
	query string
	last  string
	lines *bufio.Scanner
	hang  context.CancelFunc
}

// connect opens the stream by GET, the only method of an EventSource, and reads up to the place where it begins.
func (s *source) connect(t *testing.T) {
	t.Helper()
	if s.hang != nil {
		s.hang()
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.b.url+"?query="+url.QueryEscape(s.query), nil)
	require.NoError(t, err)
	r.Header.Set("Accept", events)
	if s.last != "" {
		r.Header.Set("Last-Event-ID", s.last)
	}
	resp, err := s.b.client.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(t, http.StatusOK, resp.StatusCode)
	s.lines, s.hang = bufio.NewScanner(resp.Body), cancel
	kind, _ := s.block(t)
	require.Empty(t, kind, "a place and no event")
}

// block reads lines up to a blank one.
func (s *source) block(t *testing.T) (event, data string) {
	t.Helper()
	for s.lines.Scan() && s.lines.Text() != "" {
		name, value, _ := strings.Cut(s.lines.Text(), ":")
		switch value = strings.TrimPrefix(value, " "); name {
		case "id":
			s.last = value
		case "event":
			event = value
		case "data":
			data = value
		}
	}
	require.NoError(t, s.lines.Err())
	return event, data
}

const bond = `subscription { alertEvents { event } }`

func TestAClientThatComesAgainMissesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	s := &source{b: b, query: bond}
	s.connect(t)
	require.Equal(t, "start", s.last, "a place, although nothing ever happened")
	s.hang()
	b.happens(t, "evt_0")
	s.connect(t)
	for i := range 130 {
		b.happens(t, fmt.Sprintf("evt_%d", i+1))
	}
	for i := range 131 {
		kind, data := s.block(t)
		require.Equal(t, []string{"next", `{"data":{"alertEvents":{"event":"BOND_CHANGE"}}}`}, []string{kind, data})
		require.Equal(t, fmt.Sprintf("evt_%d", i), s.last, "each once and in order, also across lost connections")
		if i%40 == 39 {
			s.connect(t)
		}
	}
}

func TestASubscriptionThatTheServiceEndsBeforeAnythingCameGoesOnFromItsPlace(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_0")
	s := &source{b: b, query: bond}
	s.connect(t)
	require.Equal(t, "evt_0", s.last)
	close(b.closing)
	kind, why := s.block(t)
	require.Equal(t, "next", kind)
	require.Contains(t, why, "the service is stopping; connect again")
	b.happens(t, "evt_1")
	again := setupOn(t, b)
	s.b = again
	s.connect(t)
	kind, _ = s.block(t)
	require.Equal(t, []string{"next", "evt_1"}, []string{kind, s.last})
}

func TestOverAWebsocketACursorIsThePlaceToComeBackTo(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	require.JSONEq(t, `{"eventCursor": "start"}`, b.data(t, `{ eventCursor }`, nil))
	b.happens(t, "evt_0")
	require.JSONEq(t, `{"eventCursor": "evt_0"}`, b.data(t, `{ eventCursor }`, nil))
	body, err := json.Marshal(map[string]any{"query": aboutEvents, "variables": map[string]any{"after": "start"}})
	require.NoError(t, err)
	for range 2 { // the first connection is lost before anything is read
		c := dial(t, b, `{}`)
		_, err = next(t, c)
		require.NoError(t, err)
		require.NoError(t, wsjson.Write(t.Context(), c, message{ID: "1", Type: "subscribe", Payload: body}))
		m, err := next(t, c)
		require.NoError(t, err)
		require.JSONEq(t, whole("evt_0"), string(m.Payload))
		require.NoError(t, c.CloseNow())
	}
}

func TestAClientThatNamesNoEventOfTheAccountIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	a := b.send(t, request{method: http.MethodGet, accept: graphQL, query: "query=" + url.QueryEscape(bond)})
	require.Equal(t, http.StatusMethodNotAllowed, a.status, "a GET follows streams only as a stream")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"?query="+url.QueryEscape(bond), nil)
	require.NoError(t, err)
	r.Header.Set("Accept", events)
	r.Header.Set("Last-Event-ID", "evt_unknown")
	resp, err := b.client.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(resp.Body)
	var said strings.Builder
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
	}
	require.Contains(t, said.String(), `"code":"INVALID_PARAMETER"`)
}

func TestNoticesAreFollowedWithTheSamePlaces(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_0")
	for _, sql := range []string{
		`insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, booked_at, charges, retracts)
 select batch_id, 'retraction', '2026-03-08T06:40:00Z', source_id, rid, record_id, county_id, name, booked_at, charges, id from changes`,
		`insert into events (id, account_id, kind, change_id, watcher_id, rid, hit_id, retracts, at, created_at)
 select 'evt_1', e.account_id, 'retraction', (select max(id) from changes), e.watcher_id, e.rid, e.hit_id, e.id, '2026-03-08T06:40:00Z', '2026-03-08T06:40:00Z' from events e`,
		`insert into changes (batch_id, kind, detected_at, source_id) select max(id), 'source_stale', '2026-03-08T07:00:00Z', 'jail' from change_batches`,
		`insert into events (id, account_id, kind, change_id, at, created_at)
 select 'evt_2', account_id, 'source_stale', (select max(id) from changes), '2026-03-08T07:00:00Z', '2026-03-08T07:00:00Z' from events limit 1`,
	} {
		_, err := b.db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	s := &source{b: b, last: "evt_0", query: `subscription { alertNotices { id event alert { name } recordId retracts source { id } timestamp } }`}
	s.connect(t)
	_, data := s.block(t)
	require.JSONEq(t, `{"data": {"alertNotices": {"id": "evt_1", "event": "RETRACTION", "alert": {"name": "Tess Marlowe"}, "recordId": "fulton-2026-000001", "retracts": "evt_0", "source": null, "timestamp": "2026-03-08T06:40:00Z"}}}`, data)
	s.connect(t)
	_, data = s.block(t)
	require.JSONEq(t, `{"data": {"alertNotices": {"id": "evt_2", "event": "SOURCE_STALE", "alert": null, "recordId": null, "retracts": null, "source": {"id": "jail"}, "timestamp": "2026-03-08T07:00:00Z"}}}`, data)
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set withheld = 'restricted'`)
	require.NoError(t, err)
	s = &source{b: b, last: "evt_0", query: `subscription { alertNotices { id } }`}
	s.connect(t)
	_, data = s.block(t)
	require.JSONEq(t, `{"data": {"alertNotices": {"id": "evt_2"}}}`, data, "nothing of a record that must not be shown")
}
