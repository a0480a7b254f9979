package sunset

import (
	"cmp"
	"regexp"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// dates are those that the reason of @deprecated ends with.
var dates = regexp.MustCompile(`Since (\d{4}-\d\d-\d\d), until (\d{4}-\d\d-\d\d)\.$`)

// Reason reads the reason of @deprecated: what to use instead, then "Since 2027-01-01, until 2027-07-01." ok is false when
// the dates are missing.
func Reason(d *ast.Directive) (n Notice, ok bool) {
	if d == nil || d.Arguments.ForName("reason") == nil {
		return n, false
	}
	m := dates.FindStringSubmatch(d.Arguments.ForName("reason").Value.Raw)
	if m == nil {
		return n, false
	}
	since, err := time.Parse(time.DateOnly, m[1])
	if err != nil {
		return n, false
	}
	until, err := time.Parse(time.DateOnly, m[2])
	return Notice{since, until}, err == nil && until.After(since)
}

// OfOperation returns the notice of the fields, arguments and input fields that a validated operation uses with its variables;
// of several the earliest dates.
func OfOperation(schema *ast.Schema, op *ast.OperationDefinition, variables map[string]any) Notice {
	n := ofSelections(op.SelectionSet, map[string]bool{})
	for _, v := range op.VariableDefinitions {
		n = n.with(ofValue(schema, v.Type, variables[v.Variable]))
	}
	return n
}

// ofValue reads the input fields of the value of a variable.
func ofValue(schema *ast.Schema, t *ast.Type, value any) (n Notice) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			n = n.with(ofValue(schema, cmp.Or(t.Elem, t), v))
		}
	case map[string]any:
		def := schema.Types[t.Name()]
		for name, v := range value {
			if f := inputField(def, name); f != nil {
				n = n.with(reasonOf(f.Directives)).with(ofValue(schema, f.Type, v))
			}
		}
	}
	return n
}

// ofLiteral reads the input fields of a value that stands in the document.
func ofLiteral(v *ast.Value) (n Notice) {
	for _, child := range v.Children {
		if f := inputField(v.Definition, child.Name); f != nil {
			n = n.with(reasonOf(f.Directives))
		}
		n = n.with(ofLiteral(child.Value))
	}
	return n
}

// inputField returns a field of an input object; nil: the type is none, or has no such field.
func inputField(def *ast.Definition, name string) *ast.FieldDefinition {
	if def == nil || def.Kind != ast.InputObject {
		return nil
	}
	return def.Fields.ForName(name)
}

// reasonOf returns the notice of @deprecated among directives.
func reasonOf(d ast.DirectiveList) Notice {
	n, _ := Reason(d.ForName("deprecated"))
	return n
}

// ofSelections reads a selection set. Each fragment is read once.
func ofSelections(set ast.SelectionSet, read map[string]bool) (n Notice) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			n = n.with(ofField(s)).with(ofSelections(s.SelectionSet, read))
		case *ast.InlineFragment:
			n = n.with(ofSelections(s.SelectionSet, read))
		case *ast.FragmentSpread:
			if !read[s.Name] && s.Definition != nil {
				read[s.Name] = true
				n = n.with(ofSelections(s.Definition.SelectionSet, read))
			}
		}
	}
	return n
}

// ofField reads a field with the arguments that it was given.
func ofField(f *ast.Field) (n Notice) {
	if f.Definition == nil {
		return n
	}
	n = reasonOf(f.Definition.Directives)
	for _, a := range f.Arguments {
		if d := f.Definition.Arguments.ForName(a.Name); d != nil {
			n = n.with(reasonOf(d.Directives)).with(ofLiteral(a.Value))
		}
	}
	return n
}
