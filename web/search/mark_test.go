package search

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
)

func TestWhatASearchMatchesOfANameIsMarked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, query, want string }{
		{"SMITH, JOHN", "", "Smith, John"},
		{"SMITH, JOHN", "smi", "[Smi]th, John"},
		{"SMITH, JOHN", "joh smith", "[Smith], [Joh]n"},
		{"SMITH, JOHN", "zz", "Smith, John"},
		{"Müller, Øre", "muller", "[Müller], Øre"},
		{"O'BRIEN, ANN", "obri", "[O'Bri]en, Ann"},
		{"Straße, Ann", "strasse", "[Straße], Ann"},
		{"SMITH-JONES, A", "thjo", "Smith-Jones, A"},
		{"Nguyễn, An", "nguyen an", "[Nguyễn], [An]"},
		{"<b>WREN", "wren", "<b>[Wren]"},
	} {
		var b strings.Builder
		for _, p := range markedName(c.name, match.Words(c.query)).Pieces {
			if p.Hit {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		require.Equal(t, c.want, b.String(), "%s by %s", c.name, c.query)
	}
	require.Equal(t, "SMITH, JOHN", markedName("SMITH, JOHN", nil).Title)
	require.Empty(t, markedName("Smith, John", nil).Title, "people write it as the source does")
}
