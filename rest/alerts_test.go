package rest_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// idOf is the member id of an answer's object.
func (r reply) idOf(tb testing.TB) string {
	tb.Helper()
	var v struct{ ID string }
	decode(tb, r.body, &v)
	require.NotEmpty(tb, v.ID, r.body)
	return v.ID
}

func TestAWatcherOfTheContractHasExactlyTheListedFields(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for body, want := range map[string]string{
		`{"name": "Jane Doe"}`: `{"name":"Jane Doe","county":null,"events":["booking","release","bond_change"],"created_at":"2026-03-10T15:00:00Z"}`,
		`{"name": " Núñez-O'Brien, J. ", "county": "ben-hill", "events": ["RELEASE", "booking", "release"]}`:              `{"name":"Núñez-O'Brien, J.","county":"ben-hill","events":["booking","release"],"created_at":"2026-03-10T15:00:00Z"}`,
		`{"name": "Jane Doe", "county": null, "events": null, "level": null, "label": null, "note": "", "paused": false}`: `{"name":"Jane Doe","county":null,"events":["booking","release","bond_change"],"created_at":"2026-03-10T15:00:00Z"}`,
		`{"name": "Jane Doe", "dob": "1990-05-17", "level": "Wide", "label": "desk 4", "note": "ask", "paused": true}`:    `{"name":"Jane Doe","county":null,"events":["booking","release","bond_change"],"created_at":"2026-03-10T15:00:00Z","dob":"1990-05-17","level":"wide","label":"desk 4","note":"ask","paused":true}`,
		`{"name": "Doe", "age": 34}`: `{"name":"Doe","county":null,"events":["booking","release","bond_change"],"created_at":"2026-03-10T15:00:00Z","age":34,"age_on":"2026-03-10"}`,
	} {
		r := b.send(t, http.MethodPost, "/alerts", body)
		require.Equal(t, http.StatusCreated, r.status, r.body)
		require.JSONEq(t, want, strings.Replace(r.body, `"id":"`+r.idOf(t)+`",`, "", 1), body)
		require.Equal(t, r.body, b.get(t, "/alerts/"+r.idOf(t)).body)
		require.Equal(t, baseURL+"/alerts/"+r.idOf(t), r.head.Get("Location"))
	}
}

func TestBodiesThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	for name, c := range map[string]struct{ path, body, says string }{
		"no JSON":                         {"/alerts", `{"name": `, "not JSON"},
		"nothing":                         {"/alerts", ``, "not JSON"},
		"no object":                       {"/alerts", `["Jane Doe"]`, "object"},
		"more than one value":             {"/alerts", `{"name": "Jane Doe"} {}`, "not JSON"},
		"no UTF-8":                        {"/alerts", "{\"name\": \"Jane \xff\"}", "UTF-8"},
		"a member that is not known":      {"/alerts", `{"name": "Jane Doe", "colour": 1}`, "colour"},
		"a member in another letter case": {"/alerts", `{"Name": "Jane Doe"}`, "name is missing"},
		"a member twice":                  {"/alerts", `{"name": "Jane Doe", "name": "John Doe"}`, "more than once"},
		"no name":                         {"/alerts", `{}`, "name is missing"},
		"a name of null":                  {"/alerts", `{"name": null}`, "name is missing"},
		"a name that is a number":         {"/alerts", `{"name": 7}`, "name must be a string"},
		"a name of one letter":            {"/alerts", `{"name": "J"}`, "2 to 200"},
		"a name of 201 letters":           {"/alerts", `{"name": "` + strings.Repeat("é", 201) + `"}`, "2 to 200"},
		"a name of emoji":                 {"/alerts", `{"name": "` + strings.Repeat("🙂", 200) + `"}`, "letter"},
		"a name of blanks":                {"/alerts", `{"name": "      "}`, "2 to 200"},
		"a name with NUL":                 {"/alerts", `{"name": "Jane\u0000Doe"}`, "NUL"},
		"no events":                       {"/alerts", `{"name": "Jane Doe", "events": []}`, "at least one"},
		"an event that does not exist":    {"/alerts", `{"name": "Jane Doe", "events": ["bookings"]}`, "booking, release, bond_change"},
		"events that are no array":        {"/alerts", `{"name": "Jane Doe", "events": "booking"}`, "array"},
		"an event of null":                {"/alerts", `{"name": "Jane Doe", "events": [null]}`, "array"},
		"an empty county":                 {"/alerts", `{"name": "Jane Doe", "county": ""}`, "county"},
		"a county that does not exist":    {"/alerts", `{"name": "Jane Doe", "county": "fultn"}`, "county"},
		"a day that does not exist":       {"/alerts", `{"name": "Jane Doe", "dob": "1990-02-30"}`, "existing day"},
		"a year that is text":             {"/alerts", `{"name": "Jane Doe", "birth_year": "1990"}`, "whole number"},
		"half a year":                     {"/alerts", `{"name": "Jane Doe", "birth_year": 1990.5}`, "whole number"},
		"a year beyond all numbers":       {"/alerts", `{"name": "Jane Doe", "birth_year": 1e999}`, "whole number"},
		"a level that does not exist":     {"/alerts", `{"name": "Jane Doe", "level": "loose"}`, "strict, normal, wide"},
		"a pause that is no truth":        {"/alerts", `{"name": "Jane Doe", "paused": "yes"}`, "true or false"},
		"an age of none":                  {"/alerts", `{"name": "Jane Doe", "age": 0}`, "1 to 120"},
		"an age of nobody":                {"/alerts", `{"name": "Jane Doe", "age": 200}`, "1 to 120"},
		"an age of another birth date":    {"/alerts", `{"name": "Jane Doe", "age": 30, "dob": "1990-05-17"}`, "age must be that of dob on age_on"},
		"a day without an age":            {"/alerts", `{"name": "Jane Doe", "age_on": "2026-01-02"}`, "needs an age"},
		"a birth in the future":           {"/alerts", `{"name": "Jane Doe", "dob": "2031-05-17"}`, "1900 to today"},
		"a last name alone":               {"/alerts", `{"name": "Washington"}`, "add the first name, or a county, dob, birth_year or age"},
		"a last name alone to try":        {"/alerts/preview", `{"name": "Washington"}`, "add the first name, or a county, dob, birth_year or age"},
		"particles alone":                 {"/alerts", `{"name": "de la", "county": "fulton"}`, "only the start of a last name"},
		"everybody":                       {"/alerts", `{"name": "% *"}`, "letter"},
		"a preview of a year":             {"/alerts/preview", `{"name": "Jane Doe", "days": 365}`, "between 1 and 30"},
		"no verdict":                      {"/hits/hit_1/feedback", `{}`, "verdict is missing"},
		"a verdict that does not exist":   {"/hits/hit_1/feedback", `{"verdict": "yes"}`, "confirm, dismiss, unsure"},
		"no address":                      {"/webhooks", `{"events": ["booking"]}`, "url is missing"},
		"no events of a webhook":          {"/webhooks", `{"url": "https://hooks.desk.example/"}`, "events is missing"},
		"a version that does not exist":   {"/webhooks", `{"url": "https://hooks.desk.example/", "events": ["booking"], "payload_version": 3}`, "1 or 2"},
		"a notice that does not exist":    {"/webhooks", `{"url": "https://hooks.desk.example/", "events": ["booking"], "notices": ["all"]}`, "retraction"},
		"a secret of one's own":           {"/webhooks", `{"url": "https://hooks.desk.example/", "events": ["booking"], "secret": "x"}`, "not known"},
		"a replay of no states":           {"/webhooks/wh_1/replay", `{"states": []}`, "at least one"},
		"a replay of time backwards":      {"/webhooks/wh_1/replay", `{"from": "2026-03-08T00:00:00Z", "to": "2026-03-07T00:00:00Z"}`, "after"},
		"a time without a zone":           {"/webhooks/wh_1/replay", `{"from": "2026-03-08T00:00:00"}`, "time like"},
		"a test with members":             {"/webhooks/wh_1/test", `{"event": "booking"}`, "takes no members"},
	} {
		t.Run(name, func(t *testing.T) {
			message := b.send(t, http.MethodPost, c.path, c.body).message(t, http.StatusBadRequest, models.CodeInvalidRequest)
			require.Contains(t, message, c.says)
		})
	}
	for name, headers := range map[string][]string{
		"a form":          {"Content-Type", "application/x-www-form-urlencoded"},
		"another charset": {"Content-Type", "application/json; charset=latin1"},
		"no type at all":  {},
		"two types":       {"Content-Type", "application/json", "Content-Type", "text/plain"},
	} {
		r := b.request(t, http.MethodPost, "/alerts", `{"name": "Jane Doe"}`, headers...)
		require.NotEmpty(t, r.message(t, http.StatusUnsupportedMediaType, models.CodeUnsupportedMedia), name)
	}
	require.Equal(t, 2, b.get(t, "/alerts").total(t), "none of them was stored")
	for body, field := range map[string]string{
		`{"name": "Jane Doe", "birth_year": "x"}`: "birth_year", `{"name": "Washington"}`: "name", `{"name": "Jane Doe", "county": "fultn"}`: "county",
		`{"name": "Jane Doe", "colour": 1}`: "colour", `{"name": "Jane Doe", "so\r\nSet-Cookie: x": 1}`: "", `{"name": `: "",
	} {
		r := b.send(t, http.MethodPost, "/alerts", body)
		require.NotEmpty(t, r.message(t, http.StatusBadRequest, models.CodeInvalidRequest))
		require.Equal(t, field, r.head.Get("X-Error-Field"), body)
	}
}

func TestAddressesOfWebhooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	register := func(address string) reply {
		return b.send(t, http.MethodPost, "/webhooks", `{"url": "`+address+`", "events": ["booking"]}`)
	}
	for _, address := range []string{
		"http://hooks.desk.example/", "https://user:pass@hooks.desk.example/", "https://hooks.desk.example/#x", "https://", "ftp://hooks.desk.example/",
		"https://127.0.0.1/", "https://127.1/", "https://0x7f.1/", "https://2130706433/", "https://017700000001/", "https://10.0.0.1/", "https://169.254.169.254/",
		"https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://[64:ff9b::a00:1]/", "https://[fe80::1%25eth0]/", "https://localhost/", "https://inside.test/", "https://hooks.desk.example:0/",
	} {
		require.NotEmpty(t, register(address).message(t, http.StatusBadRequest, models.CodeInvalidRequest), address)
	}
	r := register("https://hooks.desk.example:8443/a?b=c")
	require.Equal(t, http.StatusCreated, r.status, "a name that does not resolve yet is accepted")
	require.Equal(t, baseURL+"/webhooks/"+r.idOf(t), r.head.Get("Location"))
	require.JSONEq(t, `{"id":"`+r.idOf(t)+`","url":"https://hooks.desk.example:8443/a?b=c","events":["booking"],"status":"active","created_at":"2026-03-10T15:00:00Z"}`, r.body)
	require.NotContains(t, r.body+b.get(t, "/webhooks").body, "whsec")
	b.send(t, http.MethodPatch, "/webhooks/"+r.idOf(t), `{"url": "https://10.0.0.1/"}`).message(t, http.StatusBadRequest, models.CodeInvalidRequest)
}

