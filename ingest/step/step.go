// Package step has the transforms of a text that a source document may write: a closed list, as `- upper` or as
// `- regex: {pattern: '...', group: 1}`. ingest/mapping applies them to the text that it found at a path.
//
// The package is pure: the same text makes the same text. It is not for what the result means, which ingest/mapping reads.
package step

import (
	"html"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
	"rollcall/ingest/value"
)

// Step is one transform of a text, from a closed list. It is written as a word (`- upper`) or as a word with
// its settings (`- regex: {pattern: '...', group: 1}`).
type Step struct {
	name string
	// apply is nil for an unknown step.
	apply func(string) string
}

// Apply returns what the step makes of a text.
func (s Step) Apply(text string) string { return s.apply(text) }

// Tidies reports whether the step only tidies a text. A step with settings may take a part out of it.
func (s Step) Tidies() bool { return plainSteps[s.name].apply != nil }

// plainStep is a step without settings.
type plainStep struct {
	apply func(string) string
	// says is what it does, for authors of source documents.
	says string
}

// plainSteps are the steps without settings. Blanks at both ends are always trimmed.
var plainSteps = map[string]plainStep{
	"trim":       {strings.TrimSpace, "Removes blanks at both ends."},
	"squeeze":    {value.Squeeze, "Makes every run of blanks one blank."},
	"upper":      {strings.ToUpper, "Writes capital letters."},
	"lower":      {strings.ToLower, "Writes small letters."},
	"digits":     {func(s string) string { return value.Keep(s, func(r rune) bool { return '0' <= r && r <= '9' }) }, "Keeps the digits only."},
	"unescape":   {html.UnescapeString, "Replaces HTML entities, such as `&amp;`, by their characters."},
	"strip_tags": {value.StripTags, "Removes HTML tags."},
	"unbracket":  {value.Unbracket, "Removes what stands in brackets."},
	"apostrophe": {func(s string) string { return strings.NewReplacer("`", "'", "´", "'", "’", "'").Replace(s) }, "Writes every kind of apostrophe as `'`."},
}

// settingSteps are the steps with settings: a map of keys, or one text.
var settingSteps = map[string]Reference{
	"regex":   {Settings: reflect.TypeFor[regexSettings](), Says: "Keeps what a regular expression finds."},
	"split":   {Settings: reflect.TypeFor[pickSettings](), Says: "Cuts the text and keeps one part."},
	"replace": {Settings: reflect.TypeFor[replaceSettings](), Says: "Replaces a text by another."},
	"remove":  {Says: "Removes what a regular expression matches, wherever it stands.", Example: `{remove: '(0000|    )$'}`},
	"before":  {Says: "Keeps what stands before the first occurrence of a text, or all of it.", Example: "{before: T}"},
	"after":   {Says: "Keeps what stands after the first occurrence of a text, or nothing.", Example: "{after: 'No. '}"},
}

// regexSettings are the settings of regex. RE2 has no backtracking, so no pattern of a document can hang a run.
type regexSettings struct {
	// The regular expression; a text that it does not match becomes blank.
	Pattern string `yaml:"pattern" required:"true" example:"'^(\\S+)'"`
	// The group that is kept; 0 is the whole match.
	Group int `yaml:"group" min:"0" absent:"0" example:"1"`
}

// pickSettings are the settings of split.
type pickSettings struct {
	// The text between two parts.
	On string `yaml:"on" required:"true" example:"'/'"`
	// Which part is kept, counted from 1; -1 is the last. A text with fewer parts becomes blank.
	Pick int `yaml:"pick" required:"true" example:"2"`
}

// replaceSettings are the settings of replace.
type replaceSettings struct {
	// The text that is replaced, wherever it stands.
	Old string `yaml:"old" required:"true" example:"'&'"`
	// What stands there instead.
	New string `yaml:"new" absent:"nothing" example:"and"`
}

// ReadNode reads one step and notes mistakes with the path in the document.
func (s *Step) ReadNode(path string, node *yaml.Node, problems *document.Problems) {
	if node.Kind == yaml.ScalarNode {
		s.name = node.Value
		if s.apply = plainSteps[node.Value].apply; s.apply == nil {
			problems.Add(path, "unknown step %q%s", node.Value, document.Suggest(node.Value, names()))
		}
		return
	}
	document.Each(path, node, problems, func(key string, value *yaml.Node) {
		at := document.At(path, key)
		if s.name != "" {
			problems.Add(at, "a step does one thing; write it as a step of its own")
			return
		}
		s.name = key
		s.read(at, key, value, problems)
	})
}

// read reads a step with settings.
func (s *Step) read(at, key string, node *yaml.Node, problems *document.Problems) {
	switch key {
	case "regex":
		var v regexSettings
		document.Value(at, node, &v, problems)
		document.Check(at, &v, problems)
		re, err := regexp.Compile(v.Pattern)
		if err != nil || v.Group > re.NumSubexp() {
			problems.Add(document.At(at, "pattern"), "%q is not a regular expression with a group %d", v.Pattern, v.Group)
			return
		}
		s.apply = func(text string) string {
			if m := re.FindStringSubmatch(text); m != nil {
				return m[v.Group]
			}
			return ""
		}
	case "split":
		var v pickSettings
		document.Value(at, node, &v, problems)
		document.Check(at, &v, problems)
		s.apply = func(text string) string { return value.Pick(strings.Split(text, v.On), v.Pick) }
	case "replace":
		var v replaceSettings
		document.Value(at, node, &v, problems)
		document.Check(at, &v, problems)
		s.apply = func(text string) string { return strings.ReplaceAll(text, v.Old, v.New) }
	case "remove":
		var pattern string
		document.Value(at, node, &pattern, problems)
		re, err := regexp.Compile(pattern)
		if err != nil {
			problems.Add(at, "%q is not a regular expression", pattern)
			return
		}
		s.apply = func(text string) string { return re.ReplaceAllString(text, "") }
	case "before", "after":
		var mark string
		document.Value(at, node, &mark, problems)
		s.apply = func(text string) string {
			head, tail, found := strings.Cut(text, mark)
			if key == "before" {
				return head
			}
			if !found {
				return ""
			}
			return tail
		}
	default:
		problems.Add(at, "unknown step%s", document.Suggest(key, names()))
	}
}

// names lists the steps, for a hint after a mistake.
func names() []string {
	all := slices.Concat(slices.Collect(maps.Keys(plainSteps)), slices.Collect(maps.Keys(settingSteps)))
	slices.Sort(all)
	return all
}
