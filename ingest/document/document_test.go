package document_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/document"
)

type page struct {
	Size  int            `yaml:"size"`
	Every time.Duration  `yaml:"every"`
	Names document.Texts `yaml:"names"`
	Steps []step         `yaml:"steps"`
	Rates map[string]int `yaml:"rates"`
	Next  *step          `yaml:"next"`
}

type step struct {
	Method string `yaml:"method"`
	Post   bool   `yaml:"post"`
}

func TestRead(t *testing.T) {
	t.Parallel()
	var got page
	err := document.Read([]byte("size: 1_000\nevery: 30m\nnames: a\nsteps: [{method: GET, post: true}]\nrates: {x: 2}\nnext: {method: POST}\n"), &got)
	require.NoError(t, err)
	require.Equal(t, page{
		Size: 1000, Every: 30 * time.Minute, Names: document.Texts{"a"},
		Steps: []step{{Method: "GET", Post: true}}, Rates: map[string]int{"x": 2}, Next: &step{Method: "POST"},
	}, got)
}

func TestMistakesAreReportedWithTheirPath(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, text, want string }{
		{"a misspelt key names the near one", "steps: [{metod: GET}]", `steps[0].metod: unknown key; did you mean "method"?`},
		{"a swapped pair of letters is near too", "siez: 1", `siez: unknown key; did you mean "size"?`},
		{"an unknown key lists the known ones", "colour: red", "colour: unknown key; known are every, names, next, rates, size, steps"},
		{"a key written twice", "size: 1\nsize: 2", "size: written twice (line 2)"},
		{"a word where a number belongs", "size: many", `size: "many" is not a whole number`},
		{"a map where a list belongs", "steps: {method: GET}", "steps: want a list, have a map (line 1)"},
		{"no duration", "every: soon", `every: "soon" is not a duration such as 30m or 1h30m`},
		{"anchors are refused", "steps: &a [{method: GET}]", "steps: anchors and aliases are not supported"},
		{"an empty document", "", "the document is empty"},
		{"two mistakes are two lines", "size: x\nevery: y", "size: \"x\" is not a whole number\nevery: \"y\" is not a duration such as 30m or 1h30m"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.EqualError(t, document.Read([]byte(c.text), &page{}), c.want)
		})
	}
}