func TestWatchersAndWebhooksAreChangedAndDeletedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	require.JSONEq(t, `{"id":"alrt_2","name":"O'Brien-Núñez, John","county":"fulton","events":["booking","release","bond_change"],"created_at":"2026-03-02T10:00:00Z","dob":"1984-02-29","birth_year":1984,"label":"x"}`,
		b.send(t, http.MethodPatch, "/alerts/alrt_2", `{"events": null, "level": null, "note": null, "paused": null, "label": "x"}`).body)
	for _, body := range []string{`{"name": null}`, `{"county": null, "birth_year": 1990}`, `{"age": 7}`, `{"colour": "red"}`} {
		b.send(t, http.MethodPatch, "/alerts/alrt_2", body).message(t, http.StatusBadRequest, models.CodeInvalidRequest)
	}
	require.JSONEq(t, `{"id":"alrt_2","name":"Doe","county":null,"events":["booking","release","bond_change"],"created_at":"2026-03-02T10:00:00Z","age":41,"age_on":"2026-01-02","label":"x"}`,
		b.send(t, http.MethodPatch, "/alerts/alrt_2", `{"name": "Doe", "county": null, "dob": null, "birth_year": null, "age": 41, "age_on": "2026-01-02"}`).body)
	b.send(t, http.MethodPatch, "/alerts/alrt_2", `{"age": null}`).message(t, http.StatusBadRequest, models.CodeInvalidRequest)
	require.JSONEq(t, `{"id":"wh_2","url":"https://hooks.desk.example:8443/v2?desk=4","events":["release"],"status":"active","created_at":"2026-03-02T10:05:00Z"}`,
		b.send(t, http.MethodPatch, "/webhooks/wh_2", `{"payload_version": null, "notices": null}`).body)
	require.JSONEq(t, `{"id":"wh_3","url":"https://old.desk.example/","events":["booking"],"status":"active","created_at":"2026-03-03T10:05:00Z","paused":true}`,
		b.send(t, http.MethodPost, "/webhooks/wh_3/enable", ``).body)
	b.do(t, http.MethodPost, "/webhooks/wh_3/test").message(t, http.StatusConflict, models.CodeConflict)
	for _, path := range []string{"/alerts/alrt_1", "/webhooks/wh_1"} {
		r := b.do(t, http.MethodDelete, path)
		require.Equal(t, http.StatusNoContent, r.status)
		require.Empty(t, r.body)
		b.do(t, http.MethodDelete, path).message(t, http.StatusNotFound, models.CodeNotFound)
		b.get(t, path).message(t, http.StatusNotFound, models.CodeNotFound)
		b.send(t, http.MethodPatch, path, `{"nonsense": 1}`).message(t, http.StatusNotFound, models.CodeNotFound)
	}
	require.Equal(t, 1, b.get(t, "/alerts").total(t))
	require.Equal(t, 2, b.get(t, "/webhooks").total(t))
}

func TestWhatIsAnotherAccountsIsNotThere(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	stranger := []string{"X-Stranger", b.newAccount(t, "other@example.org").ID}
	for _, list := range []string{"/alerts", "/webhooks"} {
		require.Zero(t, b.get(t, list, stranger...).total(t))
	}
	for _, ask := range []struct{ method, path, body string }{
		{http.MethodGet, "/alerts/alrt_1", ""},
		{http.MethodPatch, "/alerts/alrt_1", `{}`},
		{http.MethodDelete, "/alerts/alrt_1", ""},
		{http.MethodGet, "/alerts/alrt_1/hits", ""},
		{http.MethodPost, "/hits/hit_1/feedback", `{"verdict": "confirm"}`},
		{http.MethodGet, "/webhooks/wh_1", ""},
		{http.MethodPatch, "/webhooks/wh_1", `{}`},
		{http.MethodDelete, "/webhooks/wh_1", ""},
		{http.MethodPost, "/webhooks/wh_1/test", `{}`},
		{http.MethodPost, "/webhooks/wh_1/enable", `{}`},
		{http.MethodGet, "/webhooks/wh_1/deliveries", ""},
		{http.MethodPost, "/webhooks/wh_1/replay", `{"dry_run": true}`},
		{http.MethodPost, "/deliveries/dlv_3/redeliver", `{}`},
	} {
		b.send(t, ask.method, ask.path, ask.body, stranger...).message(t, http.StatusNotFound, models.CodeNotFound)
		nul := strings.Replace(strings.Replace(ask.path, "_1", "%00", 1), "_3", "%00", 1)
		require.Less(t, b.send(t, ask.method, nul, ask.body).status, 500, ask.path)
	}
	require.Equal(t, http.StatusOK, b.get(t, "/alerts/alrt_1").status)
}

