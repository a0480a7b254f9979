package sunset_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/internal/sunset"
)

func day(s string) time.Time {
	at, _ := time.Parse(time.DateOnly, s)
	return at
}

func TestAnswersSayWhatGoes(t *testing.T) {
	t.Parallel()
	invented := sunset.Table{
		{Method: http.MethodGet, Path: "/v1/things/*/parts", Notice: sunset.Notice{Since: day("2027-01-01"), Until: day("2027-07-01")}},
		{Method: http.MethodGet, Path: "/v1/things", Parameter: "colour", Notice: sunset.Notice{Since: day("2027-02-01"), Until: day("2027-12-01")}},
		{Method: http.MethodGet, Path: "/v1/things", Parameter: "shape", Notice: sunset.Notice{Since: day("2027-03-01"), Until: day("2027-11-01")}},
	}
	h := invented.Middleware("https://records.example/")(http.NotFoundHandler())
	for request, want := range map[string][2]string{
		"GET /v1/things/7/parts":         {"@1798761600", "Thu, 01 Jul 2027 00:00:00 GMT"},
		"HEAD /v1/things/7/parts/":       {"@1798761600", "Thu, 01 Jul 2027 00:00:00 GMT"},
		"GET /v1/things?colour=":         {"@1801440000", "Wed, 01 Dec 2027 00:00:00 GMT"},
		"GET /v1/things?shape=1&colour=": {"@1801440000", "Mon, 01 Nov 2027 00:00:00 GMT"},
		"POST /v1/things/7/parts":        {},
		"GET /v1/things/7":               {},
		"GET /v1/things?size=1":          {},
	} {
		method, address, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, address, nil))
		require.Equal(t, want, [2]string{w.Header().Get("Deprecation"), w.Header().Get("Sunset")}, request)
		link := ""
		if want[0] != "" {
			link = `<https://records.example/docs>; rel="deprecation"; type="text/html"`
		}
		require.Equal(t, link, w.Header().Get("Link"), request)
	}
}

func TestInputFieldsSayWhatGoes(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { list(filter: Filter, all: [Filter!]): Int }
input Filter { name: String old: Int @deprecated(reason: "Use name. Since 2027-01-01, until 2027-07-01.") inner: Filter }`})
	goes := sunset.Notice{Since: day("2027-01-01"), Until: day("2027-07-01")}
	old := map[string]any{"old": 1}
	for _, c := range []struct {
		query     string
		variables map[string]any
		want      sunset.Notice
	}{
		{`{ list(filter: {name: "x"}) }`, nil, sunset.Notice{}},
		{`{ list(filter: {old: 1}) }`, nil, goes},
		{`{ list(all: [{name: "x"}, {inner: {old: 1}}]) }`, nil, goes},
		{`query($o: Int) { list(filter: {old: $o}) }`, nil, goes},
		{`query($f: Filter) { list(filter: $f) }`, map[string]any{"f": map[string]any{"name": "x"}}, sunset.Notice{}},
		{`query($f: Filter) { list(filter: $f) }`, map[string]any{"f": nil}, sunset.Notice{}},
		{`query($f: Filter) { list(filter: $f) }`, map[string]any{"f": old}, goes},
		{`query($f: Filter) { list(filter: {inner: $f}) }`, map[string]any{"f": map[string]any{"inner": old}}, goes},
		{`query($a: [Filter!]) { list(all: $a) }`, map[string]any{"a": []any{old}}, goes},
		{`query($a: [Filter!]) { list(all: $a) }`, map[string]any{"a": old}, goes},
	} {
		doc, err := gqlparser.LoadQueryWithRules(schema, c.query, nil)
		require.Nil(t, err, c.query)
		require.Equal(t, c.want, sunset.OfOperation(schema, doc.Operations[0], c.variables), "%s %v", c.query, c.variables)
	}
}

func TestOperationsSayWhatGoes(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { thing: Thing parts(old: Int @deprecated(reason: "Use nothing. Since 2027-02-01, until 2027-09-01."), now: Int): Int }
type Thing { id: ID number: Int @deprecated(reason: "Use id. Since 2027-01-01, until 2027-07-01.") bare: Int @deprecated }`})
	for query, want := range map[string]sunset.Notice{
		`{ thing { ...f } } fragment f on Thing { ... on Thing { number } }`: {Since: day("2027-01-01"), Until: day("2027-07-01")},

		`{ thing { id } parts(now: 1) }`:        {},
		`{ thing { id bare } }`:                 {},
		`{ parts(old: 1) }`:                     {Since: day("2027-02-01"), Until: day("2027-09-01")},
		`{ parts(old: 1) thing { n: number } }`: {Since: day("2027-01-01"), Until: day("2027-07-01")},
	} {
		doc, err := gqlparser.LoadQueryWithRules(schema, query, nil)
		require.Nil(t, err, query)
		require.Equal(t, want, sunset.OfOperation(schema, doc.Operations[0], nil), query)
	}
	_, ok := sunset.Reason(schema.Types["Thing"].Fields.ForName("bare").Directives.ForName("deprecated"))
	require.False(t, ok, "a reason needs both days")
}
