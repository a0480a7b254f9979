package havoc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What random documents reach by chance, each is tried here for certain.
func TestEachShapeOfADocumentIsAnswered(t *testing.T) {
	t.Parallel()
	a := begin(t)
	for _, c := range []struct {
		name, query string
		variables   map[string]any
		data        string // empty: the document is refused
	}{
		{"a variable", `query($n: Int){roster(limit: $n){limit}}`, map[string]any{"n": 7}, `{"roster":{"limit":7}}`},
		{"a variable with a default", `query($n: Int = 7){roster(limit: $n){limit}}`, nil, `{"roster":{"limit":7}}`},
		{"an input object in a variable", `query($f: RosterFilter){roster(filter: $f){total}}`, map[string]any{"f": map[string]any{"county": "fulton"}}, `{"roster":{"total":0}}`},
		{"a variable within an input object", `query($c: String){roster(filter: {county: $c}){total}}`, map[string]any{"c": "fulton"}, `{"roster":{"total":0}}`},
		{"a variable that may be missing", `query($n: Int){roster(limit: $n){limit}}`, nil, `{"roster":{"limit":50}}`},
		{"a variable that must not be missing", `query($n: Int!){roster(limit: $n){limit}}`, nil, ``},
		{"null for what must not be null", `query($n: Int!){roster(limit: $n){limit}}`, map[string]any{"n": nil}, ``},
		{"a text for a number", `query($n: Int){roster(limit: $n){limit}}`, map[string]any{"n": "7"}, ``},
		{"a list for a number", `query($n: Int){roster(limit: $n){limit}}`, map[string]any{"n": []any{7}}, ``},
		{"an object with a member that is unknown", `query($f: RosterFilter){roster(filter: $f){total}}`, map[string]any{"f": map[string]any{"x": 1}}, ``},
		{"a variable that is not declared", `{roster(limit: $n){limit}}`, map[string]any{"n": 7}, ``},
		{"a variable that is not used", `query($n: Int){roster(limit: 7){limit}}`, nil, ``},
		{"a variable of another type than its place", `query($n: String){roster(limit: $n){limit}}`, map[string]any{"n": "7"}, ``},
		{"a named fragment", `{roster(limit: 7){...f}} fragment f on RosterPage {limit}`, nil, `{"roster":{"limit":7}}`},
		{"an inline fragment", `{roster(limit: 7){... on RosterPage {limit}}}`, nil, `{"roster":{"limit":7}}`},
		{"an inline fragment without a type", `{roster(limit: 7){... {limit}}}`, nil, `{"roster":{"limit":7}}`},
		{"fragments in a fragment", `{roster(limit: 7){...f}} fragment f on RosterPage {... on RosterPage {...g}} fragment g on RosterPage {limit}`, nil, `{"roster":{"limit":7}}`},
		{"a fragment with a variable", `query($n: Int){...f} fragment f on Query {roster(limit: $n){limit}}`, map[string]any{"n": 7}, `{"roster":{"limit":7}}`},
		{"fragments that spread each other", `{...f} fragment f on Query {...g} fragment g on Query {...f}`, nil, ``},
		{"a fragment that spreads itself", `{...f} fragment f on Query {...f}`, nil, ``},
		{"a fragment of another type", `{roster{...f}} fragment f on CourtPage {limit}`, nil, ``},
		{"a fragment that is not there", `{roster{...f}}`, nil, ``},
		{"a fragment that is not used", `{roster{total}} fragment f on RosterPage {limit}`, nil, ``},
		{"a field that is included", `query($y: Boolean!){roster(limit: 7){limit @include(if: $y) total @skip(if: $y)}}`, map[string]any{"y": true}, `{"roster":{"limit":7}}`},
		{"a fragment that is skipped", `{roster(limit: 7){limit ... @skip(if: true) {total}}}`, nil, `{"roster":{"limit":7}}`},
		{"both directives", `{roster(limit: 7){limit total @include(if: true) @skip(if: true)}}`, nil, `{"roster":{"limit":7}}`},
		{"a directive that nobody knows", `{roster @nonsense {limit}}`, nil, ``},
		{"a directive without its argument", `{roster {limit @skip}}`, nil, ``},
		{"a directive in a place that it is not for", `query @skip(if: true) {roster{limit}}`, nil, ``},
		{"a subscription without a stream", `subscription{alertEvents{id}}`, nil, ``},
		{"two fields of a subscription", `subscription{alertEvents{id} alertNotices{id}}`, nil, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, errs, body := a.graphql(c.query, c.variables)
			if c.data == "" {
				require.NotEmpty(t, errs, "%s", body)
				require.Nil(t, data)
				return
			}
			require.Empty(t, errs)
			require.Contains(t, string(body), `"data":`+c.data)
		})
	}
	a.ends()
}
