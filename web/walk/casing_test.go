package walk

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// writesWordsAsTheServiceDoes asks the module of the pages for every case of the table that the rule in Go is held to. The page that is
// open has loaded it.
func writesWordsAsTheServiceDoes(t *testing.T, b *tab) {
	t.Helper()
	raw, err := os.ReadFile("../page/testdata/casing.json")
	require.NoError(t, err)
	var cases []struct{ Kind, From, Want string }
	require.NoError(t, json.Unmarshal(raw, &cases))
	module := eval[string](b, `performance.getEntriesByType("resource").map(e => e.name).find(n => n.endsWith("/casing.js"))`)
	said := eval[[]string](b, `import(`+quoted(module)+`).then(m => `+string(raw)+`.map(c => ({words: m.calm, name: m.calmName, term: m.calmTerm})[c.kind](c.from)))`)
	require.Len(t, said, len(cases))
	for i, c := range cases {
		require.Equal(t, c.Want, said[i], "%s %q", c.Kind, c.From)
	}
}
