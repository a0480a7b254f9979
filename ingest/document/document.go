// Package document reads YAML documents strictly: every key must be known, every value must have the declared
// type, and each mistake is reported with the exact path at which it stands (`transport.steps[1].method:
// unknown key "methd"`). All mistakes are collected, so that an author sees them at once.
//
// Package ingest reads source documents with it. It knows nothing of sources: what a document means is
// decided by the types it is read into, by their `yaml` tags, the tags of tags.go, and the method ReadNode.
// It is not a general YAML library: anchors, aliases and merge keys are refused, so that a short document
// cannot grow into a huge one.
package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Problem is one mistake: the path from the root of the document, and a sentence.
type Problem struct {
	// Path is like transport.steps[1].method; empty for the whole document.
	Path string
	Text string
}

// String returns `path: text`, or the text alone where the whole document is meant.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path + ": " + p.Text
}

// Explains reports whether a mistake of reading explains what is found at path: it stands there, or a key beside it
// was meant to be that one.
func (p Problem) Explains(path string) bool {
	meant := []string{p.Path}
	if _, after, ok := strings.Cut(p.Text, "did you mean "); ok {
		if key, err := strconv.Unquote(strings.TrimSuffix(after, "?")); err == nil {
			meant = append(meant, p.Path[:strings.LastIndex(p.Path, ".")+1]+key)
		}
	}
	return slices.ContainsFunc(meant, func(at string) bool {
		return path == at || strings.HasPrefix(path, at+".") || strings.HasPrefix(path, at+"[")
	})
}

// Problems collects mistakes so that an author sees all of them at once. It is an error that lists them.
type Problems []Problem //nolint:errname // a list of problems that is also an error

// Add notes one mistake at path.
func (p *Problems) Add(path, format string, args ...any) {
	*p = append(*p, Problem{Path: path, Text: fmt.Sprintf(format, args...)})
}

// Err is nil without mistakes, else an error that lists all of them, one a line.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// Error lists the mistakes, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// Reader is implemented by types that read themselves from a node, for shapes that plain Go types cannot
// express: a text or a list of texts, a step that is a word or a map of one key.
type Reader interface {
	// ReadNode notes what does not fit in problems, under path, and leaves the rest of the value as far as it
	// could be read.
	ReadNode(path string, node *yaml.Node, problems *Problems)
}

// Read fills into, a pointer to a struct, from a YAML document. The error is of type Problems if the document
// is well-formed YAML. Defaults and Check are separate steps.
func Read(data []byte, into any) error {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return fmt.Errorf("read YAML: %w", err)
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return Problems{{Text: "the document is empty"}}
	}
	var problems Problems
	Value("", root.Content[0], into, &problems)
	return problems.Err()
}

// At joins a path and a key.
func At(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Index joins a path and a position, counted from 0, as in steps[0].
func Index(path string, i int) string {
	return fmt.Sprintf("%s[%d]", path, i)
}

// Texts is one text or a list of texts: `from: name` and `from: [last, first]` both work. A document that
// leaves it out has a nil list.
type Texts []string

// ReadNode reads a text or a list of texts.
func (t *Texts) ReadNode(path string, node *yaml.Node, problems *Problems) {
	if node.Kind == yaml.ScalarNode {
		*t = Texts{node.Value}
		return
	}
	var list []string
	Value(path, node, &list, problems)
	*t = list
}
