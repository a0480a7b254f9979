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

// rooms are the packages whose types make up a source document.
var rooms = []string{"ingest", "ingest/fetch", "ingest/decode", "ingest/mapping"}

// comments are the sentences above the fields of structs, by package, type and field: "rollcall/ingest.Source.ID".
type comments map[string]string

// readComments parses the packages of a source document.
func readComments(root string) (comments, error) {
	found := comments{}
	for _, room := range rooms {
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
			for _, name := range field.Names {
				c[room+"."+spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
			}
		}
		return true
	})
}

// of gives the sentence of a field.
func (c comments) of(owner reflect.Type, field string) string {
	return c[owner.PkgPath()+"."+owner.Name()+"."+field]
}
