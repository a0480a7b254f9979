package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/document"
)

func TestAPathHasALine(t *testing.T) {
	t.Parallel()
	text := []byte("id: jail\n# a comment\nfields:\n  name:\n    from: [last, first]\n  booked_at:\n    from: in\ntransport:\n  steps:\n    - get: https://jail.example/\n    - get: https://jail.example/2\n")
	for path, want := range map[string]int{
		"id": 1, "fields": 3, "fields.name": 4, "fields.name.from[1]": 5, "fields.booked_at.from": 7, "transport.steps[1].get": 11, "": 1,
	} {
		line, exact := document.Line(text, path)
		require.Equal(t, want, line, path)
		require.True(t, exact, path)
	}
	line, exact := document.Line(text, "fields.name.layouts[0]")
	require.Equal(t, 4, line, "what is missing has the line of what lacks it")
	require.False(t, exact)
	line, _ = document.Line([]byte("a: [1"), "a")
	require.Zero(t, line)
}

func TestABrokenTextIsBrokenWhereItCeasesToBeYAML(t *testing.T) {
	t.Parallel()
	for text, line := range map[string]int{
		"a: 1\nb: [1,\n  2]\nc: 3\n":              0,
		"a: 1\nb: [1,\n  2]\nc: [3\nd: 4\ne: 5\n": 4,
		"a: 1\nb:\n  c: \"x\n  d: 2\n":            3,
		"a: 1\nb:\n  c: 1\n d: 2\ne: 3\n":         4,
		"a: [1\n":                                 1,
	} {
		require.Equal(t, line, document.Broken([]byte(text)), text)
	}
}
