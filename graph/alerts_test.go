package graph_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// tess is a booking that a watcher matched.
var tess = testdb.Booking{ID: "fulton-2026-000001", Name: "MARLOWE, TESS", Changed: testdb.Fetched}

// happens commits an event of the account's first watcher, as the matching of an ingest would.
func (b *bundle) happens(t *testing.T, id string) {
	t.Helper()
	for _, sql := range []string{
		`insert into watchers (id, account_id, name, events, created_at) values ('alrt_1', $2, 'Tess Marlowe', '{booking,release,bond_change}', '2026-03-01T10:00:00Z') on conflict do nothing`,
		`insert into hits (id, account_id, watcher_id, rid, probability, reasons, at) select 'hit_1', $2, 'alrt_1', rid, 0.97, '{"surname agrees"}', '2026-03-08T06:35:00Z' from bookings on conflict do nothing`,
		`insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', '2026-03-08T06:35:00Z', 0)`,
		`insert into changes (batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, booked_at, charges)
 select (select max(id) from change_batches), 'bond_change', '2026-03-08T06:35:00Z', 'jail', b.rid, b.id, b.county_id, b.name, b.booked_at, b.charges from bookings b`,
		`insert into events (id, account_id, kind, change_id, watcher_id, rid, hit_id, at, created_at)
 select $1, $2, 'bond_change', (select max(id) from changes), 'alrt_1', h.rid, h.id, '2026-03-08T06:35:00Z', '2026-03-08T06:35:00Z' from hits h`,
	} {
		var args []any
		if strings.Contains(sql, "$2") {
			args = []any{id, b.mine.ID}
			sql = strings.Replace(sql, "$2", "coalesce($2, $1)", 1)
		}
		_, err := b.db.Pool.Exec(t.Context(), sql, args...)
		require.NoError(t, err, sql)
	}
}

func TestAHitSaysWhichScopesADismissalMayHave(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_1")
	scopes := func(name, want string) {
		t.Helper()
		_, err := b.db.Pool.Exec(t.Context(), `update watchers set name = $1`, name)
		require.NoError(t, err)
		require.JSONEq(t, `{"hit": {"scopes": [`+want+`]}}`, b.data(t, `{ hit(id: "hit_1") { scopes } }`, nil), name)
	}
	scopes("Tess Marlowe", `"PERSON"`)
	scopes("Marlowe, Tess", `"PERSON"`)
	scopes("Tessa Marlowe", `"PERSON", "SPELLING"`)
	require.JSONEq(t, `{"previewAlert": {"hits": [{"scopes": []}]}}`, b.data(t, `{ previewAlert(name: "Tess Marlowe") { hits { scopes } } }`, nil), "nothing of a preview is dismissed")
}

const aboutEvents = `subscription($after: ID) { alertEvents(after: $after) { id event timestamp alert { name hitCount } record { id gdcMatch { gdcId } } hit { probability reasons } } }`

// whole is what an event says.
func whole(id string) string {
	return `{"data":{"alertEvents":{"id":"` + id + `","event":"BOND_CHANGE","timestamp":"2026-03-08T06:35:00Z","alert":{"name":"Tess Marlowe","hitCount":1},` +
		`"record":{"id":"fulton-2026-000001","gdcMatch":null},"hit":{"probability":0.97,"reasons":["surname agrees"]}}}}`
}

// follow opens the subscription over server-sent events; the function gives its next event and data.
func (b *bundle) follow(t *testing.T, after any) (next func() (event, data string)) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": aboutEvents, "variables": map[string]any{"after": after}})
	require.NoError(t, err)
	return b.stream(t, string(body))
}

