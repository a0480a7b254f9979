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
	name                string
	tree                *ast.File
	lines               int
	comments, code      int // lines
	wide                int // lines over 160 characters
	functions           int
	long                []string // functions over 60 lines, with their places
	structs, interfaces int
	fields, bare        int // exported fields of exported structs; those without a comment
}

// noticed finds the line that marks a generated file.
var noticed = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

func generated(text []byte) bool { return noticed.Match(text) }

// parse counts all of a file but its SQL, which takes the whole package.
func parse(name string, text []byte) (*file, error) {
	positions := token.NewFileSet()
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

// countLines tells lines of code from lines that hold nothing but a comment.
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
	for line := range comment {
		if !code[line] {
			f.comments++
		}
	}
	for line := range strings.Lines(string(text)) {
		if utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) > longLine {
			f.wide++
		}
	}
}

// countType counts a type and the exported fields of an exported struct. A comment above or behind a field documents it.
func (f *file) countType(t *ast.TypeSpec) {
	switch kind := t.Type.(type) {
	case *ast.InterfaceType:
		f.interfaces++
	case *ast.StructType:
		f.structs++
		for _, field := range kind.Fields.List {
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
