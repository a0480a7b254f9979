package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
)

// rooms are the packages whose types make up a source document. A type of another package would have no
// sentences.
var rooms = []string{"ingest", "ingest/fetch", "ingest/decode", "ingest/mapping", "ingest/part", "ingest/step"}

// comments are the comments above the fields of structs, on one line, by package, type and field:
// "rollcall/ingest.Source.ID".
type comments map[string]string

// readComments parses the packages of a source document below root. Types are read as text, because a compiled
// program has no comments.
func readComments(root string) (comments, error) {
	found := comments{}
	for _, room := range rooms {
		// Test files are parsed too; they declare no type of a document.
		files, err := filepath.Glob(filepath.Join(root, room, "*.go"))
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", room, err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				return nil, fmt.Errorf("parse %s: %w", file, err)
			}
			found.add("rollcall/"+room, parsed)
		}
	}
	return found, nil
}

// add collects the comments of the structs that a file declares.
func (c comments) add(room string, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		body, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range body.Fields.List {
			// A comment behind a field is not read: only a full sentence above it is fit for the page.
			for _, name := range field.Names {
				c[room+"."+spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
			}
		}
		return true
	})
}

// of returns the sentence of a field, or an empty text.
func (c comments) of(owner reflect.Type, field string) string {
	return c[owner.PkgPath()+"."+owner.Name()+"."+field]
}
