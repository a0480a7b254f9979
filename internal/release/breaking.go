package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Breaking lists what a client that was written for the old schema can stumble over in the new one, by the rules that
// GraphQL's own reference implementation has: a type, field, argument or value that is gone, a type that an old answer or
// variable does not fit, and an argument or input field that is newly required. Empty: nothing.
func Breaking(old, now *ast.Schema) []string {
	var found []string
	for name, was := range old.Types {
		if was.BuiltIn {
			continue
		}
		is := now.Types[name]
		switch {
		case is == nil:
			found = append(found, name+" is gone")
		case is.Kind != was.Kind:
			found = append(found, fmt.Sprintf("%s was %s and is %s", name, was.Kind, is.Kind))
		default:
			found = append(found, definition(was, is)...)
		}
	}
	slices.Sort(found)
	return found
}

// definition compares two types of one name and kind.
func definition(was, is *ast.Definition) (found []string) {
	for _, v := range was.EnumValues {
		if is.EnumValues.ForName(v.Name) == nil {
			found = append(found, was.Name+"."+v.Name+" is gone")
		}
	}
	for _, lists := range [][2][]string{{was.Types, is.Types}, {was.Interfaces, is.Interfaces}} {
		for _, name := range lists[0] {
			if !slices.Contains(lists[1], name) {
				found = append(found, was.Name+" is no longer beside "+name)
			}
		}
	}
	for _, f := range was.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			found = append(found, field(was, f, is.Fields.ForName(f.Name))...)
		}
	}
	if was.Kind != ast.InputObject {
		return found
	}
	for _, f := range is.Fields {
		if was.Fields.ForName(f.Name) == nil && required(f.Type, f.DefaultValue) {
			found = append(found, was.Name+"."+f.Name+" is newly required")
		}
	}
	return found
}

// field compares a field with what became of it, nil: it is gone.
func field(of *ast.Definition, was, is *ast.FieldDefinition) (found []string) {
	at := of.Name + "." + was.Name
	if is == nil {
		return []string{at + " is gone"}
	}
	fits := fitsOut(was.Type, is.Type)
	if of.Kind == ast.InputObject {
		fits = fitsOut(is.Type, was.Type)
	}
	if !fits {
		found = append(found, fmt.Sprintf("%s was %s and is %s", at, was.Type, is.Type))
	}
	for _, a := range was.Arguments {
		switch b := is.Arguments.ForName(a.Name); {
		case b == nil:
			found = append(found, fmt.Sprintf("%s(%s:) is gone", at, a.Name))
		case !fitsOut(b.Type, a.Type):
			found = append(found, fmt.Sprintf("%s(%s:) was %s and is %s", at, a.Name, a.Type, b.Type))
		}
	}
	for _, b := range is.Arguments {
		if was.Arguments.ForName(b.Name) == nil && required(b.Type, b.DefaultValue) {
			found = append(found, fmt.Sprintf("%s(%s:) is newly required", at, b.Name))
		}
	}
	return found
}

// fitsOut reports whether every value of the type now is one of the type was: the same, or one that is never null. Of
// what comes in, the types change places.
func fitsOut(was, now *ast.Type) bool {
	if was.NonNull && !now.NonNull {
		return false
	}
	if was.Elem != nil || now.Elem != nil {
		return was.Elem != nil && now.Elem != nil && fitsOut(was.Elem, now.Elem)
	}
	return was.NamedType == now.NamedType
}

// required reports whether a request without the argument or input field is refused.
func required(t *ast.Type, fallback *ast.Value) bool { return t.NonNull && fallback == nil }
