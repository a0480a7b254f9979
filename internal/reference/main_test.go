package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
)

var root = filepath.Join("..", "..")

func TestThePageIsUpToDate(t *testing.T) {
	t.Parallel()
	text, missing, err := render(root)
	require.NoError(t, err)
	require.Empty(t, missing, "every key, entity, field and step has a sentence, and an example where it holds a value")
	page, err := os.ReadFile(filepath.Join(root, "docs", "sources-reference.md"))
	require.NoError(t, err)
	require.Equal(t, string(text), string(page), "run go generate ./docs")
}

func TestWhatHasNoSentenceIsReported(t *testing.T) {
	t.Parallel()
	type undocumented struct {
		Key string `yaml:"key"`
	}
	p := &page{comments: comments{}, done: map[reflect.Type]bool{}}
	p.keys(reflect.TypeFor[undocumented]())
	require.Len(t, p.missing, 2)
	require.ErrorContains(t, p.missing[0], "undocumented.Key has no sentence")
	require.ErrorContains(t, p.missing[1], "undocumented.Key has no example")
}

// TestEveryExampleCanBeWritten reads the examples into the fields that they are of.
func TestEveryExampleCanBeWritten(t *testing.T) {
	t.Parallel()
	comments, err := readComments(root)
	require.NoError(t, err)
	p := &page{comments: comments, done: map[reflect.Type]bool{}}
	p.all()
	require.Greater(t, len(p.tables), 20)
	for _, of := range p.tables {
		for f := range of.Fields() {
			tag, ok := document.TagOf(f)
			if !ok || tag.Example == "" {
				continue
			}
			var node yaml.Node
			require.NoError(t, yaml.Unmarshal([]byte(tag.Key+": "+tag.Example), &node), of.String()+"."+f.Name)
			into := reflect.New(of)
			var problems document.Problems
			document.Value("", node.Content[0], into.Interface(), &problems)
			require.Empty(t, problems, of.String()+"."+f.Name)
			document.Check("", into.Interface(), &problems)
			for _, problem := range problems {
				require.NotEqual(t, tag.Key, problem.Path, "%s: %s", of, problem)
			}
		}
	}
}
