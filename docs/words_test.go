package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// retired are words that had a private meaning here, and the word that is used instead. One word stands for one thing,
// in code, SQL, documents, the schemas of both APIs and what the program prints. A pattern is as narrow as it must be: "lead", "moved", "lost", "room", "stay", "print" and
// "would" are ordinary English in sentences, so they are looked for only where they cannot be.
var retired = []struct {
	pattern string // of a whole word, in lower-case letters
	where   string // n: exported names of Go, field: of struct fields alone, s: SQL, d: sentences that people read
	now     string
}{
	{"told", "n s d", "reported, stated"},
	{"heed|heeds|heeded|heeding", "n s d", "apply, resolve"},
	{"learnt", "n s d", "known, resolved"},
	{"sightings?", "n s d", "claim"},
	{"sealed", "n s d", "encrypted of bytes, withheld of records; `sealed` stays the name of a notice on the wire"},
	{"hushed", "n s d", "cancelled deliveries"},
	{"muted?", "n s d", "unknown"},
	{"spurned", "n s d", "disproved"},
	{"akin", "n s d", "alike in name"},
	{"prints?", "field s", "fingerprint"},
	{"upset|upheavals?", "n s d", "mass-change guard"},
	{"turned", "n s", "key-turnover guard"},
	{"would", "n s", "impact"},
	{"cleared|waived", "n s d", "approved"},
	{"awaits|awaited|awaiting", "n s d", "pending"},
	{"faded|strange|blind|obscure", "n s d", "missing field, unknown field, unreadable"},
	{"grown", "n s", "age evidence"},
	{"verdicts?", "n s d", "completeness, link decision, hit feedback"},
	{"registrations?", "n s d", "endpoint"},
	{"feeds?", "s d", "source, change feed, calendar subscription"},
	{"rooms", "d", "package"},
	{"whoever|tells|gives", "d", "a plain subject and verb"},
}

// allowed are the places where a retired word still stands, by the beginning of a path, with the words: the kind of event,
// the notice and the reason of a delivery that the wire calls `sealed`; the member `verdict` of hits; the kind of River's
// jobs in stored queues. No line may be added.
var allowed = []struct{ place, words string }{
	{"models/claim/internal/roster/sql/events.sql", "sealed"},
	{"models/db/job.go", "feed"},
	{"models/delivery/sql/queue.sql", "sealed"},
	{"models/migrations/", "sealed"},
	{"models/alert/hit.go", "verdict"},
	{"models/webhook.go", "sealed"},
	{"rest/hits.go", "verdict"},
}

func TestRetiredWordsDoNotComeBack(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	var found []string
	retired := compiled()
	check := func(kind, path, text, word string) {
		for _, r := range retired {
			if r.in[kind] && r.pattern.MatchString(word) && !isAllowed(path, word, used) {
				found = append(found, path+": "+text+" ("+word+"; write "+r.now+")")
			}
		}
	}
	for _, path := range tracked(t) {
		switch {
		case strings.HasSuffix(path, ".sql"):
			for _, word := range plain.FindAllString(strings.ToLower(comments.ReplaceAllString(read(t, path), "")), -1) {
				check("s", path, word, word)
			}
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			for _, name := range exported(t, path) {
				for _, word := range split(name.text) {
					check(name.kind, path, name.text, word)
				}
			}
		}
		for _, text := range proseOf(t, path) {
			for line := range strings.SplitSeq(sentences(text), "\n") {
				for _, word := range plain.FindAllString(strings.ToLower(line), -1) {
					check("d", path, line, word)
				}
			}
		}
	}
	slices.Sort(found)
	require.Empty(t, strings.Join(slices.Compact(found), "\n"))
	for _, a := range allowed {
		for word := range strings.FieldsSeq(a.words) {
			if !used[a.place+" "+word] {
				t.Logf("nothing in %s says %q any more: take it out of the list", a.place, word)
			}
		}
	}
}

type pattern struct {
	pattern *regexp.Regexp
	in      map[string]bool // the kinds of texts that are searched
	now     string
}

func compiled() []pattern {
	var list []pattern
	for _, r := range retired {
		p := pattern{regexp.MustCompile(`^(` + r.pattern + `)$`), map[string]bool{}, r.now}
		for kind := range strings.FieldsSeq(r.where) {
			p.in[kind] = true
		}
		p.in["field"] = p.in["field"] || p.in["n"]
		list = append(list, p)
	}
	return list
}

func isAllowed(path, word string, used map[string]bool) bool {
	for _, a := range allowed {
		if strings.HasPrefix(path, a.place) && slices.Contains(strings.Fields(a.words), word) {
			used[a.place+" "+word] = true
			return true
		}
	}
	return false
}

var (
	root     = ".."
	plain    = regexp.MustCompile(`[a-z]+`)
	comments = regexp.MustCompile(`--[^\n]*`) // comments of SQL are sentences
)

// tracked lists the files of the repository with a slash in between, without what is generated or is data of tests.
func tracked(t *testing.T) []string {
	t.Helper()
	var paths []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && path != root || strings.HasSuffix(filepath.ToSlash(path), "graph/generated")) {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			rel, err := filepath.Rel(root, path)
			paths = append(paths, filepath.ToSlash(rel))
			return err
		}
		return nil
	}))
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(text)
}

var unspoken = regexp.MustCompile("(?s)```.*?```|``.*?``|`[^`\n]*`|\\]\\([^)]*\\)|\"[^\"\n]*\"|<!--.*?-->")

// sentences is a document without code, quotations and the targets of links.
func sentences(text string) string {
	return unspoken.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
}

type name struct{ text, kind string }

// exported lists the exported names that a file declares.
func exported(t *testing.T, path string) []name {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(path)), nil, 0)
	require.NoError(t, err)
	var names []name
	add := func(kind string, ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				names = append(names, name{id.Name, kind})
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add("n", n.Name)
			return false
		case *ast.TypeSpec:
			add("n", n.Name)
		case *ast.ValueSpec:
			add("n", n.Names...)
		case *ast.Field:
			add("field", n.Names...)
		}
		return true
	})
	return names
}

// split cuts a name of Go into its words, in lower-case letters.
func split(name string) []string {
	var words []string
	var word []rune
	letters := []rune(name)
	for i, r := range letters {
		begins := unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins {
			words, word = append(words, string(word)), nil
		}
		word = append(word, unicode.ToLower(r))
	}
	return append(words, string(word))
}