func TestWhatIsNotThereIsSaidBeforeWhatIsWrongWithTheBody(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	for path, there := range map[string]string{
		"/hits/x/feedback": "/hits/hit_1/feedback", "/deliveries/x/redeliver": "/deliveries/dlv_3/redeliver",
		"/webhooks/x/test": "/webhooks/wh_1/test", "/webhooks/x/enable": "/webhooks/wh_1/enable", "/webhooks/x/replay": "/webhooks/wh_1/replay",
	} {
		for _, body := range []string{`{"nonsense": 1}`, `{"verdict": "perhaps", "dry_run": "x"}`, `[]`, `{`, `{"a": 1, "a": 2}`} {
			b.send(t, http.MethodPost, path, body).message(t, http.StatusNotFound, models.CodeNotFound)
			b.send(t, http.MethodPost, there, body).message(t, http.StatusBadRequest, models.CodeInvalidRequest)
		}
	}
	b.send(t, http.MethodPost, "/hits/x/feedback", "").message(t, http.StatusNotFound, models.CodeNotFound)
}

func TestOfASealedRecordNoAnswerTellsAnything(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	const name = "SEALED, WREN"
	_, err := b.db.Pool.Exec(t.Context(), `update deliveries set body = '{"record":{"id":"ben-hill-2026-000123","name":"`+name+`"}}' where event_id is not null`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `update attempts set answer = 'got `+name+`' where delivery_id <> 'dlv_2'`)
	require.NoError(t, err)
	list := func() string {
		return b.get(t, "/webhooks/wh_1/deliveries").body + b.get(t, "/webhooks/wh_2/deliveries").body
	}
	require.Equal(t, 4, strings.Count(list(), name))
	_, err = b.db.Pool.Exec(t.Context(), `update bookings set withheld = 'restricted' where id = 'ben-hill-2026-000123'`)
	require.NoError(t, err)
	require.NotContains(t, list(), name)
	require.Equal(t, 2, strings.Count(list(), `"payload":""`), "only those that speak of it")
	b.send(t, http.MethodPost, "/deliveries/dlv_3/redeliver", `{}`).message(t, http.StatusConflict, models.CodeConflict)
	b.send(t, http.MethodPost, "/hits/hit_1/feedback", `{"verdict": "dismiss"}`).message(t, http.StatusNotFound, models.CodeNotFound)
	var verdicts int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(feedback) from hits where id = 'hit_1'`).Scan(&verdicts))
	require.Zero(t, verdicts, "and nothing happened")
	require.JSONEq(t, `{"count": 0}`, b.send(t, http.MethodPost, "/webhooks/wh_2/replay", `{"dry_run": true}`).body)
}

func TestWrongMethodsOfAlertsNameTheRightOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for path, allow := range map[string]string{
		"/alerts": "GET, HEAD, POST", "/alerts/x": "GET, HEAD, PATCH, DELETE", "/alerts/x/hits": "GET, HEAD", "/hits/x/feedback": "POST",
		"/webhooks/": "GET, HEAD, POST", "/webhooks/x": "GET, HEAD, PATCH, DELETE", "/webhooks/x/test": "POST", "/deliveries/x/redeliver": "POST",
	} {
		r := b.do(t, http.MethodPut, path)
		r.message(t, http.StatusMethodNotAllowed, models.CodeMethodNotAllowed)
		require.Equal(t, allow, r.head.Get("Allow"), path)
	}
}

func TestListsOfDeliveriesAreNarrowed(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	b.addAlerts(t)
	for query, want := range map[string]int{
		"": 2, "?state=FAILED": 1, "?state=dropped": 0, "?alert_id=alrt_1": 1, "?from=2026-03-10T00:00:00Z": 1, "?to=2026-03-10T00:00:00Z": 1, "?limit=1&offset=5": 2,
	} {
		require.Equal(t, want, b.get(t, "/webhooks/wh_1/deliveries"+query).total(t), query)
	}
	for _, query := range []string{"?state=late", "?from=yesterday", "?from=2026-03-10T00:00:00Z&to=2026-03-09T00:00:00Z", "?limit=x", "?alert_id=%00"} {
		b.get(t, "/webhooks/wh_1/deliveries"+query).message(t, http.StatusBadRequest, models.CodeInvalidParameter)
	}
	sent := b.do(t, http.MethodPost, "/webhooks/wh_1/test")
	require.Equal(t, http.StatusAccepted, sent.status)
	require.Contains(t, sent.body, "THIS IS A TEST")
	require.Equal(t, 3, b.get(t, "/webhooks/wh_1/deliveries").total(t))
	replay := func(body string) string { return b.send(t, http.MethodPost, "/webhooks/wh_2/replay", body).body }
	require.JSONEq(t, `{"count": 1}`, replay(`{"dry_run": true}`))
	require.JSONEq(t, `{"count": 1}`, replay(`{}`))
	require.JSONEq(t, `{"count": 0}`, replay(`{}`), "it is on its way")
}

func TestARequestWithAnIdempotencyKeyHappensOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	post := func(key, body string, more ...string) reply {
		return b.send(t, http.MethodPost, "/alerts", body, append([]string{"Idempotency-Key", key}, more...)...)
	}
	first := post("k1", `{"name": "Jane Doe"}`)
	again := post("k1", `{"name": "Jane Doe"}`)
	require.Equal(t, http.StatusCreated, again.status)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.head.Get("Idempotent-Replayed"))
	require.Equal(t, first.head.Get("Location"), again.head.Get("Location"))
	require.Empty(t, first.head.Get("Idempotent-Replayed"))
	post("k1", `{"name": "John Doe"}`).message(t, http.StatusConflict, models.CodeConflict)
	b.send(t, http.MethodPost, "/alerts/preview", `{"name": "Jane Doe"}`, "Idempotency-Key", "k1").message(t, http.StatusConflict, models.CodeConflict)
	stranger := post("k1", `{"name": "Jane Doe"}`, "X-Stranger", b.newAccount(t, "other@example.org").ID)
	require.NotEqual(t, first.idOf(t), stranger.idOf(t), "keys are of an account")

	post("k2", `{"name": "J"}`).message(t, http.StatusBadRequest, models.CodeInvalidRequest)
	require.Equal(t, http.StatusCreated, post("k2", `{"name": "Jo Doe"}`).status, "what failed keeps no key")
	for _, key := range []string{"", strings.Repeat("k", 256), "kéy"} {
		post(key, `{"name": "Jane Doe"}`).message(t, http.StatusBadRequest, models.CodeInvalidParameter)
	}
	require.Equal(t, 2, b.get(t, "/alerts").total(t))

	b.now.at = b.now.at.AddDate(0, 0, 1).Add(time.Second)
	require.NotEqual(t, first.idOf(t), post("k1", `{"name": "Jane Doe"}`).idOf(t), "a day is over")
}

func TestOfRequestsWithOneKeyAtOnceOneHappens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all sync.WaitGroup
	answers := make([]reply, 8)
	for i := range answers {
		all.Go(func() {
			answers[i] = b.send(t, http.MethodPost, "/alerts", `{"name": "Jane Doe"}`, "Idempotency-Key", "k")
		})
	}
	all.Wait()
	for _, a := range answers {
		require.Equal(t, http.StatusCreated, a.status, a.body)
		require.Equal(t, answers[0].body, a.body)
	}
	require.Equal(t, 1, b.get(t, "/alerts").total(t))
}
