package mapping

import (
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
)

// Step is one transform of a text, from a closed list. It is written as a word (`- upper`) or as a
// word with its settings (`- regex: {pattern: '...', group: 1}`).
type Step struct {
	name  string
	apply func(string) string
}

// plainSteps are the steps without settings. Blanks at both ends are always trimmed.
var plainSteps = map[string]func(string) string{
	"trim":       strings.TrimSpace,
	"squeeze":    squeeze,
	"upper":      strings.ToUpper,
	"lower":      strings.ToLower,
	"digits":     func(s string) string { return keep(s, func(r rune) bool { return '0' <= r && r <= '9' }) },
	"unescape":   html.UnescapeString,
	"strip_tags": stripTags,
	"unbracket":  unbracket,
	"apostrophe": func(s string) string { return strings.NewReplacer("`", "'", "´", "'", "’", "'").Replace(s) },
}

type regexStep struct {
	Pattern string `yaml:"pattern"`
	Group   int    `yaml:"group"`
}

type pickStep struct {
	On   string `yaml:"on"`
	Pick int    `yaml:"pick"` // counted from 1; -1 is the last
}

type replaceStep struct {
	Old string `yaml:"old"`
	New string `yaml:"new"`
}

// ReadNode reads one step.
func (s *Step) ReadNode(path string, node *yaml.Node, problems *document.Problems) {
	if node.Kind == yaml.ScalarNode {
		s.name = node.Value
		if s.apply = plainSteps[node.Value]; s.apply == nil {
			problems.Add(path, "unknown step %q%s", node.Value, document.Suggest(node.Value, stepNames()))
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

func (s *Step) read(at, key string, value *yaml.Node, problems *document.Problems) {
	switch key {
	case "regex":
		var v regexStep
		document.Value(at, value, &v, problems)
		re, err := regexp.Compile(v.Pattern)
		if err != nil || v.Group > re.NumSubexp() {
			problems.Add(document.At(at, "pattern"), "%q is no regular expression with a group %d", v.Pattern, v.Group)
			return
		}
		s.apply = func(text string) string {
			if m := re.FindStringSubmatch(text); m != nil {
				return m[v.Group]
			}
			return ""
		}
	case "split":
		var v pickStep
		document.Value(at, value, &v, problems)
		if v.On == "" || v.Pick == 0 {
			problems.Add(at, "needs on and pick (counted from 1; -1 is the last)")
		}
		s.apply = func(text string) string { return pick(strings.Split(text, v.On), v.Pick) }
	case "replace":
		var v replaceStep
		document.Value(at, value, &v, problems)
		s.apply = func(text string) string { return strings.ReplaceAll(text, v.Old, v.New) }
	case "remove":
		var pattern string
		document.Value(at, value, &pattern, problems)
		re, err := regexp.Compile(pattern)
		if err != nil {
			problems.Add(at, "%q is no regular expression", pattern)
			return
		}
		s.apply = func(text string) string { return re.ReplaceAllString(text, "") }
	case "before", "after":
		var mark string
		document.Value(at, value, &mark, problems)
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
		problems.Add(at, "unknown step%s", document.Suggest(key, stepNames()))
	}
}

func stepNames() []string {
	names := slices.Collect(maps.Keys(plainSteps))
	names = append(names, "regex", "split", "replace", "remove", "before", "after")
	slices.Sort(names)
	return names
}

func pick(parts []string, n int) string {
	if n < 0 {
		n += len(parts) + 1
	}
	if n < 1 || n > len(parts) {
		return ""
	}
	return parts[n-1]
}

func keep(s string, want func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if want(r) {
			return r
		}
		return -1
	}, s)
}

// squeeze makes every run of blanks one blank and drops those at the ends.
func squeeze(s string) string {
	clean := true
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c < ' ' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\u00a0", " ")), " ")
}

var tag = regexp.MustCompile(`<[^>]*>`)

func stripTags(s string) string { return squeeze(html.UnescapeString(tag.ReplaceAllString(s, " "))) }

var bracketed = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)

// unbracket drops what stands in brackets.
func unbracket(s string) string { return squeeze(bracketed.ReplaceAllString(s, " ")) }