// stream asks for server-sent events; the function gives the next event and its data.
func (b *bundle) stream(t *testing.T, body string) (next func() (event, data string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", onlyJSON)
	r.Header.Set("Accept", events)
	resp, err := b.client.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(t, http.StatusOK, resp.StatusCode)
	lines := bufio.NewScanner(resp.Body)
	return func() (event, data string) {
		t.Helper()
		for lines.Scan() {
			switch line := lines.Text(); {
			case strings.HasPrefix(line, "event: "):
				event = strings.TrimPrefix(line, "event: ")
			case strings.HasPrefix(line, "data:"):
				data = strings.TrimSpace(strings.TrimPrefix(line, "data:"))
			case line == "" && event != "":
				return event, data
			}
		}
		require.NoError(t, lines.Err())
		require.Fail(t, "the stream ended")
		return "", ""
	}
}

func TestASubscriptionResumesAfterAnEventWithoutAGap(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	for i := range 120 { // more than are read at once
		b.happens(t, fmt.Sprintf("evt_%03d", i))
	}
	late, early := b.follow(t, "evt_117"), b.follow(t, "evt_000")
	for i := 1; i < 120; i++ {
		event, data := early()
		require.Equal(t, "next", event)
		require.Equal(t, whole(fmt.Sprintf("evt_%03d", i)), data)
	}
	for i := 118; i < 120; i++ {
		_, data := late()
		require.Equal(t, whole(fmt.Sprintf("evt_%03d", i)), data)
	}
	b.happens(t, "evt_120")
	for _, next := range []func() (string, string){early, late} {
		_, data := next()
		require.Equal(t, whole("evt_120"), data, "what happens now reaches both")
	}
}

func TestASubscriptionOverAWebsocketTellsWhatHappens(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_0")
	c := dial(t, b, `{}`)
	_, err := next(t, c)
	require.NoError(t, err)
	body, err := json.Marshal(map[string]any{"query": aboutEvents, "variables": map[string]any{"after": "evt_0"}})
	require.NoError(t, err)
	require.NoError(t, wsjson.Write(t.Context(), c, message{ID: "1", Type: "subscribe", Payload: body}))
	for _, id := range []string{"evt_1", "evt_2"} {
		b.happens(t, id)
		m, err := next(t, c)
		require.NoError(t, err)
		require.Equal(t, "next", m.Type, string(m.Payload))
		require.JSONEq(t, whole(id), string(m.Payload))
	}
}

func TestASubscriptionEndsWithItsKeyAndWithTheService(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_0")
	b.happens(t, "evt_1")
	revoked, kept := b.follow(t, "evt_0"), b.follow(t, "evt_1")
	_, data := revoked()
	require.Equal(t, whole("evt_1"), data)
	close(b.closing)
	_, data = kept()
	require.Contains(t, data, "the service is stopping")
	_, data = revoked()
	require.Contains(t, data, "the service is stopping")
	b.revoked.Store(true)
	_, data = b.follow(t, "evt_0")()
	require.Contains(t, data, "this key was revoked", "and no event")
}

func TestASubscriptionBeginsAtAnEventOfTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	for _, after := range []string{"evt_unknown", "a\x00b"} {
		_, data := b.follow(t, after)()
		require.Contains(t, data, `"code":"INVALID_PARAMETER"`)
	}
}

func TestTheNewestEventsComeFirstAndAWatcherTellsItsLastHit(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	require.JSONEq(t, `{"alertEvents": []}`, b.data(t, `{ alertEvents { id } }`, nil))
	for _, id := range []string{"evt_1", "evt_2", "evt_3"} {
		b.happens(t, id)
	}
	const about = `id event alert { name hitCount lastHit } record { id } hit { probability }`
	event := func(id string) string {
		return `{"id": "` + id + `", "event": "BOND_CHANGE", "alert": {"name": "Tess Marlowe", "hitCount": 1, "lastHit": "2026-03-08T06:35:00Z"}, "record": {"id": "fulton-2026-000001"}, "hit": {"probability": 0.97}}`
	}
	require.JSONEq(t, `{"alertEvents": [`+event("evt_3")+`, `+event("evt_2")+`]}`, b.data(t, `{ alertEvents(limit: 2) { `+about+` } }`, nil))
	b.data(t, `mutation { createAlert(input: {name: "Orla Moonsail"}) { id } }`, nil)
	require.JSONEq(t, `{"alerts": {"alerts": [{"lastHit": null}, {"lastHit": "2026-03-08T06:35:00Z"}]}}`, b.data(t, `{ alerts { alerts { lastHit } } }`, nil))
	b.mine = b.newAccount(t, "else@example.org", models.Enterprise)
	require.JSONEq(t, `{"alertEvents": []}`, b.data(t, `{ alertEvents { id } }`, nil), "events are the account's own")
}

