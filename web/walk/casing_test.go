package walk

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModulesWriteWordsAsTheServiceDoes asks the module of pages that scripts build for every case of the table that the rule in Go is
// held to.
func TestModulesWriteWordsAsTheServiceDoes(t *testing.T) {
	t.Parallel()
	chromium(t)
	root, door := newTerminal(t).Serve("Desk")
	b := newTab(t, root)
	b.joins(door)
	b.visit("/alerts/new")
	raw, err := os.ReadFile("../page/testdata/casing.json")
	require.NoError(t, err)
	var cases []struct{ Kind, From, Want string }
	require.NoError(t, json.Unmarshal(raw, &cases))
	cases = slices.DeleteFunc(cases, func(c struct{ Kind, From, Want string }) bool { return c.Kind == "term" }) // the service alone writes them
	module := eval[string](b, `performance.getEntriesByType("resource").map(e => e.name).find(n => n.endsWith("/casing.js"))`)
	said := eval[[]string](b, `import(`+quoted(module)+`).then(m => `+string(raw)+`.filter(c => c.kind !== "term").map(c => ({words: m.calm, name: m.calmName})[c.kind](c.from)))`)
	require.Len(t, said, len(cases))
	for i, c := range cases {
		require.Equal(t, c.Want, said[i], "%s %q", c.Kind, c.From)
	}
	b.clean()
}
