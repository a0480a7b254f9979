package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

var (
	quotation = regexp.MustCompile(`"[^"\n]*"`)               // of GraphQL: all are descriptions; of scripts: some are names
	markup    = regexp.MustCompile(`(?s)\{\{.*?\}\}|<[^>]*>`) // templates and tags
)

// proseOf returns the texts of a file that people read: documents, descriptions of both APIs, pages and their scripts, and what
// the program prints or reports as an error. Names, keys and values of a wire are none, nor are queries.
func proseOf(t *testing.T, path string) []string {
	t.Helper()
	switch {
	case strings.HasSuffix(path, ".md") && (strings.HasPrefix(path, "docs/") || !strings.Contains(path, "/")):
		return []string{read(t, path)}
	case strings.HasSuffix(path, ".graphqls"):
		return quoted(read(t, path))
	case strings.HasPrefix(path, "web/static/") && strings.HasSuffix(path, ".js"):
		return slices.DeleteFunc(quoted(read(t, path)), func(s string) bool { return !strings.Contains(s, " ") || strings.Contains(s, "{") })
	case path == "rest/openapi.yaml":
		var root yaml.Node
		require.NoError(t, yaml.Unmarshal([]byte(read(t, path)), &root))
		return described(&root)
	case strings.HasPrefix(path, "web/templates/"):
		return []string{markup.ReplaceAllString(read(t, path), "\n")}
	case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
		return literals(t, path)
	}
	return nil
}

// quoted returns what stands between quotation marks.
func quoted(text string) []string {
	texts := quotation.FindAllString(text, -1)
	for i := range texts {
		texts[i] = strings.Trim(texts[i], `"`)
	}
	return texts
}

// described returns the texts below a node of an OpenAPI document that its reader sees.
func described(n *yaml.Node) (texts []string) {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && child.Kind == yaml.ScalarNode && slices.Contains([]string{"title", "summary", "description"}, n.Content[i-1].Value) {
			texts = append(texts, child.Value)
		}
		texts = append(texts, described(child)...)
	}
	return texts
}

// literals returns the strings of a Go file that have a blank, since a sentence has one, and the help of its commands.
func literals(t *testing.T, path string) (texts []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(path)), nil, 0)
	require.NoError(t, err)
	unquoted := func(l *ast.BasicLit) string {
		s, err := strconv.Unquote(l.Value)
		require.NoError(t, err)
		return s
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil {
				texts = append(texts, reflect.StructTag(unquoted(n.Tag)).Get("help"))
				return false
			}
		case *ast.BasicLit:
			if s := n.Value; n.Kind == token.STRING && strings.Contains(s, " ") {
				texts = append(texts, unquoted(n))
			}
		}
		return true
	})
	return texts
}
