package havoc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/generated"
)

// Random operations over the whole schema are answered by what they select.
func TestAnyOperationIsAnsweredByWhatItSelects(t *testing.T) {
	t.Parallel()
	a := begin(t)
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	for a.more() {
		kind, root := "query", schema.Query
		if a.IntN(4) == 0 {
			kind, root = "mutation", schema.Mutation
		}
		want := &selected{}
		document := kind + " " + a.selection(schema, root, 0, want)
		body, err := json.Marshal(map[string]any{"query": document})
		require.NoError(t, err)
		_, _, text := a.send(http.MethodPost, "/graphql", string(body), http.Header{"Content-Type": {"application/json"}})
		var answer struct {
			Data   any
			Errors []struct{ Message string }
		}
		require.NoError(t, json.Unmarshal(text, &answer), "%s\n%s", document, text)
		if answer.Data == nil {
			require.NotEmpty(t, answer.Errors, "%s\n%s", document, text)
			continue
		}
		require.NoError(t, want.fits(schema, ast.NonNullNamedType(root.Name, nil), answer.Data), "%s\n%s", document, text)
	}
	a.ends()
}

// selected is what an operation asks of an object, by the names of the answer.
type selected struct {
	fields map[string]*selected
	of     *ast.Type
}

// selection writes a random selection of a type and notes it.
func (a *attack) selection(s *ast.Schema, def *ast.Definition, depth int, want *selected) string {
	want.fields = map[string]*selected{}
	var b strings.Builder
	b.WriteString("{ __typename")
	want.fields["__typename"] = &selected{of: ast.NonNullNamedType("String", nil)}
	for range 1 + a.IntN(3) {
		f := oneOf(a, def.Fields...)
		of := s.Types[f.Type.Name()]
		if strings.HasPrefix(f.Name, "__") || depth > 4 && of.IsCompositeType() {
			continue
		}
		name := fmt.Sprintf("f%d", len(want.fields))
		below := &selected{of: f.Type}
		want.fields[name] = below
		b.WriteString(" " + name + ": " + f.Name + a.arguments(s, f))
		if a.IntN(100) == 0 {
			b.WriteString("x") // no such field, or no such argument
		}
		if of.IsCompositeType() {
			b.WriteString(" " + a.selection(s, of, depth+1, below))
		}
	}
	return b.String() + " }"
}

// arguments writes the required arguments of a field and some of the others.
func (a *attack) arguments(s *ast.Schema, f *ast.FieldDefinition) string {
	var all []string
	for _, arg := range f.Arguments {
		if arg.Type.NonNull || a.IntN(3) == 0 {
			all = append(all, arg.Name+": "+a.literal(s, arg.Type, 0))
		}
	}
	if all == nil {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// literal writes a value that a type mostly takes.
func (a *attack) literal(s *ast.Schema, of *ast.Type, depth int) string {
	text := func() string { return strconv.QuoteToASCII(strings.Map(printable, oneOf(a, a.texts...))) }
	if depth > 4 || a.IntN(30) == 0 {
		return oneOf(a, "null", "true", "-1", text(), "[]", "{}", "NO_VALUE")
	}
	if of.Elem != nil {
		var list []string
		for range a.IntN(3) {
			list = append(list, a.literal(s, of.Elem, depth+1))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	switch def := s.Types[of.NamedType]; {
	case def.Kind == ast.Enum:
		return oneOf(a, def.EnumValues...).Name
	case def.Kind == ast.InputObject:
		var members []string
		for _, m := range def.Fields {
			if m.Type.NonNull || a.IntN(3) == 0 {
				members = append(members, m.Name+": "+a.literal(s, m.Type, depth+1))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	case def.Name == "Int":
		return oneOf(a, "0", "1", "50", "200", "201", "-1", "2147483648")
	case def.Name == "Boolean":
		return oneOf(a, "true", "false")
	case def.Name == "DateTime":
		return oneOf(a, `"2026-03-01T00:00:00Z"`, text())
	case def.Name == "Date":
		return oneOf(a, `"1980-02-02"`, text())
	}
	return text()
}

// printable leaves out what a literal of GraphQL cannot hold as QuoteToASCII writes it.
func printable(r rune) rune {
	if r < ' ' {
		return -1
	}
	return r
}

// fits returns how an answer differs from what was asked; nil if it does not.
func (w *selected) fits(s *ast.Schema, of *ast.Type, got any) error {
	if got == nil {
		if of.NonNull {
			return fmt.Errorf("%s is null", of)
		}
		return nil
	}
	if of.Elem != nil {
		list, isList := got.([]any)
		if !isList {
			return fmt.Errorf("%v is no %s", got, of)
		}
		for _, each := range list {
			if err := w.fits(s, of.Elem, each); err != nil {
				return err
			}
		}
		return nil
	}
	switch def := s.Types[of.NamedType]; {
	case def.IsCompositeType():
		object, isObject := got.(map[string]any)
		if !isObject || !slices.Equal(keys(object), keys(w.fields)) {
			return fmt.Errorf("%v has not the fields %v", got, keys(w.fields))
		}
		for name, below := range w.fields {
			if err := below.fits(s, below.of, object[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	case def.Kind == ast.Enum:
		if text, _ := got.(string); def.EnumValues.ForName(text) == nil {
			return fmt.Errorf("%v is no %s", got, of)
		}
	default:
		ok := false
		switch got.(type) {
		case float64:
			ok = def.Name == "Int" || def.Name == "Float"
		case bool:
			ok = def.Name == "Boolean"
		case string:
			ok = def.Name != "Int" && def.Name != "Float" && def.Name != "Boolean"
		}
		if !ok {
			return fmt.Errorf("%v is no %s", got, of)
		}
	}
	return nil
}
