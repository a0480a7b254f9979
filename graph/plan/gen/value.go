package main

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

// refuse is the statement by which a writer gives up. The executor then begins anew and says what
// is wrong with the value.
const refuse = "return b, false\n"

// writable reports whether value can write values of a type: objects, leaves, and lists of either.
func writable(ref *config.TypeReference) bool {
	for ref.IsSlice() || ref.IsPtr() {
		ref = ref.Elem()
	}
	return ref.GQL.Elem == nil && (ref.Definition.Kind == ast.Object || leaf(ref, "") != "")
}

// value returns the statements that append the value of an expression of that type.
func value(ref *config.TypeReference, from string) string {
	switch {
	case ref.IsSlice():
		return list(ref, from)
	case ref.Definition.Kind == ast.Object && ref.IsPtr():
		return unlessNil(ref, from, one(ref, from))
	case ref.Definition.Kind == ast.Object:
		return one(ref, "&"+from)
	case ref.IsPtr():
		return unlessNil(ref, from, leaf(ref.Elem(), "*"+from))
	}
	return leaf(ref, from)
}

// one returns the statements that append the object at a pointer that is not nil.
func one(ref *config.TypeReference, at string) string {
	return fmt.Sprintf("var ok bool\nif b, ok = p.write%s(ctx, b, f.Fields, %s); !ok {\n%s}\n", ref.Definition.Name, at, refuse)
}

// unlessNil returns the statements for a pointer: null where the schema permits it, otherwise the
// writer gives up.
func unlessNil(ref *config.TypeReference, from, otherwise string) string {
	null := "b = append(b, \"null\"...)\n"
	if ref.GQL.NonNull {
		return fmt.Sprintf("if %s == nil {\n%s}\n%s", from, refuse, otherwise)
	}
	return fmt.Sprintf("if %s == nil {\n%s} else {\n%s}\n", from, null, otherwise)
}

// list returns the statements that append a list. A nil list is empty where the schema forbids
// null: lists on the wire are never null.
func list(ref *config.TypeReference, from string) string {
	elements := fmt.Sprintf("b = append(b, '[')\nfor i := range %[1]s {\nif i > 0 {\nb = append(b, ',')\n}\n%[2]s}\nb = append(b, ']')\n",
		from, value(ref.Elem(), from+"[i]"))
	if ref.GQL.NonNull { // one that is nil is empty
		return elements
	}
	return unlessNil(ref, from, elements)
}

// leaf returns the statements that append a scalar or an enum, or "" where there is no way to
// append it. A scalar of our own is appended by the function beside its marshaler: AppendDate
// beside MarshalDate.
func leaf(ref *config.TypeReference, from string) string {
	if ref.HasEnumValues() {
		return enum(ref, from)
	}
	if ref.Marshaler == nil || ref.IsMarshaler {
		return ""
	}
	plain, pkg := from, ref.Marshaler.Pkg()
	if ref.CastType != nil && templates.CurrentImports != nil {
		plain = templates.CurrentImports.LookupType(ref.CastType) + "(" + from + ")"
	}
	switch name := ref.Marshaler.Name(); {
	case pkg.Path() != "github.com/99designs/gqlgen/graphql":
		own := strings.Replace(name, "Marshal", "Append", 1) // such as scalar.AppendDate beside scalar.MarshalDate
		if _, ok := pkg.Scope().Lookup(own).(*types.Func); !ok {
			return ""
		}
		return fmt.Sprintf("b = %s.%s(b, %s)\n", imported(pkg.Path()), own, plain)
	case name == "MarshalString" || name == "MarshalID":
		return fmt.Sprintf("b = jsontext.Append(b, %s)\n", plain)
	case name == "MarshalInt":
		return fmt.Sprintf("b = strconv.AppendInt(b, int64(%s), 10)\n", plain)
	case name == "MarshalBoolean":
		return fmt.Sprintf("b = strconv.AppendBool(b, %s)\n", plain)
	case name == "MarshalFloatContext":
		return fmt.Sprintf("if math.IsInf(%[1]s, 0) || math.IsNaN(%[1]s) {\n%[2]s}\nb = strconv.AppendFloat(b, %[1]s, 'g', -1, 64)\n", plain, refuse)
	}
	return ""
}

// enum returns a switch that appends the schema's name of a Go value, as gqlgen.yml binds it. An
// unknown value makes the writer give up.
func enum(ref *config.TypeReference, from string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "switch %s {\n", from)
	for _, v := range ref.EnumValues {
		name := v.Object.Name()
		if pkg := imported(v.Object.Pkg().Path()); pkg != "" {
			name = pkg + "." + name
		}
		fmt.Fprintf(&b, "case %s:\nb = append(b, `\"%s\"`...)\n", name, v.Definition.Name)
	}
	return b.String() + "default:\n" + refuse + "}\n"
}

// imported returns the name of a package in the file being written, or "" before that file is
// begun.
func imported(path string) string {
	if templates.CurrentImports == nil {
		return ""
	}
	return templates.CurrentImports.Lookup(path)
}
