package transport

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// strict checks the values of variables by the input coercion rules of the GraphQL specification (3.5, 3.9), which
// gqlgen's unmarshalers read more freely: "1" is no Int, and an enum's value has exactly its letters. It returns the
// variables as the executor takes them: an Int such as 1.0 becomes 1. What is no value of its type at all is left to
// the executor's validation.
func strict(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any) (map[string]any, *gqlerror.Error) {
	out := maps.Clone(given)
	for _, v := range op.VariableDefinitions {
		value, ok := given[v.Variable]
		if !ok {
			continue
		}
		coerced, wrong := coerce(schema, v.Type, value)
		if wrong != "" {
			err := refused(errcode.ValidationFailed, "variable "+v.Variable+": "+wrong)
			err.Extensions["field"] = v.Variable
			return nil, err
		}
		out[v.Variable] = coerced
	}
	return out, nil
}

// coerce returns a value as its type has it, or what is wrong with it.
func coerce(schema *ast.Schema, t *ast.Type, value any) (coerced any, wrong string) {
	if value == nil {
		return nil, ""
	}
	if t.Elem != nil {
		return coerceList(schema, t.Elem, value)
	}
	def := schema.Types[t.NamedType]
	if def == nil {
		return value, ""
	}
	switch def.Kind {
	case ast.Enum:
		name, ok := value.(string)
		if !ok || def.EnumValues.ForName(name) == nil {
			return nil, "a value of " + def.Name + " is one of " + names(def)
		}
	case ast.InputObject:
		members, ok := value.(map[string]any)
		if _, list := value.([]any); list {
			return nil, "a " + def.Name + " is an object, not a list"
		}
		if !ok {
			return nil, "a " + def.Name + " is an object, with members in braces"
		}
		return coerceMembers(schema, def, members)
	case ast.Scalar:
		return coerceScalar(def.Name, value)
	}
	return value, ""
}

// coerceList coerces each value of a list; a single value stands for a list of one.
func coerceList(schema *ast.Schema, elem *ast.Type, value any) (any, string) {
	values, ok := value.([]any)
	if !ok {
		return coerce(schema, elem, value)
	}
	out := make([]any, len(values))
	for i, v := range values {
		var wrong string
		if out[i], wrong = coerce(schema, elem, v); wrong != "" {
			return nil, wrong
		}
	}
	return out, ""
}

// coerceMembers coerces the members of an input object.
func coerceMembers(schema *ast.Schema, def *ast.Definition, members map[string]any) (any, string) {
	out := maps.Clone(members)
	for name, v := range members {
		field := def.Fields.ForName(name)
		if field == nil {
			continue
		}
		coerced, wrong := coerce(schema, field.Type, v)
		if wrong != "" {
			return nil, name + ": " + wrong
		}
		out[name] = coerced
	}
	return out, ""
}

// coerceScalar coerces a value of a scalar of the specification. Others read their own text.
func coerceScalar(name string, value any) (any, string) {
	number, isNumber := value.(json.Number)
	text, isText := value.(string)
	_, isBool := value.(bool)
	switch {
	case name == "Int" && isNumber:
		whole, zeros, _ := strings.Cut(number.String(), ".")
		if strings.ContainsAny(number.String(), "eE") {
			return nil, "an Int has no exponent: write all of its digits"
		}
		if strings.Trim(zeros, "0") != "" {
			return nil, "an Int has no fraction"
		}
		return json.Number(whole), ""
	case name == "Int":
		return nil, "an Int is a number, not text"
	case name == "Float" && !isNumber:
		return nil, "a Float is a number, not text"
	case name == "String" && !isText:
		return nil, "a String is text in quotation marks"
	case name == "Boolean" && !isBool:
		return nil, "a Boolean is true or false, without quotation marks"
	case name == "ID" && !isText && !isNumber:
		return nil, "an ID is text or an integer"
	case name == "ID" && isText:
		return text, ""
	}
	return value, ""
}

// names lists the values of an enum, in the order of the schema.
func names(def *ast.Definition) string {
	all := make([]string, len(def.EnumValues))
	for i, v := range def.EnumValues {
		all[i] = v.Name
	}
	return strings.Join(all, ", ")
}
