package havoc

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"rollcall/rest"
	"rollcall/rest/resttest"
)

// Every operation of openapi.json answers random requests as the document says.
func TestAnyRequestIsAnsweredAsDocumented(t *testing.T) {
	t.Parallel()
	a := begin(t)
	text, err := rest.OpenAPI("/v1")
	require.NoError(t, err)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	paths := doc.Paths.Map()
	for a.more() {
		template := oneOf(a, keys(paths)...)
		operations := paths[template].Operations()
		method := oneOf(a, keys(operations)...)
		op := operations[method]
		path, query := template, url.Values{}
		for _, ref := range append(paths[template].Parameters, op.Parameters...) {
			switch p := ref.Value; {
			case p.In == "path":
				path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(oneOf(a, a.texts...)))
			case p.In == "query" && a.IntN(3) == 0:
				query.Add(p.Name, a.parameter(p.Schema))
			}
		}
		if a.IntN(20) == 0 {
			query.Add(oneOf(a, a.texts...), oneOf(a, a.texts...))
		}
		header, body := http.Header{}, ""
		if op.RequestBody != nil && a.IntN(10) > 0 {
			header.Set("Content-Type", oneOf(a, "application/json", "application/json", "application/json", "text/plain"))
			for _, media := range op.RequestBody.Value.Content {
				b, err := json.Marshal(a.value(media.Schema, 0))
				require.NoError(t, err)
				if body = string(b); a.IntN(15) == 0 {
					body = body[:a.IntN(len(body))]
				}
			}
		}
		if path += "?" + query.Encode(); strings.HasSuffix(path, "?") {
			path = path[:len(path)-1]
		}
		req, res, answer := a.send(method, "/v1"+path, body, header)
		if req != nil {
			require.NoError(t, resttest.Check(req, res, answer), "%s /v1%s\n%s\n%d %s", method, path, body, res.StatusCode, answer)
		}
	}
	a.ends()
}

// parameter returns a value of a query parameter, mostly one that its schema permits.
func (a *attack) parameter(s *openapi3.SchemaRef) string {
	if s != nil && a.IntN(3) > 0 {
		if text, isText := a.value(s, 0).(string); isText {
			return text
		}
		return oneOf(a, "0", "1", "50", "200", "true")
	}
	return oneOf(a, a.texts...)
}

// value returns a value that a schema mostly permits.
func (a *attack) value(ref *openapi3.SchemaRef, depth int) any {
	if ref == nil || depth > 5 || a.IntN(25) == 0 {
		return oneOf[any](a, nil, true, -1, 1e9, "", []any{}, map[string]any{})
	}
	s := ref.Value
	for _, some := range []openapi3.SchemaRefs{s.OneOf, s.AnyOf, s.AllOf} {
		if len(some) > 0 {
			return a.value(oneOf(a, some...), depth+1)
		}
	}
	switch {
	case len(s.Enum) > 0:
		return oneOf(a, s.Enum...)
	case s.Type.Includes("object"):
		out := map[string]any{}
		for _, name := range keys(s.Properties) {
			if a.IntN(4) > 0 {
				out[name] = a.value(s.Properties[name], depth+1)
			}
		}
		return out
	case s.Type.Includes("array"):
		out := []any{}
		for range a.IntN(4) {
			out = append(out, a.value(s.Items, depth+1))
		}
		return out
	case s.Type.Includes("integer"), s.Type.Includes("number"):
		return oneOf[any](a, 0, 1, 18, 1990, -1, 1.5)
	case s.Type.Includes("boolean"):
		return a.IntN(2) == 0
	}
	return oneOf(a, a.texts...)
}
