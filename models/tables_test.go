package models_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// guarded are names that only some packages may read, because withheld records are behind them.
type guarded struct {
	names *regexp.Regexp
	by    []string // folders that may name them
}

// writers are the package that writes records, and those below it.
var writers = []string{
	"models/claim", "models/claim/internal/engine", "models/claim/internal/roster", "models/claim/internal/court", "models/claim/internal/offender",
}

// records are the tables of records and of the claims that they come from, which one package writes. All others read views
// that say what they show.
var records = guarded{
	names: named("bookings", "booking_charges", "court_cases", "case_charges", "hearings", "dispositions", "corrections_records", "record_changes",
		"roster_claims", "court_claims", "corrections_claims", "claim_moves", "merged_links"),
	by: writers,
}

// seen is the view of when sources showed a record, which those who show records may read.
var seen = guarded{names: named("claims_seen"), by: append([]string{"models/record"}, writers...)}

// known are the views of all records. What readers of records get, and what is shown, does not come from there.
var known = guarded{
	names: named("known_bookings", "known_cases", "known_corrections", "withheld_bookings", "withheld_cases", "cases_to_link", "stays_to_link", "known_roster_claims", "pending_claims"),
	by:    append([]string{"models/source", "models/link", "models/alert", "models/delivery", "models/account"}, writers...),
}

// named matches relations where SQL or GORM names one: behind a keyword, a comma of a list of relations, or a comma behind the
// alias of a subquery. A schema may stand before the name.
func named(relations ...string) *regexp.Regexp {
	const keyword = `\b(?:from|join|into|update|using|table|truncate|copy|references|only)\s+(?:[\w. ]+,\s*)*`
	const subquery = `\)\s+(?:as\s+)?\w+(?:\s*\([^()]*\))?\s*,\s*`
	return regexp.MustCompile(`(?i)(?:` + keyword + `|` + subquery + `)"?(?:public"?\."?)?(` + strings.Join(relations, "|") + `)\b`)
}

// named reports whether a text is the name of a relation and nothing else.
func (g *guarded) named(text string) bool {
	m := g.names.FindStringSubmatch("table " + text)
	return m != nil && strings.EqualFold(m[1], text)
}

// comment is a comment of SQL, which may name what it likes.
var comment = regexp.MustCompile(`--[^\n]*`)

// namedBy lists the relations among names that a text of SQL names.
func (g *guarded) namedBy(sql string) (found []string) {
	for _, m := range g.names.FindAllStringSubmatch(comment.ReplaceAllString(sql, ""), -1) {
		found = append(found, m[1])
	}
	return found
}

// namedIn lists those that the strings of a Go file name. A string that a call takes for a relation, or TableName returns, is
// one name, with an alias maybe. Packages below models, which alone ask the database, do not name one in any string of its own, as a
// constant or an argument may become part of a statement. Keys and texts of logs are no names.
func (g *guarded) namedIn(t *testing.T, name string, source []byte) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	text := func(e ast.Expr) (string, bool) {
		l, ok := e.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(l.Value)
		require.NoError(t, err)
		return s, true
	}
	taken := map[ast.Expr]bool{} // texts that are no names, or that a call took for one
	relation := func(all ...ast.Expr) {
		for _, e := range all {
			if s, ok := text(e); ok {
				found = append(found, g.namedBy("table "+s)...)
				taken[e] = true
			}
		}
	}
	dir := filepath.ToSlash(filepath.Dir(name))
	below := strings.HasPrefix(dir, "models/") && dir != "models/history" // which asks nothing: names of GraphQL's fields
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil {
				taken[n.Tag] = true
			}
		case *ast.KeyValueExpr:
			taken[n.Key] = true
		case *ast.BasicLit:
			s, ok := text(n)
			switch {
			case !ok:
			case below && !taken[n] && g.named(s):
				found = append(found, strings.ToLower(s))
			default:
				found = append(found, g.namedBy(s)...)
			}
		case *ast.CallExpr:
			called := ""
			switch f := n.Fun.(type) {
			case *ast.SelectorExpr:
				called = f.Sel.Name
			case *ast.Ident:
				called = f.Name
			}
			switch {
			case slices.Contains([]string{"Table", "Copy", "stage"}, called):
				relation(n.Args...)
			case slices.Contains([]string{"Debug", "Info", "Warn", "Error", "With", "LogAttrs"}, called):
				for _, e := range n.Args {
					taken[e] = true
				}
			}
		case *ast.CompositeLit:
			if s, ok := n.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Identifier" {
				relation(n.Elts...)
			}
		case *ast.FuncDecl:
			if n.Name.Name == "TableName" {
				ast.Inspect(n.Body, func(in ast.Node) bool {
					if r, ok := in.(*ast.ReturnStmt); ok {
						relation(r.Results...)
					}
					return true
				})
			}
		}
		return true
	})
	return found
}

