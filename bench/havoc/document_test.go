package havoc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// document is a random document of GraphQL while it is written.
type document struct {
	*attack
	schema *ast.Schema
	// variables have values, mostly of their type; declared is how the operation declares them.
	variables map[string]any
	declared  []string
	// fragments are named ones, as they stand behind the operation.
	fragments []string
	// n numbers names, so that each is there once.
	n int
}

// name returns a name that the document does not have yet.
func (d *document) name(begins string) string {
	d.n++
	return begins + strconv.Itoa(d.n)
}

// operation writes a whole document, and returns what its answer has to hold.
func (d *document) operation(kind string, root *ast.Definition) (text string, want *selected) {
	want = &selected{}
	body := d.selection(root, 0, want)
	if d.IntN(100) == 0 { // two fragments that spread each other
		a, b := d.name("F"), d.name("F")
		d.fragments = append(d.fragments, fmt.Sprintf("fragment %s on %s { ...%s }", a, root.Name, b), fmt.Sprintf("fragment %s on %s { ...%s }", b, root.Name, a))
		body = strings.Replace(body, "{", "{ ..."+a, 1)
	}
	declared := ""
	if d.declared != nil {
		declared = "(" + strings.Join(d.declared, ", ") + ")"
	}
	return kind + " " + d.name("O") + declared + " " + body + " " + strings.Join(d.fragments, " "), want
}

// selection writes a random selection of a type and notes it.
func (d *document) selection(def *ast.Definition, depth int, want *selected) string {
	want.fields = map[string]*selected{"__typename": {of: ast.NonNullNamedType("String", nil)}}
	text := "{ __typename" + d.fields(def, depth, want)
	if possible := d.schema.GetPossibleTypes(def); def.IsAbstractType() && len(possible) > 0 {
		one := oneOf(d.attack, possible...)
		part := &selected{fields: map[string]*selected{}}
		want.on = map[string]*selected{one.Name: part}
		text += fmt.Sprintf(" ... on %s { __typename%s }", one.Name, d.fields(one, depth, part))
	}
	return text + " }"
}

// fields writes some fields of a type, as they are, in a fragment, or in a fragment of a fragment, with directives or none.
func (d *document) fields(def *ast.Definition, depth int, want *selected) string {
	var b strings.Builder
	for range 1 + d.IntN(3) {
		f := oneOf(d.attack, def.Fields...)
		of := d.schema.Types[f.Type.Name()]
		if strings.HasPrefix(f.Name, "__") || depth > 4 && of.IsCompositeType() {
			continue
		}
		name, below := d.name("f"), &selected{of: f.Type}
		text := name + ": " + f.Name + d.arguments(f)
		if d.IntN(100) == 0 {
			text += "x" // no such field, or no such argument
		}
		directive, shown := d.directive()
		text += directive
		if of.IsCompositeType() {
			text += " " + d.selection(of, depth+1, below)
		}
		text, inside := d.wrapped(def, text)
		if shown && inside {
			want.fields[name] = below
		}
		b.WriteString(" " + text)
	}
	return b.String()
}

// wrapped puts a field into fragments or none. shown reports whether these are included.
func (d *document) wrapped(def *ast.Definition, field string) (text string, shown bool) {
	directive, shown := d.directive()
	switch d.IntN(6) {
	case 0:
		return fmt.Sprintf("...%s { %s }", directive, field), shown
	case 1:
		return fmt.Sprintf("... on %s%s { ... on %s { %s } }", def.Name, directive, def.Name, field), shown
	case 2:
		name := d.name("F")
		d.fragments = append(d.fragments, fmt.Sprintf("fragment %s on %s { %s }", name, def.Name, field))
		return "..." + name + directive, shown
	case 3:
		outer, inner := d.name("F"), d.name("F")
		d.fragments = append(d.fragments, fmt.Sprintf("fragment %s on %s { ...%s }", outer, def.Name, inner), fmt.Sprintf("fragment %s on %s { %s }", inner, def.Name, field))
		return "..." + outer + directive, shown
	}
	return field, true
}

