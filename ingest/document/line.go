package document

import (
	"bytes"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Line returns the line of a document, counted from 1, on which the value of path begins. Where there is no such value, it is
// that of what holds it, because a key that is missing has no line; exact is false then. 0: the text is no YAML.
func Line(data []byte, path string) (line int, exact bool) {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil || len(root.Content) != 1 {
		return 0, false
	}
	node, line := root.Content[0], 1
	for _, step := range steps(path) {
		next, at := child(node, step)
		if next == nil {
			return line, false
		}
		node, line = next, at
	}
	return line, true
}

// mostLines is how many lines of a text Broken looks at.
const mostLines = 2000

// Broken returns the line on which a text ceases to be YAML: all that stands before it is some. 0: it is, or is too long. The lines that
// the errors of the decoder name are often those before.
func Broken(data []byte) int {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if len(lines) > mostLines || wellFormed(data) {
		return 0
	}
	size := len(data)
	for n := len(lines); n > 0; n-- {
		if size -= len(lines[n-1]); wellFormed(data[:size]) {
			return n
		}
	}
	return 1
}

func wellFormed(data []byte) bool { return yaml.Unmarshal(data, new(yaml.Node)) == nil }

// steps cuts a path such as fields.name.from[1] into keys and positions.
func steps(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

// child returns the value of a key or position, and the line on which its key stands.
func child(node *yaml.Node, step string) (*yaml.Node, int) {
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				return node.Content[i+1], node.Content[i].Line
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(node.Content) {
			return node.Content[i], node.Content[i].Line
		}
	case yaml.AliasNode:
		return child(node.Alias, step)
	case yaml.DocumentNode, yaml.ScalarNode:
	}
	return nil, 0
}
