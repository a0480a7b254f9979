package graph_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/auth"
	"rollcall/graph"
	"rollcall/graph/transport"
	"rollcall/internal/testdb"
	"rollcall/models"
)

// observed is a context that notices who asks for the caller.
type observed struct {
	context.Context
	asked *atomic.Bool
}

// Value notices keys of auth, which are those of the caller.
func (w observed) Value(key any) any {
	if reflect.TypeOf(key).PkgPath() == reflect.TypeFor[auth.Caller]().PkgPath() {
		w.asked.Store(true)
	}
	return w.Context.Value(key)
}

// ownUsage reads the caller, as the limiter does.
type ownUsage struct{ usage }

func (u ownUsage) Usage(ctx context.Context) (*models.Usage, error) {
	auth.FromContext(ctx)
	return u.usage.Usage(ctx)
}

// fieldPath is a field of the schema with an operation that selects it, and the fields on the way.
type fieldPath struct {
	name, operation string
	through         []string
}

// fieldPaths finds a way from Query to every field of an object; values are literals of the arguments that must be given.
func fieldPaths(schema *ast.Schema, values map[string]string) []fieldPath {
	type step struct {
		def         *ast.Definition
		open, close string
		through     []string
	}
	var out []fieldPath
	seen := map[string]bool{"Query": true}
	for queue := []step{{schema.Query, "{", "}", nil}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, f := range at.def.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			text, of := f.Name+required(f, values), schema.Types[f.Type.Name()]
			through := append(slices.Clone(at.through), at.def.Name+"."+f.Name)
			selected := ""
			if of.IsCompositeType() {
				selected = " { __typename }"
			}
			out = append(out, fieldPath{through[len(through)-1], at.open + " " + text + selected + " " + at.close, through})
			if of.Kind == ast.Object && !seen[of.Name] {
				seen[of.Name] = true
				queue = append(queue, step{of, at.open + " " + text + " {", "} " + at.close, through})
			}
		}
	}
	return out
}

// required writes the arguments of a field that have to be given.
func required(f *ast.FieldDefinition, values map[string]string) string {
	var list []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			list = append(list, a.Name+": "+values[a.Name])
		}
	}
	if list == nil {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func TestNoFieldThatReadsTheCallerIsKept(t *testing.T) {
	t.Parallel()
	b := setup(
		t, nil,
		append(linked(2),
			testdb.Case{Number: "26-CR-1", Defendant: "OKAFOR, LENA", Hearings: []testdb.Hearing{{Date: "2026-04-01"}}, Dispositions: []testdb.Disposition{{Date: "2026-05-02", Outcome: "PLEA"}}},
			testdb.CourtLink{Case: "26-CR-1", Booking: "fulton-2026-000000"})...,
	)
	b.change(t, "roster", "fulton-2026-000000", "2026-03-10T14:00:00Z", "bond_cents", new("50000"), new("250050"))
	h := graph.NewHandler(graph.NewResolver(b.store, baseURL, ownUsage{}, b.alerts(t)), transport.Options{})
	var asked atomic.Bool
	ask := func(operation string) (string, bool) {
		asked.Store(false)
		ctx := auth.WithCaller(t.Context(), &auth.Caller{Account: b.mine, KeyID: "key_test", Scopes: models.Scopes()})
		r := httptest.NewRequestWithContext(observed{ctx, &asked}, http.MethodPost, "/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, operation)))
		r.Header.Set("Content-Type", onlyJSON)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.String(), asked.Load()
	}

	callers := map[string]bool{}
	known := map[string]bool{}
	for _, p := range fieldPaths(loadSchema(t), map[string]string{
		"id": `"fulton-2026-000000"`, "gdcId": `"1000000"`, "caseNumber": `"26-CR-1"`, "county": `"fulton"`, "name": `"MARLOWE, TESS"`,
	}) {
		body, reads := ask(p.operation)
		require.NotContains(t, body, "GRAPHQL_VALIDATION_FAILED", p.operation)
		known[p.name] = true
		if reads {
			callers[p.name] = true
		}
		kept := !slices.ContainsFunc(p.through, func(name string) bool {
			of, field, _ := strings.Cut(name, ".")
			return !slices.Contains(transport.KeptFields[of], field)
		})
		require.False(t, reads && kept, "%s reads the caller, so its answer must not be kept: %s", p.name, p.operation)
		require.False(t, kept && strings.Contains(body, `"errors"`), "%s: %s", p.operation, body)
	}
	for _, name := range []string{"Query.alerts", "Query.webhooks", "Query.calendarFeeds", "Query.usage", "Query.deliveries"} {
		require.True(t, callers[name], "%s is known to read the caller: %v", name, slices.Sorted(maps.Keys(callers)))
	}
	for of, fields := range transport.KeptFields {
		for _, field := range fields {
			require.True(t, known[of+"."+field] || of == "Node", "%s.%s is not in the schema", of, field)
		}
	}
}
