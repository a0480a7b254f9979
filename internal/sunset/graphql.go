package sunset

import (
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

// OfOperation returns the notice of the fields and arguments that a validated operation uses; of several the earliest dates.
func OfOperation(op *ast.OperationDefinition) Notice {
	return ofSelections(op.SelectionSet, map[string]bool{})
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
	n, _ = Reason(f.Definition.Directives.ForName("deprecated"))
	for _, a := range f.Arguments {
		if d := f.Definition.Arguments.ForName(a.Name); d != nil {
			of, _ := Reason(d.Directives.ForName("deprecated"))
			n = n.with(of)
		}
	}
	return n
}
