package rest_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"rollcall/internal/sunset"
	"rollcall/rest"
)

// The table of what goes and openapi.json say the same.
func TestWhatGoesIsMarkedInTheDescription(t *testing.T) {
	t.Parallel()
	text, err := rest.OpenAPI("/v1")
	require.NoError(t, err)
	require.True(t, json.Valid(text))
	doc, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	segment := regexp.MustCompile(`\{[^}]*\}`)
	marked, listed := []string{}, []string{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			at := method + " /v1" + segment.ReplaceAllString(path, "*")
			if op.Deprecated {
				marked = append(marked, at)
			}
			for _, p := range op.Parameters {
				if p.Value.Deprecated {
					marked = append(marked, at+"?"+p.Value.Name)
				}
			}
		}
	}
	for _, d := range sunset.V1() {
		listed = append(listed, strings.TrimSuffix(d.Method+" "+d.Path+"?"+d.Parameter, "?"))
		require.GreaterOrEqual(t, d.Until.Sub(d.Since).Hours(), 180*24.0, "docs/deprecation.md promises 180 days")
	}
	require.ElementsMatch(t, marked, listed)
}
