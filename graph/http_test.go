package graph_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph/limit"
	"rollcall/graph/transport"
	"rollcall/internal/testdb"
)

func TestMediaTypeOfAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, c := range []struct {
		name, accept, media string
		status              int // of an operation that cannot be executed
	}{
		{"no wish is an old client", "none", onlyJSON, 200},
		{"any type is an old client", "*/*", onlyJSON, 200},
		{"JSON", onlyJSON, onlyJSON, 200},
		{"the type of the specification", graphQL, graphQL, 400},
		{"the higher q wins", "application/json;q=0.5, application/graphql-response+json", graphQL, 400},
		{"the first of equals wins", graphQL + ", application/graphql+json, application/json, text/event-stream, multipart/mixed", graphQL, 400},
		{"q=0 is a no", graphQL + ";q=0, */*", onlyJSON, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			good := b.send(t, request{accept: c.accept, body: `{"query": "{ __typename }"}`})
			require.Equal(t, http.StatusOK, good.status)
			require.Equal(t, c.media+"; charset=utf-8", good.header.Get("Content-Type"))
			require.JSONEq(t, `{"data": {"__typename": "Query"}, "extensions": {"cost": {"requested": 1, "limit": 120000}}}`, good.body)
			require.Equal(t, "private, no-store", good.header.Get("Cache-Control"))

			bad := b.send(t, request{accept: c.accept, body: `{"query": "{ nothing }"}`})
			require.Equal(t, c.status, bad.status)
			require.Equal(t, "GRAPHQL_VALIDATION_FAILED", bad.code(t))
			require.NotContains(t, bad.body, `"data"`)
		})
	}
}

func TestRequestsThatHoldNoOperation(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *transport.Options) {
		o.Limits = limit.Default()
		o.Limits.Body = 64 << 10
	})
	const secret = "MARLOWE"
	for _, c := range []struct {
		name   string
		q      request
		status int
		code   string
	}{
		{"another type than is spoken here", request{accept: "image/png", body: `{"query": "{ __typename }"}`}, 406, "NOT_ACCEPTABLE"},
		{"a form", request{contentType: "application/x-www-form-urlencoded", body: "query={__typename}"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"no content type", request{contentType: "none", body: `{"query": "{ __typename }"}`}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"another charset", request{contentType: "application/json; charset=latin1", body: `{}`}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"an empty body", request{}, 400, "INVALID_REQUEST"},
		{"malformed JSON", request{body: `{"query": "` + secret}, 400, "INVALID_REQUEST"},
		{"JSON and more", request{body: `{"query": "{ __typename }"} {"MARLOWE": 1}`}, 400, "INVALID_REQUEST"},
		{"text that is no UTF-8", request{body: "{\"query\": \"{ roster(filter: {name: \\\"MARLOWE\xff\\\"}) { total } }\"}"}, 400, "INVALID_REQUEST"},
		{"a query string that is no UTF-8", request{method: "GET", query: "query=%ff"}, 400, "INVALID_REQUEST"},
		{"a query string with broken escapes", request{method: "GET", query: "query=%zz"}, 400, "INVALID_REQUEST"},
		{"values nested too deep", request{body: `{"query": "{ __typename }", "variables": {"a": ` + strings.Repeat("[", 11000) + strings.Repeat("]", 11000) + `}}`}, 400, "INVALID_REQUEST"},
		{"a batch", request{body: ` [{"query": "{ __typename }"}]`}, 400, "LIMIT_EXCEEDED"},
		{"no query", request{body: `{"qeury": "MARLOWE"}`}, 400, "INVALID_REQUEST"},
		{"a query that is no text", request{body: `{"query": {"MARLOWE": 1}}`}, 400, "INVALID_REQUEST"},
		{"variables that are no object", request{body: `{"query": "{ __typename }", "variables": ["MARLOWE"]}`}, 400, "INVALID_REQUEST"},
		{"variables in the address that are no object", request{method: "GET", query: "query={__typename}&variables=[1]"}, 400, "INVALID_REQUEST"},
		{"an address without a query", request{method: "GET"}, 400, "INVALID_REQUEST"},
		{"a body over the limit", request{body: `{"query": "# ` + strings.Repeat("x", 70<<10) + `"}`}, 413, "PAYLOAD_TOO_LARGE"},
		{"an address over the limit", request{method: "GET", query: "query=" + strings.Repeat("x", 70<<10)}, 413, "PAYLOAD_TOO_LARGE"},
		{"another method", request{method: "DELETE"}, 405, "METHOD_NOT_ALLOWED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := b.send(t, c.q)
			require.Equal(t, c.status, a.status, a.body)
			require.Equal(t, c.code, a.code(t))
			require.NotContains(t, a.body, secret, "nothing that was sent is repeated")
			require.NotContains(t, a.body, `"data"`)
			if c.status == http.StatusMethodNotAllowed {
				require.Equal(t, "GET, HEAD, POST", a.header.Get("Allow"))
			}
		})
	}
	t.Cleanup(func() { require.Empty(t, b.log.String(), "refusals are no news for the log") })
}

func TestMutationByGETIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	for _, query := range []string{"mutation { __typename }", "query Q { __typename } mutation M { __typename }"} {
		a := b.send(t, request{method: http.MethodGet, query: url.Values{"query": {query}, "operationName": {lastOf(query)}}.Encode()})
		require.Equal(t, http.StatusMethodNotAllowed, a.status)
		require.Equal(t, "METHOD_NOT_ALLOWED", a.code(t))
		require.Equal(t, http.MethodPost, a.header.Get("Allow"))
	}
	require.Equal(t, http.StatusOK, b.get(t, "{ __typename }").status)
}

// lastOf is the name of the operation that a document with several is sent for.
func lastOf(query string) string {
	if strings.Contains(query, " M ") {
		return "M"
	}
	return ""
}

func TestBadArguments(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(3)...)
	long := strings.Repeat("x", 10<<10)
	for _, c := range []struct {
		name, query string
		variables   map[string]any
		code, field string
	}{
		{"a limit over the bound", `{ roster(limit: 201) { total } }`, nil, "INVALID_PARAMETER", "limit"},
		{"a limit of nothing", `{ roster(limit: 0) { total } }`, nil, "INVALID_PARAMETER", "limit"},
		{"a limit beyond all numbers", `{ roster(limit: 99999999999999999999) { total } }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"a limit that is text", `{ roster(limit: "ten") { total } }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"a name with a NUL", `{ roster(filter: {name: "a\u0000"}) { total } }`, nil, "INVALID_PARAMETER", "name"},
		{"a defendant with a NUL", `{ courts(filter: {name: "a\u0000"}) { total } }`, nil, "INVALID_PARAMETER", "name"},
		{"an offender with a NUL", `{ corrections(filter: {name: "a\u0000"}) { total } }`, nil, "INVALID_PARAMETER", "name"},
		{"a negative offset", `{ courts(offset: -1) { total } }`, nil, "INVALID_PARAMETER", "offset"},
		{"a cursor beside an offset", `{ roster(offset: 1, after: "x") { total } }`, nil, "INVALID_PARAMETER", "after"},
		{"a cursor that is none", `{ roster(after: "!") { total } }`, nil, "INVALID_PARAMETER", "after"},
		{"a forged cursor", `{ roster(after: "AAAAAAAAAAAAeyJpZCI6MX0") { total } }`, nil, "INVALID_PARAMETER", "after"},
		{"a date of another form", `{ roster(filter: {fromDate: "03/08/2026"}) { total } }`, nil, "INVALID_PARAMETER", "fromDate"},
		{"a date that is a number", `{ roster(filter: {fromDate: 20260308}) { total } }`, nil, "INVALID_PARAMETER", "fromDate"},
		{"a day that does not exist", `query($d: Date) { roster(filter: {toDate: $d}) { total } }`, map[string]any{"d": "2026-02-30"}, "INVALID_PARAMETER", "toDate"},
		{"days in the wrong order", `{ roster(filter: {fromDate: "2026-03-08", toDate: "2026-03-07"}) { total } }`, nil, "INVALID_PARAMETER", "fromDate"},
		{"an instant without a zone", `{ courts(filter: {updatedSince: "2026-03-08T01:00:00"}) { total } }`, nil, "INVALID_PARAMETER", "updatedSince"},
		{"an unknown county", `{ roster(filter: {county: "fultn"}) { total } }`, nil, "INVALID_PARAMETER", "county"},
		{"an unknown enum value", `{ roster(filter: {status: HELD}) { total } }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"an unknown enum value as a variable", `query($s: RosterStatus) { roster(filter: {status: $s}) { total } }`, map[string]any{"s": "HELD"}, "GRAPHQL_VALIDATION_FAILED", ""},
		{"an unknown member of a filter", `{ roster(filter: {nme: "x"}) { total } }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"an unknown field", `{ roster { totl } }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"a variable that is missing", `query($id: ID!) { rosterRecord(id: $id) { id } }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"a deferred part", `{ ... @defer { usage { limit } } }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"a document that does not parse", `{ roster( }`, nil, "GRAPHQL_PARSE_FAILED", ""},
		{"a document with a NUL byte", "{ roster\x00 { total } }", nil, "GRAPHQL_PARSE_FAILED", ""},
		{"a document nested a thousand deep", strings.Repeat("{a", 1500), nil, "GRAPHQL_PARSE_FAILED", ""},
		{"a cycle of fragments", `{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"an operation that is not there", `query A { __typename } query B { __typename }`, nil, "GRAPHQL_VALIDATION_FAILED", ""},
		{"a NUL byte in an id", `query($v: ID!) { rosterRecord(id: $v) { id } }`, map[string]any{"v": "a\x00b"}, "INVALID_PARAMETER", "id"},
		{"a NUL byte in a case number", `query($v: String!) { courtCases(caseNumber: $v) { id } }`, map[string]any{"v": "a\x00b"}, "INVALID_PARAMETER", "caseNumber"},
		{"a NUL byte in an offender id", `query($v: String) { corrections(filter: {gdcId: $v}) { total } }`, map[string]any{"v": "a\x00b"}, "INVALID_PARAMETER", "gdcId"},
		{"an id of ten kilobytes", `query($v: ID!) { node(id: $v) { id } }`, map[string]any{"v": long}, "INVALID_PARAMETER", "id"},
		{"a county of ten kilobytes", `query($v: String) { roster(filter: {county: $v}) { total } }`, map[string]any{"v": long}, "INVALID_PARAMETER", "county"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := b.post(t, c.query, c.variables)
			require.Less(t, a.status, 500)
			require.NotEmpty(t, a.Errors, a.body)
			require.Equal(t, c.code, a.Errors[0].Extensions["code"], a.body)
			if c.field != "" {
				require.Equal(t, c.field, a.Errors[0].Extensions["field"], a.body)
				require.NotContains(t, a.Errors[0].Message, "_", "names are those of GraphQL")
			}
		})
	}
	t.Cleanup(func() { require.Empty(t, b.log.String(), "mistakes of callers are no news for the log") })
}

