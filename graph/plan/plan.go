// Package plan is what the generated writers in graph/generated/plans.go share: the selection that
// they walk, and how leaves are written as JSON (docs/decisions/0007-plans.md).
//
// It knows no type of the schema and no resolver; package graph/plan/gen writes those into the
// generated file. Package graph calls Select for each field of Query and passes the result on to
// the writers.
package plan

import (
	"math"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Field is a field that an operation selects. Writers only read it.
type Field struct {
	// Name is the field's name in the schema, not its alias.
	Name string
	// The member's key in JSON with quotes and colon: "alias":
	key string
	// Fields is what is selected of the field's value; nil when that is a leaf.
	Fields []Field
}

// Select collects the fields of a selection on an object of the schema, merged as GraphQL does: the
// same field twice, fragments, @skip and @include. planned holds the fields that have a writer, as
// "Type.field". ok is false when a selected field has none; then the executor has to resolve all of
// it.
func Select(op *graphql.OperationContext, schema *ast.Schema, def *ast.Definition, selected ast.SelectionSet, planned map[string]bool) (list []Field, ok bool) {
	satisfied := []string{def.Name}
	for _, of := range schema.GetImplements(def) {
		satisfied = append(satisfied, of.Name)
	}
	collected := graphql.CollectFields(op, selected, satisfied)
	list = make([]Field, len(collected))
	for i, c := range collected {
		if c.Name != typeName && !planned[def.Name+"."+c.Name] {
			return nil, false
		}
		list[i] = Field{Name: c.Name, key: `"` + c.Alias + `":`}
		if len(c.Selections) == 0 {
			continue
		}
		if list[i].Fields, ok = Select(op, schema, schema.Types[c.Definition.Type.Name()], c.Selections, planned); !ok {
			return nil, false
		}
	}
	return list, true
}

const typeName = "__typename"

// Begin appends the key of a member, and the comma that separates it from the member before. i
// counts the members of its object from 0.
func (f *Field) Begin(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return append(b, f.key...)
}

// AppendInt appends an integer.
func AppendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// AppendFloat appends a number. ok is false for infinity and for what is no number: JSON has
// neither.
func AppendFloat(b []byte, n float64) (_ []byte, ok bool) {
	return strconv.AppendFloat(b, n, 'g', -1, 64), !math.IsInf(n, 0) && !math.IsNaN(n)
}
