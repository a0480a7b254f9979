package havoc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/generated"
)

// schema is that of the service, as gqlgen wrote it.
func schema() *ast.Schema { return generated.NewExecutableSchema(generated.Config{}).Schema() }

// Random operations over the whole schema, with variables, fragments and directives, are answered by what they select.
func TestAnyOperationIsAnsweredByWhatItSelects(t *testing.T) {
	t.Parallel()
	a := begin(t)
	s, refused := schema(), 0
	for a.more() {
		d := &document{attack: a, schema: s, variables: map[string]any{}}
		kind, root := "query", s.Query
		if a.IntN(4) == 0 {
			kind, root = "mutation", s.Mutation
		}
		text, want := d.operation(kind, root)
		data, errs, body := a.graphql(text, d.variables)
		if data == nil {
			refused++
			require.NotEmpty(t, errs, "%s\n%v\n%s", text, d.variables, body)
			continue
		}
		require.NoError(t, want.fits(s, ast.NonNullNamedType(root.Name, nil), data), "%s\n%v\n%s", text, d.variables, body)
	}
	t.Logf("%d of them were refused", refused)
	a.ends()
}

// graphql sends a document and returns its answer.
func (a *attack) graphql(document string, variables map[string]any) (data any, errs []string, body []byte) {
	a.t.Helper()
	b, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	require.NoError(a.t, err)
	_, _, body = a.send(http.MethodPost, "/graphql", string(b), http.Header{"Content-Type": {"application/json"}})
	var answer struct {
		Data   any
		Errors []struct{ Message string }
	}
	require.NoError(a.t, json.Unmarshal(body, &answer), "%s\n%s", document, body)
	for _, e := range answer.Errors {
		errs = append(errs, e.Message)
	}
	return answer.Data, errs, body
}

// selected is what an operation asks of an object, by the names of the answer.
type selected struct {
	fields map[string]*selected
	// on has what is asked of an object besides, if it is of that type.
	on map[string]*selected
	of *ast.Type
}

// keys returns the names in the answer of an object of a type.
func (w *selected) keys(object map[string]any) []string {
	all := keys(w.fields)
	if more := w.on[fmt.Sprint(object["__typename"])]; more != nil {
		all = append(all, keys(more.fields)...)
		slices.Sort(all)
	}
	return all
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
		if !isObject || !slices.Equal(keys(object), w.keys(object)) {
			return fmt.Errorf("%v has not the fields %v", got, w.keys(object))
		}
		for _, part := range []*selected{w, w.on[fmt.Sprint(object["__typename"])]} {
			if part == nil {
				continue
			}
			for name, below := range part.fields {
				if err := below.fits(s, below.of, object[name]); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
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