func TestAnEventKeepsTheBookingAsItWas(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_1")
	_, err := b.db.Pool.Exec(t.Context(), `update changes set bond_cents = 660000, old_bond_cents = 330000`)
	require.NoError(t, err)
	b.happens(t, "evt_2")
	_, err = b.db.Pool.Exec(t.Context(), `update bookings set released_at = '2026-03-09T10:00:00Z', bond_cents = 100`)
	require.NoError(t, err)
	const facts = "facts { name county { slug } releaseDate status charges bondBefore bondAmount }"
	then := func(before, after string) string {
		return `{"facts":{"name":"MARLOWE, TESS","county":{"slug":"fulton"},"releaseDate":null,"status":"BOOKED","charges":[],"bondBefore":` + before + `,"bondAmount":` + after + `}}`
	}
	require.JSONEq(t, `{"alertEvents":[`+then("null", "null")+`,`+then("3300", "6600")+`]}`, b.data(t, "{ alertEvents { "+facts+" } }", nil))
	b.statements.take()
	require.JSONEq(t, `{"alert":{"hits":[{"record":{"status":"RELEASED"},"events":[`+then("3300", "6600")+`,`+then("null", "null")+`]}]}}`,
		b.data(t, `{ alert(id: "alrt_1") { hits { record { status } events { `+facts+` } } } }`, nil))
	require.Len(t, b.statements.take(), 5, "watcher, hits, bookings, events, facts")
	_, err = b.db.Pool.Exec(t.Context(), `update bookings set withheld = 'restricted'`)
	require.NoError(t, err)
	require.JSONEq(t, `{"alertEvents":[],"alert":{"hits":[]}}`, b.data(t, `{ alertEvents { id } alert(id: "alrt_1") { hits { id } } }`, nil))
}

func TestWatchersInGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	created := b.data(t, `mutation { createAlert(input: {name: "Tess Marlowe", county: "fulton", events: [RELEASE, BOND_CHANGE], level: WIDE}) { id county { slug } events level paused hits { id } } }`, nil)
	var v struct{ CreateAlert struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(created), &v))
	id := v.CreateAlert.ID
	require.JSONEq(t, `{"createAlert": {"id": "`+id+`", "county": {"slug": "fulton"}, "events": ["RELEASE", "BOND_CHANGE"], "level": "WIDE", "paused": false, "hits": []}}`, created)
	require.JSONEq(t, `{"updateAlert": {"label": "desk 4", "paused": true, "level": "WIDE"}}`,
		b.data(t, `mutation($id: ID!) { updateAlert(id: $id, input: {label: "desk 4", paused: true, level: null}) { label paused level } }`, map[string]any{"id": id}))
	require.JSONEq(t, `{"alerts": {"total": 1, "alerts": [{"hitCount": 0}]}}`, b.data(t, `{ alerts { total alerts { hitCount } } }`, nil))
	require.JSONEq(t, `{"previewAlert": {"expectedPer30Days": 1, "hits": [{"record": {"id": "fulton-2026-000001"}, "verdict": null}]}}`,
		b.data(t, `{ previewAlert(name: "Marlowe, Tess") { expectedPer30Days hits { record { id } verdict } } }`, nil))
	change := `mutation($id: ID!, $in: UpdateAlertInput!) { updateAlert(id: $id, input: $in) { name county { slug } dob birthYear age ageOn label } }`
	require.JSONEq(t, `{"updateAlert": {"name": "Marlowe", "county": null, "dob": null, "birthYear": 1990, "age": 35, "ageOn": "2026-01-02", "label": "desk 4"}}`,
		b.data(t, change, map[string]any{"id": id, "in": map[string]any{"name": "Marlowe", "county": nil, "birthYear": 1990, "age": 35, "ageOn": "2026-01-02", "label": nil}}))
	require.JSONEq(t, `{"updateAlert": {"name": "Marlowe", "county": null, "dob": null, "birthYear": 1990, "age": null, "ageOn": null, "label": "desk 4"}}`,
		b.data(t, change, map[string]any{"id": id, "in": map[string]any{"age": nil, "name": nil}}))
	refused := b.post(t, change, map[string]any{"id": id, "in": map[string]any{"birthYear": nil}})
	require.Equal(t, "INVALID_PARAMETER", refused.code(t))
	require.Contains(t, refused.body, "add the first name, or a county, dob, birthYear or age")
	require.JSONEq(t, `{"deleteAlert": "`+id+`"}`, b.data(t, `mutation($id: ID!) { deleteAlert(id: $id) }`, map[string]any{"id": id}))
	require.JSONEq(t, `{"alert": null}`, b.data(t, `query($id: ID!) { alert(id: $id) { id } }`, map[string]any{"id": id}))
	require.Equal(t, "NOT_FOUND", b.post(t, `mutation($id: ID!) { deleteAlert(id: $id) }`, map[string]any{"id": id}).code(t))
}