func TestOddNamesAreSearchedAndFindWhatTheyShould(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, testdb.Booking{ID: "fulton-2026-000001", Name: "O'MARLOWE, TESS"})
	for name, want := range map[string]string{
		"%": "0", "_": "0", strings.Repeat("x ", 8): "0", "\u202etess": "1", "Téss o’marlowe": "1", "'; drop table bookings; --": "0",
	} {
		require.JSONEq(t, `{"roster": {"total": `+want+`}}`, b.data(t, `query($n: String) { roster(filter: {name: $n}) { total } }`, map[string]any{"n": name}), name)
	}
}

func TestRecordsThatDoNotExistAreNull(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	require.JSONEq(t, `{"rosterRecord": null, "correctionsRecord": null, "a": null, "b": null, "c": null, "courtCases": []}`,
		b.data(t, `{ rosterRecord(id: "x") { id } correctionsRecord(gdcId: "x") { id } courtCases(caseNumber: "x") { id }
			a: node(id: "x") { id } b: node(id: "gdc-x") { id } c: node(id: "case-x") { id } }`, nil))
}

func TestCursorsWalkTheWholeListOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(5)...)
	var seen []string
	var after any
	for more := true; more; {
		var page struct {
			Roster struct {
				Total    int
				Records  []struct{ ID string }
				PageInfo struct {
					EndCursor   *string
					HasNextPage bool
				}
			}
		}
		data := b.data(t, `query($after: String) { roster(limit: 3, after: $after) { total records { id } pageInfo { endCursor hasNextPage } } }`, map[string]any{"after": after})
		require.NoError(t, json.Unmarshal([]byte(data), &page))
		require.Equal(t, 10, page.Roster.Total)
		for _, r := range page.Roster.Records {
			require.NotContains(t, seen, r.ID)
			seen = append(seen, r.ID)
		}
		after, more = page.Roster.PageInfo.EndCursor, page.Roster.PageInfo.HasNextPage
	}
	require.Len(t, seen, 10)
	a := b.post(t, `query($after: String) { corrections(after: $after) { total } }`, map[string]any{"after": after})
	require.Equal(t, "INVALID_PARAMETER", a.code(t), "a cursor is of one list")
}

func TestPersistedQueries(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	const query = "{ usage { limit } }"
	sum := sha256.Sum256([]byte(query))
	ext := func(hash string, version int) map[string]any {
		return map[string]any{"persistedQuery": map[string]any{"version": version, "sha256Hash": hash}}
	}
	send := func(body map[string]any) *answer {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		return b.send(t, request{body: string(text)})
	}
	hash := hex.EncodeToString(sum[:])

	unknown := send(map[string]any{"extensions": ext(hash, 1)})
	require.Equal(t, "PERSISTED_QUERY_NOT_FOUND", unknown.code(t))
	require.Equal(t, "PersistedQueryNotFound", unknown.Errors[0].Message, "clients look for this text")
	require.Equal(t, "INVALID_REQUEST", send(map[string]any{"query": "{ __typename }", "extensions": ext(hash, 1)}).code(t), "the hash of another text")
	require.Equal(t, "INVALID_REQUEST", send(map[string]any{"query": query, "extensions": ext(hash, 2)}).code(t), "another version")
	require.Empty(t, send(map[string]any{"query": query, "extensions": ext(hash, 1)}).Errors)

	require.JSONEq(t, `{"usage": {"limit": 100}}`, string(send(map[string]any{"extensions": ext(hash, 1)}).Data))
	text, err := json.Marshal(ext(hash, 1))
	require.NoError(t, err)
	byGET := b.send(t, request{method: http.MethodGet, query: "extensions=" + url.QueryEscape(string(text))})
	require.JSONEq(t, `{"usage": {"limit": 100}}`, string(byGET.Data))
}