// directive writes a directive or none, and reports whether what has it is in the answer.
func (d *document) directive() (text string, shown bool) {
	yes := d.IntN(2) == 0
	value := strconv.FormatBool(yes)
	if d.IntN(3) == 0 {
		value = d.variable(ast.NonNullNamedType("Boolean", nil), yes)
	}
	switch d.IntN(60) {
	case 0, 1, 2, 3:
		return " @include(if: " + value + ")", yes
	case 4, 5, 6, 7:
		return " @skip(if: " + value + ")", !yes
	case 8:
		return " @nonsense", true
	case 9:
		return " @skip", true // without its argument
	}
	return "", true
}

// variable declares a variable with a value, and returns it as it stands in the document. One in many has no value, or one of
// another type.
func (d *document) variable(of *ast.Type, value any) string {
	name := d.name("v")
	d.declared = append(d.declared, "$"+name+": "+of.String())
	switch d.IntN(30) {
	case 0: // missing
	case 1:
		d.variables[name] = oneOf[any](d.attack, nil, 7.5, "text", []any{[]any{}}, map[string]any{"x": 1})
	default:
		d.variables[name] = value
	}
	return "$" + name
}

// arguments writes the required arguments of a field and some of the others, as literals or variables.
func (d *document) arguments(f *ast.FieldDefinition) string {
	var all []string
	for _, arg := range f.Arguments {
		if !arg.Type.NonNull && d.IntN(3) > 0 {
			continue
		}
		literal, value := d.value(arg.Type, 0)
		if d.IntN(3) == 0 {
			literal = d.variable(arg.Type, value)
		}
		all = append(all, arg.Name+": "+literal)
	}
	if all == nil {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// value returns a value that a type mostly takes, as it stands in a document, and as it is sent for a variable.
func (d *document) value(of *ast.Type, depth int) (literal string, sent any) {
	text := func(choice ...string) (string, any) {
		plain := strings.Map(printable, oneOf(d.attack, choice...))
		return strconv.QuoteToASCII(plain), plain
	}
	if depth > 4 || d.IntN(30) == 0 {
		literal = oneOf(d.attack, "null", "true", "-1", `"text"`, "[]", "{}", "NO_VALUE")
		return literal, map[string]any{"null": nil, "true": true, "-1": -1, `"text"`: "text", "[]": []any{}, "{}": map[string]any{}, "NO_VALUE": "NO_VALUE"}[literal]
	}
	if of.Elem != nil {
		literals, list := []string{}, []any{}
		for range d.IntN(3) {
			l, v := d.value(of.Elem, depth+1)
			literals, list = append(literals, l), append(list, v)
		}
		return "[" + strings.Join(literals, ", ") + "]", list
	}
	switch def := d.schema.Types[of.NamedType]; {
	case def.Kind == ast.Enum:
		name := oneOf(d.attack, def.EnumValues...).Name
		return name, name
	case def.Kind == ast.InputObject:
		members, object := []string{}, map[string]any{}
		for _, m := range def.Fields {
			if m.Type.NonNull || d.IntN(3) == 0 {
				l, v := d.value(m.Type, depth+1)
				members, object[m.Name] = append(members, m.Name+": "+l), v
			}
		}
		return "{" + strings.Join(members, ", ") + "}", object
	case def.Name == "Int":
		n := oneOf(d.attack, 0, 1, 50, 200, 201, -1, 2147483648)
		return strconv.Itoa(n), n
	case def.Name == "Boolean":
		yes := d.IntN(2) == 0
		return strconv.FormatBool(yes), yes
	case def.Name == "DateTime" && d.IntN(2) == 0:
		return text("2026-03-01T00:00:00Z")
	case def.Name == "Date" && d.IntN(2) == 0:
		return text("1980-02-02")
	}
	return text(d.texts...)
}

// printable leaves out what a literal of GraphQL cannot hold as QuoteToASCII writes it.
func printable(r rune) rune {
	if r < ' ' {
		return -1
	}
	return r
}