// written are the files of the module that are neither tests nor builders of tests, by their path in it.
func written(t *testing.T, see func(path string, text []byte)) {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		in, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && in != "." || slices.Contains([]string{"models/migrations", "internal/testdb", "models/internal", "bench/peers"}, in) {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(in, "_test.go") || filepath.Ext(in) != ".go" && filepath.Ext(in) != ".sql" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			see(in, text)
		}
		return err
	})
	require.NoError(t, err)
}

// offenders lists what a file names that its folder may not.
func (g *guarded) offenders(t *testing.T, path string, text []byte) (found []string) {
	t.Helper()
	if slices.Contains(g.by, strings.TrimSuffix(filepath.ToSlash(filepath.Dir(path)), "/sql")) {
		return nil
	}
	if filepath.Ext(path) == ".sql" {
		found = g.namedBy(string(text))
	} else {
		found = g.namedIn(t, path, text)
	}
	for i, name := range found {
		found[i] = path + ": " + name
	}
	return found
}

func TestOnlyClaimsNameTheTablesOfRecords(t *testing.T) {
	t.Parallel()
	var found []string
	files := 0
	written(t, func(path string, text []byte) {
		files++
		found = append(found, records.offenders(t, path, text)...)
		found = append(found, known.offenders(t, path, text)...)
		found = append(found, seen.offenders(t, path, text)...)
	})
	require.Greater(t, files, 500)
	require.Empty(t, found, "read a view of models/migrations that says what it shows")
}

// What the test above finds, and what it leaves alone.
func TestNamesOfTablesAreFound(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string][]string{
		"select 1 from bookings where withheld is null":                     {"bookings"},
		"select 1 from sources s, court_cases c":                            {"court_cases"},
		"update hearings p\nset snapshot_at = @at\nfrom court_cases c":      {"hearings", "court_cases"},
		"left join corrections_records\n  o using (cid)":                    {"corrections_records"},
		"select 1 from sources s, roster_claims c":                          {"roster_claims"},
		"select 1 from public.bookings":                                     {"bookings"},
		`select 1 from "public"."hearings"`:                                 {"hearings"},
		"select 1 from sources s, lateral (select 1) x, bookings b":         {"bookings"},
		"select 1 from lateral (values (1)) as x (a), court_cases":          {"court_cases"},
		"select lower(name) n, 2 hearings from sources":                     nil,
		"select 1 from known_roster_claims join claims_seen using (record)": nil,
		"select 1 from published_bookings b where b.bookings = @bookings":   nil,
		"-- from bookings\nselect 1":                                        nil,
	} {
		require.Equal(t, want, records.namedBy(sql), sql)
	}
	for source, want := range map[string]int{
		"func f() { q(`select 1\n from Bookings`) }":                              1,
		`func f() { db.Table("bookings b").Where("bookings") }`:                   1,
		`func f() { tx.CopyFrom(ctx, pgx.Identifier{"case_charges"}, nil, nil) }`: 1,
		`func f() { db.Copy(ctx, tx, "record_changes", nil, nil) }`:               1,
		`func (x) TableName() string { return "dispositions" }`:                   1,
		`func f() { fmt.Println("bookings", "2 hearings") }`:                      0,
		`func (x) TableName() string { return "published_dispositions" }`:         0,
	} {
		require.Len(t, records.offenders(t, "graph/x.go", []byte("package x\n"+source)), want, source)
	}
	for source, want := range map[string]int{
		`const t = "bookings"; func f() { db.Table(t) }`:                       1,
		`var x = clause.Table{Name: "bookings"}`:                               1,
		`func f() { q(fmt.Sprintf("from %s", "Bookings")) }`:                   1,
		`func f() { db.Table("bookings") }`:                                    1,
		`func f() { db.Table("public.bookings b") }`:                           1,
		"type x struct { A []int `hearings` }":                                 0,
		`var x = map[string]int{"hearings": 1}`:                                0,
		`func f() { q("select 1 from " + "hearings") }`:                        1,
		`func f() { log.Info("read", "hearings", 2) }`:                         0,
		`func f() error { return fmt.Errorf("read hearings of %d cases", 2) }`: 0,
	} {
		require.Len(t, records.offenders(t, "models/x/x.go", []byte("package x\n"+source)), want, source)
	}
	require.Empty(t, records.offenders(t, "models/claim/sql/x.sql", []byte("select 1 from bookings")))
	require.Len(t, known.offenders(t, "models/record/sql/x.sql", []byte("select 1 from known_cases")), 1)
}
