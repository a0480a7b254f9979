package transport

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/generated"
	"rollcall/internal/sunset"
)

func TestAnAnswerSaysThatItsFieldGoes(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { old: Int @deprecated(reason: "Use new. Since 2027-01-01, until 2027-07-01.") new: Int }`})
	h := newHandler(&graphql.ExecutableSchemaMock{
		SchemaFunc:     func() *ast.Schema { return schema },
		ComplexityFunc: func(context.Context, string, string, int, map[string]any) (int, bool) { return 1, true },
		ExecFunc: func(context.Context) graphql.ResponseHandler {
			return func(context.Context) *graphql.Response { return &graphql.Response{Data: []byte(`{}`)} }
		},
	}, Options{Root: "https://records.example"}, func(ctx context.Context) context.Context { return ctx })
	for query, want := range map[string]string{"{ old }": "@1798761600", "{ new }": ""} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(`{"query": "`+query+`"}`))
		r.Header.Set("Content-Type", jsonMedia)
		h.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		require.Equal(t, want, w.Header().Get("Deprecation"), query)
		require.Equal(t, want != "", w.Header().Get("Sunset") != "")
	}
}

func TestEveryDeprecationInTheSchemaHasItsDays(t *testing.T) {
	t.Parallel()
	for _, def := range generated.NewExecutableSchema(generated.Config{}).Schema().Types {
		for _, f := range def.Fields {
			goes := f.Directives.ForNames("deprecated")
			for _, a := range f.Arguments {
				goes = append(goes, a.Directives.ForNames("deprecated")...)
			}
			for _, d := range goes {
				_, ok := sunset.Reason(d)
				require.True(t, ok || def.BuiltIn, "%s.%s: the reason has to end with: Since YYYY-MM-DD, until YYYY-MM-DD.", def.Name, f.Name)
			}
		}
	}
}
