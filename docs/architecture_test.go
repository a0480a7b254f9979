package docs_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheArchitectureNamesEveryPackage compares the tables of docs/architecture.md with the directories of the module.
func TestTheArchitectureNamesEveryPackage(t *testing.T) {
	t.Parallel()
	text := read(t, "docs/architecture.md")
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z0-9_/]+)`").FindAllStringSubmatch(text, -1) {
		named[m[1]] = true
	}
	var missing []string
	for _, p := range packages(t) {
		parent := filepath.ToSlash(filepath.Dir(p))
		inside := strings.Contains(p, "/internal/") || strings.HasPrefix(p, "bench/peers")
		if !named[p] && !inside && (!named[parent] || !named[filepath.Base(p)]) {
			missing = append(missing, p)
		}
	}
	require.Empty(t, missing, "packages that docs/architecture.md does not name")
}

// TestTheArchitectureDrawsImportsThatExist checks each arrow of its first diagram.
func TestTheArchitectureDrawsImportsThatExist(t *testing.T) {
	t.Parallel()
	text := read(t, "docs/architecture.md")
	diagram := regexp.MustCompile("(?s)```mermaid\n(.*?)```").FindStringSubmatch(text)
	require.NotNil(t, diagram)
	of := map[string][]string{} // of a node: the packages it stands for
	for _, m := range regexp.MustCompile(`(\w+)\["([^"]+)"\]`).FindAllStringSubmatch(diagram[1], -1) {
		of[m[1]] = nodePackages(strings.Split(m[2], "<br>"))
	}
	label := regexp.MustCompile(`\["[^"]*"\]`)
	arrows := regexp.MustCompile(`(\w+) --> (\w+)`).FindAllStringSubmatch(label.ReplaceAllString(diagram[1], ""), -1)
	require.Greater(t, len(arrows), 10)
	for _, a := range arrows {
		from, to := of[a[1]], of[a[2]]
		require.NotEmpty(t, from, a[0])
		require.NotEmpty(t, to, a[0])
		require.True(t, slices.ContainsFunc(from, func(p string) bool {
			return slices.ContainsFunc(imports(t, p), func(i string) bool { return slices.Contains(to, i) })
		}), "no package of %v imports one of %v", from, to)
	}
}

// nodePackages reads the packages at the beginning of a label: `models/record, source` are two packages of models.
func nodePackages(lines []string) (list []string) {
	dir := ""
	for name := range strings.SplitSeq(strings.Join(lines, ", "), ",") {
		name = strings.TrimSpace(name)
		if d := filepath.ToSlash(filepath.Dir(name)); strings.Contains(name, "/") {
			dir = d + "/"
		} else if len(list) > 0 && dir != "" {
			name = dir + name
		}
		if info, err := os.Stat(filepath.Join(root, name)); name == "" || err != nil || !info.IsDir() {
			continue
		}
		list = append(list, name)
	}
	return list
}

// packages lists the directories of the module that hold Go files other than tests.
func packages(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	for _, path := range append(tracked(t), "graph/generated/x.go") {
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			found[filepath.ToSlash(filepath.Dir(path))] = true
		}
	}
	list := make([]string, 0, len(found))
	for p := range found {
		list = append(list, p)
	}
	slices.Sort(list)
	return list
}

// imports lists what the files of a package import of this module.
func imports(t *testing.T, dir string) (list []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range parsed.Imports {
			if p, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "rollcall/"); ours {
				list = append(list, p)
			}
		}
	}
	return list
}

// TestFilesThatTheDocumentsNameExist looks up every file that a document names with its directory.
func TestFilesThatTheDocumentsNameExist(t *testing.T) {
	t.Parallel()
	file := regexp.MustCompile("`([a-z_]+/[a-z0-9_/]+\\.(?:go|sql|md|yaml|json|graphqls))`")
	for _, path := range tracked(t) {
		if !strings.HasSuffix(path, ".md") || !strings.HasPrefix(path, "docs/") && strings.Contains(path, "/") {
			continue
		}
		for _, m := range file.FindAllStringSubmatch(read(t, path), -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s names %s, which does not exist", path, m[1])
			}
		}
	}
}
