package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"
)

// file is what was counted of one source file.
type file struct {
	name string
	// tree is the syntax tree, in which the strings are searched for SQL.
	tree  *ast.File
	lines int
	// comments counts lines that hold only a comment, and code all others that are not blank.
	comments, code int
	// wide counts lines over longLine.
	wide      int
	functions int
	// long are the functions over longFunction, with their places.
	long                []string
	structs, interfaces int
	// fields are exported fields of exported structs, and bare those of them without a comment.
	fields, bare int
}

// noticed matches the line that marks a generated file, as the go command defines it.
var noticed = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// generated reports whether a file was written by a program.
func generated(text []byte) bool { return noticed.Match(text) }

// parse counts everything of a file but its SQL, for which the whole package is needed.
func parse(name string, text []byte) (*file, error) {
	positions := token.NewFileSet()
	// Comments are parsed too, since fields are asked whether they have one.
	tree, err := parser.ParseFile(positions, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", name, err)
	}
	f := &file{name: name, tree: tree, lines: strings.Count(string(text), "\n")}
	f.countLines(text)
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			f.functions++
			// The comment above a function is no part of its length.
			from, to := positions.Position(decl.Pos()), positions.Position(decl.End())
			if n := to.Line - from.Line + 1; n > longFunction {
				f.long = append(f.long, fmt.Sprintf("%s:%d: %s, %d lines", name, from.Line, decl.Name.Name, n))
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					f.countType(t)
				}
			}
		}
	}
	return f, nil
}

// countLines separates lines of code from lines that hold only a comment. It uses the scanner, because a string
// may contain what looks like a comment.
func (f *file) countLines(text []byte) {
	positions := token.NewFileSet()
	source := positions.AddFile(f.name, -1, len(text))
	var s scanner.Scanner
	s.Init(source, text, nil, scanner.ScanComments)
	code, comment := map[int]bool{}, map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && literal == "\n" { // the scanner's own, at the end of a line
			continue
		}
		// A literal or comment of several lines counts on each of them.
		into := code
		if tok == token.COMMENT {
			into = comment
		}
		first := source.Line(pos)
		for line := first; line <= first+strings.Count(literal, "\n"); line++ {
			into[line] = true
		}
	}
	f.code = len(code)
	// A comment behind code makes no comment line.
	for line := range comment {
		if !code[line] {
			f.comments++
		}
	}
	// Characters count and not bytes: a line is wide to the eye.
	for line := range strings.Lines(string(text)) {
		if utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) > longLine {
			f.wide++
		}
	}
}

// countType counts a type and the exported fields of an exported struct. A comment above or behind a field
// documents it. Embedded fields have no name of their own and do not count.
func (f *file) countType(t *ast.TypeSpec) {
	switch kind := t.Type.(type) {
	case *ast.InterfaceType:
		f.interfaces++
	case *ast.StructType:
		f.structs++
		for _, field := range kind.Fields.List {
			// One comment documents all names of a line.
			for _, name := range field.Names {
				if !name.IsExported() || !t.Name.IsExported() {
					continue
				}
				f.fields++
				if field.Doc == nil && field.Comment == nil {
					f.bare++
				}
			}
		}
	}
}
