// Package plan is what the generated writers of graph/generated/plans.go share: the selection that they walk, and how
// leaves are written. It knows no type of the schema and no resolver.
package plan

import (
	"math"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Field is a field that an operation selects.
type Field struct {
	Name   string  // in the schema
	key    string  // "alias": with the quotes and the colon
	Fields []Field // what is selected of its value, when that is an object
}

// Select collects the fields of a selection on an object of the schema, as GraphQL merges them: the same field twice,
// fragments, @skip and @include. ok is false when a field has no writer; planned holds those that have, as "Type.field".
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

// Begin appends the key of a member, and what parts it from the member before; i counts the members.
func (f *Field) Begin(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return append(b, f.key...)
}

// AppendInt appends a number.
func AppendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// AppendFloat appends a number; ok is false for one that JSON does not have.
func AppendFloat(b []byte, n float64) (_ []byte, ok bool) {
	return strconv.AppendFloat(b, n, 'g', -1, 64), !math.IsInf(n, 0) && !math.IsNaN(n)
}
