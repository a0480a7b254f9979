package transport

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// ticking is a schema whose subscription counts to three, or fails on the way.
func ticking(fail bool) graphql.ExecutableSchema {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: "type Query { a: Int } type Mutation { a: Int } type Subscription { tick: Int! }"})
	return &graphql.ExecutableSchemaMock{
		SchemaFunc:     func() *ast.Schema { return schema },
		ComplexityFunc: func(context.Context, string, string, int, map[string]any) (int, bool) { return 1, true },
		ExecFunc: func(context.Context) graphql.ResponseHandler {
			n := 0
			return func(context.Context) *graphql.Response {
				if n++; n > 3 {
					return nil
				}
				if fail && n == 2 {
					panic("a value of a record")
				}
				return &graphql.Response{Data: []byte(`{"tick":` + strconv.Itoa(n) + `}`)}
			}
		},
	}
}

// ask sends an operation to a handler of its own and gives status and body.
func ask(t *testing.T, schema graphql.ExecutableSchema, method, accept, query string) (int, string) {
	t.Helper()
	server := httptest.NewServer(newHandler(schema, Options{}, func(ctx context.Context) context.Context { return ctx }))
	t.Cleanup(server.Close)
	address, body := server.URL, `{"query": "`+query+`"}`
	if method == http.MethodGet {
		address, body = server.URL+"?query="+strings.ReplaceAll(query, " ", "%20"), ""
	}
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Accept", accept)
	r.Header.Set("Content-Type", jsonMedia)
	resp, err := server.Client().Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

func TestSubscriptionStreamsEachEvent(t *testing.T) {
	t.Parallel()
	status, body := ask(t, ticking(false), http.MethodPost, eventMedia, "subscription { tick }")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "event: next\ndata: {\"data\":{\"tick\":1}}\n\nevent: next\ndata: {\"data\":{\"tick\":2}}\n\n"+
		"event: next\ndata: {\"data\":{\"tick\":3}}\n\nevent: complete\ndata:\n\n", body)
}

func TestSubscriptionThatPanicsEndsWithATypedError(t *testing.T) {
	t.Parallel()
	_, body := ask(t, ticking(true), http.MethodPost, eventMedia, "subscription { tick }")
	require.Contains(t, body, `"code":"INTERNAL"`)
	require.NotContains(t, body, "record")
	require.True(t, strings.HasSuffix(body, "event: complete\ndata:\n\n"), body)
}

func TestSubscriptionNeedsAStream(t *testing.T) {
	t.Parallel()
	status, body := ask(t, ticking(false), http.MethodPost, jsonMedia, "subscription { tick }")
	require.Equal(t, http.StatusNotAcceptable, status)
	require.Contains(t, body, `"code":"NOT_ACCEPTABLE"`)
}

func TestMutationByGETIsRefusedWhereTheSchemaHasMutations(t *testing.T) {
	t.Parallel()
	status, body := ask(t, ticking(false), http.MethodGet, jsonMedia, "mutation { a }")
	require.Equal(t, http.StatusMethodNotAllowed, status)
	require.Contains(t, body, `"code":"METHOD_NOT_ALLOWED"`)
}