func TestAPreviewSaysHowManyWrongAlertsToExpect(t *testing.T) {
	t.Parallel()
	elder, other := tess, tess
	elder.ID, elder.DOB = "fulton-2026-000002", "1961-07-30"
	other.ID, other.DOB = "fulton-2026-000003", "1990-01-02"
	b := setup(t, nil, elder, other)
	wrong := func(rest string) *float64 {
		t.Helper()
		var v struct {
			PreviewAlert struct{ WrongPerYear *float64 }
		}
		require.NoError(t, json.Unmarshal([]byte(b.data(t, `{ previewAlert(`+rest+`) { wrongPerYear } }`, nil)), &v))
		return v.PreviewAlert.WrongPerYear
	}
	all := wrong(`name: "Tess Marlowe"`)
	require.InDelta(t, 2*365.0/30/400_000*0.2, *all, 1e-6)
	require.Greater(t, *wrong(`name: "Tess Marlowe", level: WIDE`), *all)
	require.Less(t, *wrong(`name: "Tess Marlowe", age: 34`), *all)
	require.Less(t, *wrong(`name: "Tess Marlowe", dob: "1961-07-30"`), *all)
	require.Zero(t, *wrong(`name: "Tess Marlowe", county: "ben-hill"`), "nobody is booked there")
	require.Nil(t, wrong(`name: "Marlowe", county: "fulton"`), "a last name alone fits whoever has it")
}

func TestNamesakesAreNotShownAsThePerson(t *testing.T) {
	t.Parallel()
	elder, younger, unknown := tess, tess, tess
	elder.ID, younger.ID, unknown.ID = "fulton-2026-000002", "fulton-2026-000003", "fulton-2026-000004"
	elder.DOB, younger.DOB = "1961-07-30", "2004-01-09"
	b := setup(t, nil, tess, elder, younger, unknown)
	var v struct {
		PreviewAlert struct {
			People int
			Hits   []struct {
				BornCompared bool
				Reasons      []string
				Record       struct{ ID string }
			}
		}
	}
	ask := func(born string) {
		t.Helper()
		answer := b.data(t, `{ previewAlert(name: "Tess Marlowe"`+born+`) { people hits { bornCompared reasons record { id } } } }`, nil)
		require.NoError(t, json.Unmarshal([]byte(answer), &v))
	}
	const silence = "a namesake is possible"
	ask("")
	require.Equal(t, 3, v.PreviewAlert.People, "four bookings of one name: two births, and two bookings without one")
	require.Len(t, v.PreviewAlert.Hits, 4)
	for _, x := range v.PreviewAlert.Hits {
		require.False(t, x.BornCompared)
		require.Contains(t, strings.Join(x.Reasons, ";"), "the alert has none: "+silence)
	}
	ask(`, birthYear: 1961`)
	require.Equal(t, 2, v.PreviewAlert.People, "whoever was born in another year is not found")
	for _, x := range v.PreviewAlert.Hits {
		require.Equal(t, x.Record.ID == elder.ID, x.BornCompared)
		require.Equal(t, x.Record.ID != elder.ID, strings.Contains(strings.Join(x.Reasons, ";"), "the record has none: "+silence))
	}
}

