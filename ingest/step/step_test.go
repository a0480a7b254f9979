package step_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
	"rollcall/ingest/step"
)

// read reads a step as a document writes it, and returns its mistakes.
func read(t *testing.T, text string) (s step.Step, mistakes []string) {
	t.Helper()
	var node yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &node))
	var problems document.Problems
	s.ReadNode("steps[0]", node.Content[0], &problems)
	for _, p := range problems {
		mistakes = append(mistakes, p.String())
	}
	return s, mistakes
}

func TestAStepMakesATextOfAText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ written, from, to string }{
		{"trim", " a b ", "a b"},
		{"squeeze", " a  b ", "a b"},
		{"upper", "Doe", "DOE"},
		{"lower", "Doe", "doe"},
		{"digits", "No. 17-3", "173"},
		{"unescape", "A &amp; B", "A & B"},
		{"strip_tags", "<b>A</b>", "A"},
		{"unbracket", "DOE (W/M)", "DOE"},
		{"apostrophe", "O`DELL", "O'DELL"},
		{"regex: {pattern: '^(\\S+) (\\S+)', group: 2}", "A B C", "B"},
		{"split: {on: '/', pick: 2}", "A/B/C", "B"},
		{"split: {on: '/', pick: -1}", "A/B/C", "C"},
		{"replace: {old: '&', new: and}", "A & B", "A and B"},
		{"remove: '0+$'", "1700", "17"},
		{"before: T", "2026-03-08T01:30", "2026-03-08"},
		{"after: 'No. '", "No. 17", "17"},
		// What finds nothing.
		{"regex: {pattern: '\\d+'}", "none", ""},
		{"split: {on: '/', pick: 4}", "A/B", ""},
		{"split: {on: '/', pick: -4}", "A/B", ""},
		{"replace: {old: '&', new: and}", "A B", "A B"},
		{"remove: '\\d'", "A", "A"},
		{"before: T", "2026", "2026"},
		{"after: 'No. '", "17", ""},
	} {
		s, mistakes := read(t, c.written)
		require.Empty(t, mistakes, c.written)
		require.Equal(t, c.to, s.Apply(c.from), "%s of %q", c.written, c.from)
	}
}

func TestAMistakeInAStepIsNamedWithItsPath(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"trimm":                         `steps[0]: unknown step "trimm"; did you mean "trim"?`,
		"spilt: {on: /}":                `steps[0].spilt: unknown step; did you mean "split"?`,
		"regex: {pattern: '('}":         `steps[0].regex.pattern: "(" is not a regular expression with a group 0`,
		"regex: {pattern: a, group: 1}": `steps[0].regex.pattern: "a" is not a regular expression with a group 1`,
		"remove: '['":                   `steps[0].remove: "[" is not a regular expression`,
		"{before: a, after: b}":         `steps[0].after: a step does one thing; write it as a step of its own`,
	} {
		_, mistakes := read(t, written)
		require.Equal(t, []string{want}, mistakes, written)
	}
}

func TestStepsWithoutSettingsOnlyTidy(t *testing.T) {
	t.Parallel()
	for _, s := range step.List() {
		one, _ := read(t, s.Name)
		require.Equal(t, s.Settings == nil && s.Example == s.Name, one.Tidies(), s.Name)
		require.NotEmpty(t, s.Says, s.Name)
	}
}
