package walk

import (
	"encoding/json"
	"os"

	"github.com/stretchr/testify/require"
)

// What axe is asked for: all that it knows of WCAG 2.2 AA and its own best practices, or the rules whose outcome hangs on
// colours, which are all that a colour scheme changes.
const (
	everyRule   = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	colourRules = `{type: "rule", values: ["color-contrast", "link-in-text-block"]}`
)

// accessible runs axe on the page as it is, without a single violation.
func (b *tab) accessible() {
	b.t.Helper()
	b.keeps(everyRule)
}

// keeps runs some of axe's rules.
func (b *tab) keeps(rules string) {
	b.t.Helper()
	if !eval[bool](b, "!!window.axe") {
		script, err := os.ReadFile("testdata/axe/axe.min.js")
		require.NoError(b.t, err)
		eval[bool](b, string(script)+"; true")
	}
	eval[bool](b, "scrollTo(0, 0); true") // half below the sticky head, a button would count as too small
	found := eval[string](b, `axe.run(document, {runOnly: `+rules+`, resultTypes: ["violations"]}).then(r => JSON.stringify(
		r.violations.map(v => ({id: v.id, nodes: v.nodes.map(n => n.html.slice(0, 300) + " " + n.any.concat(n.all, n.none).map(c => c.message).join("; "))}))))`)
	var violations []any
	require.NoError(b.t, json.Unmarshal([]byte(found), &violations))
	pretty, err := json.MarshalIndent(violations, "", " ")
	require.NoError(b.t, err)
	require.Empty(b.t, violations, "at %s: %s", b.path(), pretty)
}
