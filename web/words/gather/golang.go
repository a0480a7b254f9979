package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"rollcall/web/words"
)

// titled are functions that take the title of a page, with the place of it among their arguments.
var titled = map[string]int{"Entitled": 0, "frame": 1, "records": 1, "WithoutPlan": 1, "said": 2}

// failing are functions that make an error, with the place of its message among their arguments.
var failing = map[string]int{"Invalid": 1, "InvalidBody": 1, "NotFound": 0, "conflict": 0}

// plain are functions that make an error without a code, with the place of its message. They count in the files of said, whose errors
// pages show: that a webhook's address is refused, and why.
var (
	plain = map[string]int{"New": 0, "Errorf": 0}
	said  = map[string]bool{"address.go": true}
)

// saying are functions of package ingest that say something of a source, with the place of it among their arguments: what is wrong with
// a document or a row, and why a snapshot is not whole.
var saying = map[string]int{"Add": 1, "reject": 1, "doubt": 0}

// lists are variables that map a word to a message.
var lists = map[string]bool{"done": true, "titles": true}

// goFile adds the messages of a Go file: T("..."), titles, and the messages of errors. Of a file that is not of the pages only errors
// are taken.
func goFile(name string, ofPages bool, all used) error {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	file := filepath.Base(name)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called := nameOf(n.Fun)
			if called == "T" && ofPages && len(n.Args) > 0 {
				all.add(literal(n.Args[0]), file)
			}
			if i, ok := titled[called]; ok && ofPages && len(n.Args) > i {
				all.add(literal(n.Args[i]), file)
			}
			if i, ok := failing[called]; ok && len(n.Args) > i {
				failure(n.Args[i], all)
			}
			if i, ok := saying[called]; ok && strings.Contains(filepath.ToSlash(name), "../ingest/") && len(n.Args) > i {
				phrase(n.Args[i], all)
			}
			if i, ok := plain[called]; ok && !ofPages && said[file] && len(n.Args) > i {
				failure(n.Args[i], all)
			}
		case *ast.KeyValueExpr:
			switch key := nameOf(n.Key); {
			case ofPages && (key == "Title" || key == "About"):
				all.add(literal(n.Value), file)
			case key == "Message":
				failure(n.Value, all)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if s := nameOf(left); ofPages && len(n.Rhs) == len(n.Lhs) && (s == "Title" || s == "title") {
					all.add(literal(n.Rhs[i]), file)
				}
			}
		case *ast.ValueSpec:
			if ofPages && len(n.Values) == 1 && lists[n.Names[0].Name] {
				values(n.Values[0], file, all)
			}
		}
		return true
	})
	return nil
}

// values adds the values of a map.
func values(e ast.Expr, file string, all used) {
	c, ok := e.(*ast.CompositeLit)
	if !ok {
		return
	}
	for _, el := range c.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			all.add(literal(kv.Value), file)
		}
	}
}

// nameOf returns the last part of a name.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// literal returns a text that is written out; "" for any other.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return s
		}
	case *ast.BinaryExpr:
		if a, b := literal(e.X), literal(e.Y); e.Op == token.ADD && a != "" && b != "" {
			return a + b
		}
	}
	return ""
}

// failure adds the message of an error, as the sentence that a page makes of it.
func failure(e ast.Expr, all used) {
	n := 0
	s := format(e, &n)
	if s == "" || strings.HasPrefix(s, "{1}") && n == 1 && len(s) < len("{1}")+3 {
		return
	}
	all.add(sentence(s), words.ErrorsFile)
}

// phrase adds what ingest says of a source. One of values alone says nothing of its own. A value that is joined to the end is a phrase
// itself, such as what may have been meant.
func phrase(e ast.Expr, all used) {
	n := 0
	s := joined.ReplaceAllString(strings.ReplaceAll(format(e, &n), "%%", "%"), "$1")
	if !foreign.MatchString(s) && strings.ContainsFunc(places.ReplaceAllString(s, ""), unicode.IsLetter) {
		all.add(s, words.SaidFile)
	}
}

// places are those of a message, joined is one at the end without a space, and foreign has signs that no catalogue may have: it stays
// English.
var (
	places  = regexp.MustCompile(`\{\d+\}`)
	joined  = regexp.MustCompile(`([\w}])\{\d+\}$`)
	foreign = regexp.MustCompile(`\{[a-z]|["\\]| @`)
)

// sentence returns what package page makes of an error.
func sentence(s string) string {
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}

// verb is a place of a format.
var verb = regexp.MustCompile(`%[+.0-9]*[a-z]`)

// format returns a text with places for what is not written out.
func format(e ast.Expr, n *int) string {
	next := func() string {
		*n++
		return "{" + strconv.Itoa(*n) + "}"
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return verb.ReplaceAllStringFunc(literal(e), func(string) string { return next() })
	case *ast.BinaryExpr:
		return format(e.X, n) + format(e.Y, n)
	case *ast.CallExpr:
		if nameOf(e.Fun) != "Sprintf" || len(e.Args) == 0 || literal(e.Args[0]) == "" {
			return next()
		}
		return format(e.Args[0], n)
	}
	return next()
}
