package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// shortest is the length in bytes up to which a string is never taken for a statement.
const shortest = 20

// What finds SQL in a string. The strings are not parsed: a rule that misjudges one in a hundred is good enough for a
// figure, and anybody can check it by hand.
var (
	// statement matches what begins like a statement, and part what begins like a piece of one. English
	// sentences that begin with the same word ("update the README", "with a certificate") are neither.
	statement = regexp.MustCompile(`(?is)^[\s(]*(` + strings.Join([]string{
		`select\s`, `insert\s+into\s`, `update\s+(only\s+)?[\w."]+(\s+(as\s+)?\w+)?\s+set\s`, `delete\s+from\s`, `merge\s+into\s`,
		`with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s+(not\s+)?(materialized\s*)?\(`,
		`create\s+(or\s+replace\s+)?(temp|temporary|unlogged|unique|table|index|view|materialized|function|procedure|trigger|type|domain|extension|schema|sequence|role|database)\b`,
		`(alter|drop)\s+(table|index|view|materialized|function|procedure|trigger|type|domain|extension|schema|sequence|role|database)\s`,
		`copy\s+[\w."(]+.*\s(from|to)\s+(stdin|stdout|')`, `lock\s+table\s`, `set\s+(local|session|constraints|transaction)\s`, `set\s+[\w.]+\s*=`,
		`(analyze|truncate|listen|notify|vacuum|reindex|cluster)\s+(table\s+)?[\w."]+\s*(,|;|\(|$)`,
		`refresh\s+materialized\s`, `comment\s+on\s`, `values\s*\(`, `do\s+\$`,
	}, `|`) + `)`)
	part = regexp.MustCompile(`(?is)^[\s(]*(` + strings.Join([]string{
		`(and|or|where)\s+(not\s+)?exists\s*\(`, `(not\s+)?exists\s*\(`, `order\s+by\s`, `group\s+by\s`,
		`on\s+conflict\b`, `(left|inner|cross|full)\s+join\s`, `join\s+[\w."(]+.*\son\s`,
		`case\s+when\s`, `union\s+(all\s+)?select\b`, `for\s+(no\s+key\s+)?update\b`, `returning\s+[\w.]+\s*(,|$)`, `coalesce\(`, `array_agg\(`,
		`(and|where)\s+[\w.]+\s*(=|<|>|is\s)`,
	}, `|`) + `)`)
	// piece matches what only SQL has, wherever it stands: a numbered placeholder that is compared, and a join.
	piece = regexp.MustCompile(`(?i)(=|<|>|\bany\s*\()\s*\$\d|\sjoin\s+[\w."]+(\s+\w+)?\s+(on|using)[\s(]`)
	from  = regexp.MustCompile(`(?i)\sfrom\s`)
	with  = regexp.MustCompile(`(?i)(\bselect|\swhere)\s`)
)

// isSQL reports whether a string is a statement or a piece of one, by its own text.
func isSQL(text string) bool {
	if len(text) <= shortest {
		return false
	}
	// The last rule is the weakest, so it alone asks whether the text may be a sentence.
	return statement.MatchString(text) || part.MatchString(text) || piece.MatchString(text) || (from.MatchString(text) && with.MatchString(text) && !prose(text))
}

// prose reports whether a text is a sentence for people, in which "from" and "where" stand by chance.
func prose(text string) bool {
	return !strings.ContainsAny(text, "=<>*") && !strings.Contains(strings.ToLower(text), "select ")
}

// joined is a concatenation of strings, or one string: its literals, and the names that stand among them.
type joined struct {
	literals []string
	names    []string
	// counted keeps a constant that several statements use from counting more than once.
	counted bool
}

// sql reports whether any literal is SQL. The others are then parts of the statement.
func (j *joined) sql() bool { return slices.ContainsFunc(j.literals, isSQL) }

// sqlBytes returns the size of the SQL in the strings of a package. What a statement names counts as SQL too,
// and so on through its names.
func sqlBytes(files []*file) (bytes int) {
	var all []*joined
	declared := map[string][]*joined{} // constants and variables of the package
	for _, f := range files {
		c := collector{declared: declared}
		ast.Inspect(f.tree, c.visit)
		all = append(all, c.all...)
	}
	var open []*joined
	for _, j := range all {
		if j.sql() {
			open = append(open, j)
		}
	}
	// Each statement leads to the constants that it names, and those to others.
	for len(open) > 0 {
		j := open[0]
		open = open[1:]
		if j.counted {
			continue
		}
		j.counted = true
		for _, l := range j.literals {
			bytes += len(l)
		}
		for _, name := range j.names {
			open = append(open, declared[name]...)
		}
	}
	return bytes
}

// collector finds the strings of a file.
type collector struct {
	all []*joined
	// declared has the strings of each constant and variable of the package, by name.
	declared map[string][]*joined
}

// visit takes the concatenations in a node, and leaves out import paths and struct tags.
func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Type != nil {
			ast.Inspect(n.Type, c.visit)
		}
		return false
	case *ast.ValueSpec:
		for i, value := range n.Values {
			// What is found within the value is what the name stands for.
			before := len(c.all)
			ast.Inspect(value, c.visit)
			if i < len(n.Names) {
				c.declared[n.Names[i].Name] = append(c.declared[n.Names[i].Name], c.all[before:]...)
			}
		}
		return false
	case *ast.BinaryExpr:
		// A statement in several pieces is one statement, of whatever its pieces look like.
		if n.Op == token.ADD {
			j := &joined{}
			c.gather(n, j)
			c.all = append(c.all, j)
			return false
		}
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			c.all = append(c.all, &joined{literals: []string{unquoted(n)}})
		}
	}
	return true
}

// gather adds the operands of a concatenation. Operands of another kind, such as calls, are searched for
// strings of their own.
func (c *collector) gather(e ast.Expr, j *joined) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			c.gather(e.X, j)
			c.gather(e.Y, j)
			return
		}
		ast.Inspect(e, c.visit)
	case *ast.ParenExpr:
		c.gather(e.X, j)
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			j.literals = append(j.literals, unquoted(e))
		}
	case *ast.Ident:
		j.names = append(j.names, e.Name)
	default:
		ast.Inspect(e, c.visit)
	}
}

// unquoted returns the value of a string literal.
func unquoted(l *ast.BasicLit) string {
	text, err := strconv.Unquote(l.Value)
	if err != nil {
		return l.Value // the parser took it
	}
	return text
}
