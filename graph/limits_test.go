package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"rollcall/graph/generated"
	"rollcall/graph/limit"
	"rollcall/graph/transport"
)

// back is a query that goes forth and back over a link n times: 3 + 3n levels.
func back(n int) string {
	return "{ corrections(limit: 1) { records " + strings.Repeat("{ countyRecords { record { gdcMatch { record ", n) + "{ id }" +
		strings.Repeat(" } } } }", n) + " } }"
}

func TestLimitsNameThemselvesAndTheFigure(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	bombs := strings.Builder{}
	for i := range 40 {
		fmt.Fprintf(&bombs, "fragment f%d on Query { ...f%d ...f%d } ", i, i+1, i+1)
	}
	cases := []struct {
		name, query, limit string
		most, actual       any
	}{
		{"fields nested too deep", back(4), "depth", 15.0, 19.0},
		{"too many names for one field", "{ usage { " + many("a%d: limit ", 51) + "} }", "aliases", 50.0, 51.0},
		{"too many root fields", "{ " + many("a%d: __typename ", 21) + "}", "rootFields", 20.0, 21.0},
		{"root fields within fragments", "{ ...f } fragment f on Query { " + many("a%d: __typename ", 21) + "}", "rootFields", 20.0, 21.0},
		{"too many fields", "{ usage { " + strings.Repeat("limit ", 1001) + "} }", "fields", 1000.0, 1002.0},
		{"fragments that double forty times", "{ ...f0 } " + bombs.String() + "fragment f40 on Query { __typename }", "fields", 1000.0, float64(1 << 40)},
		{"too many tokens", "{ " + strings.Repeat("a ", 4100) + "}", "tokens", 4000.0, nil},
		{"a name of a megabyte, which would be compared with every name of the schema", "{ " + strings.Repeat("a", 1<<20-100) + " }", "name", 100.0, float64(1<<20 - 100)},
		{"a long argument", "{ roster(" + strings.Repeat("b", 101) + ": 1) { total } }", "name", 100.0, 101.0},
		{"aliases that multiply introspection", "{ __schema { a: types { name } b: types { name } } }", "introspectionAliases", 0.0, 2.0},
		{
			"too many records times fields",
			"{ " + many("a%d: roster(limit: 200) { records { id name charges status dob bookingDate county { slug name fips } gdcMatch { record { countyRecords { rosterId bookingDate record { name } } } } } } ", 20) + "}",
			"cost", 120_000.0, 120_020.0,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := b.post(t, c.query, nil)
			require.Equal(t, http.StatusBadRequest, a.status)
			require.Equal(t, "LIMIT_EXCEEDED", a.code(t))
			require.Equal(t, c.limit, a.Errors[0].Extensions["limit"])
			require.Equal(t, c.most, a.Errors[0].Extensions["max"])
			require.Equal(t, c.actual, a.Errors[0].Extensions["actual"])
			require.Contains(t, a.Errors[0].Message, fmt.Sprint(a.Errors[0].Extensions["max"]))
			if c.limit == "cost" {
				require.Contains(t, a.Errors[0].Message, ": a0 (roster) costs 6001, a1 (roster) costs 6001, a2 (roster) costs 6001, a3 (roster) costs 6001, a4 (roster) costs 6001 and 15 more; ask for fewer")
			}
		})
	}
}

func many(format string, n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, format, i)
	}
	return s.String()
}

func TestCostCountsRecordsOfThePage(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *transport.Options) {
		o.Limits = limit.Default()
		o.Limits.Cost = 100
	})
	const query = `query($n: Int) { roster(limit: $n) { records { id } } }` // 1 + n (1 + 1)
	require.Empty(t, b.post(t, query, map[string]any{"n": 49}).Errors)
	refused := b.post(t, query, map[string]any{"n": 50})
	require.Equal(t, "LIMIT_EXCEEDED", refused.code(t))
	require.InDelta(t, 101, refused.Errors[0].Extensions["actual"], 0)
	require.Equal(t, "LIMIT_EXCEEDED", b.post(t, query, nil).code(t), "without a limit, the page's default counts")
}

// A document of mistakes gets the first ones, each with what it may have meant.
func TestTheFirstMistakesOfADocumentAreReturned(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	a := b.post(t, "{ usage { "+many("limitt%d ", 900)+"} }", nil)
	require.Len(t, a.Errors, 20)
	require.Equal(t, "GRAPHQL_VALIDATION_FAILED", a.Errors[0].Extensions["code"])
	require.Equal(t, `Cannot query field "limitt0" on type "Usage". Did you mean "limit"?`, a.Errors[0].Message)
	require.Contains(t, a.Errors[19].Message, `"limitt19"`)
}

func TestDocumentsWithinTheLimitsPass(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(2)...)
	for name, query := range map[string]string{
		"every field of every link, over pages of 90": everything(t),
		"three times forth and back":                  back(3),
		"the introspection of tools":                  introspection,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, b.data(t, query, nil))
		})
	}
}

// everything asks for all fields of the three lists with 90 records each, two links deep.
func everything(t *testing.T) string {
	t.Helper()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	var fields func(def *ast.Definition, deep int) ast.SelectionSet
	fields = func(def *ast.Definition, deep int) ast.SelectionSet {
		var set ast.SelectionSet
		for _, f := range def.Fields {
			of := schema.Types[f.Type.Name()]
			sub := fields
			if of.IsLeafType() {
				set = append(set, &ast.Field{Name: f.Name, Alias: f.Name})
			} else if deep > 0 {
				set = append(set, &ast.Field{Name: f.Name, Alias: f.Name, SelectionSet: sub(of, deep-1)})
			}
		}
		return append(set, &ast.Field{Name: "__typename", Alias: "__typename"})
	}
	var root ast.SelectionSet
	for _, list := range []string{"roster", "courts", "corrections"} {
		page := schema.Types[schema.Query.Fields.ForName(list).Type.Name()]
		limit := &ast.Argument{Name: "limit", Value: &ast.Value{Kind: ast.IntValue, Raw: "90"}}
		root = append(root, &ast.Field{Name: list, Alias: list, Arguments: ast.ArgumentList{limit}, SelectionSet: fields(page, 3)})
	}
	var text strings.Builder
	formatter.NewFormatter(&text).FormatQueryDocument(&ast.QueryDocument{Operations: ast.OperationList{{Operation: ast.Query, SelectionSet: root}}})
	return text.String()
}

// introspection is the query that graphql-js and the tools built on it send.
const introspection = `query IntrospectionQuery {
  __schema { queryType { name } mutationType { name } subscriptionType { name } types { ...FullType }
    directives { name description locations args { ...InputValue } } } }
fragment FullType on __Type { kind name description
  fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason }
  inputFields { ...InputValue } interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
  ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }`