func TestWebhooksInGraphQL(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	created := b.data(t, `mutation { createWebhook(input: {url: "https://hooks.desk.example/", events: [BOOKING]}) { id payloadVersion notices status } }`, nil)
	var v struct{ CreateWebhook struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(created), &v))
	id := map[string]any{"id": v.CreateWebhook.ID}
	require.Contains(t, created, `"payloadVersion":1,"notices":[],"status":"active"`)
	require.JSONEq(t, `{"testWebhook": {"state": "PENDING", "event": "BOOKING", "test": true, "alert": null, "attempts": [], "webhook": {"url": "https://hooks.desk.example/", "failingSince": null}}}`,
		b.data(t, `mutation($id: ID!) { testWebhook(id: $id) { state event test alert { id } attempts { at } webhook { url failingSince } } }`, id))
	var tested struct {
		Deliveries struct{ Deliveries []struct{ ID string } }
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `{ deliveries { deliveries { id } } }`, nil)), &tested))
	one := map[string]any{"id": tested.Deliveries.Deliveries[0].ID}
	require.JSONEq(t, `{"delivery": {"state": "PENDING", "test": true}}`, b.data(t, `query($id: ID!) { delivery(id: $id) { state test } }`, one))
	require.JSONEq(t, `{"delivery": null}`, b.data(t, `{ delivery(id: "dlv_none") { state } }`, nil))
	require.JSONEq(t, `{"deliveries": {"total": 1, "deliveries": [{"reason": null}], "pageInfo": {"hasNextPage": false}}}`,
		b.data(t, `query($id: ID!) { deliveries(filter: {webhookId: $id, state: PENDING}) { total deliveries { reason } pageInfo { hasNextPage } } }`, id))
	require.JSONEq(t, `{"delivery": null, "hit": null}`, b.data(t, `{ delivery(id: "x") { id } hit(id: "x") { id } }`, nil))
	require.JSONEq(t, `{"replayDeliveries": {"count": 0}}`, b.data(t, `mutation($id: ID!) { replayDeliveries(input: {webhookId: $id, dryRun: true}) { count } }`, id))
	require.Contains(t, b.data(t, `query($id: ID!) { webhook(id: $id) { version } }`, id), `"version":"`)
	stale := b.post(t, `mutation($id: ID!) { updateWebhook(id: $id, input: {events: [RELEASE], ifVersion: "0123456789abcdef"}) { id } }`, id)
	require.Equal(t, "CONFLICT", stale.code(t))
	require.JSONEq(t, `{"deleteWebhook": "`+v.CreateWebhook.ID+`"}`, b.data(t, `mutation($id: ID!) { deleteWebhook(id: $id) }`, id))
	require.JSONEq(t, `{"delivery": {"webhook": {"status": "deleted", "breaker": "OPEN"}}}`, b.data(t, `query($id: ID!) { delivery(id: $id) { webhook { status breaker } } }`, one))
	require.Contains(t, b.post(t, `mutation($id: ID!) { redeliver(deliveryId: $id) { id } }`, one).Errors[0].Message, "endpoint of this delivery was deleted")
	require.JSONEq(t, `{"webhooks": [], "webhook": null}`, b.data(t, `query($id: ID!) { webhooks { id } webhook(id: $id) { id } }`, id))
	for query, field := range map[string]string{
		`mutation { createWebhook(input: {url: "http://hooks.desk.example/", events: [BOOKING]}) { id } }`:            "url",
		`mutation { createWebhook(input: {url: "https://10.0.0.1/", events: [BOOKING]}) { id } }`:                     "url",
		`mutation { createWebhook(input: {url: "https://a.example/", events: []}) { id } }`:                           "events",
		`mutation { createWebhook(input: {url: "https://a.example/", events: [SEALED]}) { id } }`:                     "events",
		`mutation { createWebhook(input: {url: "https://a.example/", events: [BOOKING], payloadVersion: 3}) { id } }`: "payloadVersion",
		`mutation { createAlert(input: {name: "J"}) { id } }`:                                                         "name",
		`mutation { createAlert(input: {name: "Tess Marlowe", events: [SOURCE_STALE]}) { id } }`:                      "events",
		`{ previewAlert(name: "Tess Marlowe", days: 31) { expectedPer30Days } }`:                                      "days",
		`{ deliveries(filter: {from: "2026-03-08T00:00:00Z", to: "2026-03-07T00:00:00Z"}) { total } }`:                "from",
	} {
		a := b.post(t, query, nil)
		require.Equal(t, "INVALID_PARAMETER", a.code(t), query)
		require.Equal(t, field, a.Errors[0].Extensions["field"], query)
		require.NotContains(t, a.Errors[0].Message, "bondChange")
	}
}

func TestAlertsNeedTheEnterprisePlan(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.mine = b.newAccount(t, "free@example.org", models.Free)
	for _, query := range []string{
		`{ alerts { total } }`, `{ alert(id: "x") { id } }`, `{ previewAlert(name: "Tess Marlowe") { expectedPer30Days } }`, `{ webhooks { id } }`, `{ webhook(id: "x") { id } }`,
		`{ delivery(id: "x") { id } }`, `{ hit(id: "x") { id } }`, `{ hits { hits { id } } }`, `mutation { markHit(hitId: "x", read: true) { id } }`, `mutation { assignHit(hitId: "x") { id } }`, `{ deliveries { total } }`, `{ alertEvents { id } }`, `mutation { createAlert(input: {name: "Tess Marlowe"}) { id } }`, `mutation { deleteAlert(id: "x") }`, `mutation { enableWebhook(id: "x") { id } }`,
		`mutation { redeliver(deliveryId: "x") { id } }`, `mutation { giveFeedback(hitId: "x", verdict: CONFIRM) { id } }`,
	} {
		require.Equal(t, "FORBIDDEN", b.post(t, query, nil).code(t), query)
	}
}
