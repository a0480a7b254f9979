package graph

import (
	"context"
	"io"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/generated"
	"rollcall/internal/lru"
)

// plans write what hangs below a root field as the executor would, without its cost for each value
// (docs/decisions/0007-plans.md). They call the same resolvers, one after the other: lists announce what their
// records need, so there is nothing to wait for. What a plan cannot do, the executor does.
type plans struct {
	schema *ast.Schema
	root   reflect.Value // of the generated.ResolverRoot
	made   *lru.Cache[*ast.Field, *plan]
}

// plan writes one field of one document; write is nil where there is none.
type plan struct {
	write writer
	size  atomic.Int64 // of the last answer, in bytes
}

// plannedFields bounds the fields of documents whose plans are kept.
const plannedFields = 4096

func newPlans(schema *ast.Schema, root generated.ResolverRoot) *plans {
	return &plans{schema: schema, root: reflect.ValueOf(root), made: lru.New(plannedFields, 1, func(*ast.Field, *plan) int { return 1 })}
}

// ExtensionName makes it a graphql.HandlerExtension.
func (*plans) ExtensionName() string { return "Plans" }

// Validate makes it a graphql.HandlerExtension.
func (*plans) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptField resolves a field, and writes at once what hangs below it when it is one of Query.
func (p *plans) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	value, err := next(ctx)
	fc := graphql.GetFieldContext(ctx)
	if err != nil || value == nil || fc.Object != "Query" {
		return value, err
	}
	made, ok := p.made.Get(fc.Field.Field)
	if !ok {
		made = &plan{write: p.value(fc.Field.Definition.Type, reflect.TypeOf(value), fc.Field.SelectionSet)}
		p.made.Add(fc.Field.Field, made)
	}
	if made.write == nil {
		return value, nil
	}
	const spare = 1 << 10
	b, ok := made.write(reflect.ValueOf(ctx), make([]byte, 0, made.size.Load()+spare), reflect.ValueOf(value))
	if !ok {
		return value, nil
	}
	made.size.Store(int64(len(b)))
	return &written{b}, nil
}

// written is a value that is JSON already.
type written struct{ json []byte }

// MarshalGQL implements graphql.Marshaler.
func (w *written) MarshalGQL(to io.Writer) { _, _ = to.Write(w.json) }

// plannedTypes are the objects that plans write: records and what is read with them, bound to Go types by
// name alone.
var plannedTypes = map[string]bool{
	"RosterPage": true, "RosterRecord": true, "Charge": true, "GdcMatch": true, "County": true, "PageInfo": true,
	"CorrectionsPage": true, "CorrectionsRecord": true, "CountyRecord": true,
	"CourtPage": true, "CourtCase": true, "CourtLink": true, "Hearing": true, "Disposition": true,
}

// writer appends a value as JSON. ok is false where the executor has to say what is wrong: after an error, or
// at a null that the schema does not allow.
type writer func(ctx reflect.Value, b []byte, v reflect.Value) (_ []byte, ok bool)

// value gives the writer of values of a schema type and a Go type, nil when there is none.
func (p *plans) value(t *ast.Type, of reflect.Type, selected ast.SelectionSet) writer {
	if t.Elem != nil {
		return p.list(t, of, selected)
	}
	def := p.schema.Types[t.NamedType]
	if def.Kind == ast.Object {
		return p.object(def, t.NonNull, of, selected)
	}
	if of.Kind() != reflect.Pointer {
		return leaf(def, of)
	}
	write := leaf(def, of.Elem())
	if write == nil {
		return nil
	}
	return func(ctx reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() {
			return null(b, t.NonNull)
		}
		return write(ctx, b, v.Elem())
	}
}

// null appends a null where there may be one.
func null(b []byte, nonNull bool) ([]byte, bool) { return append(b, "null"...), !nonNull }

func (p *plans) list(t *ast.Type, of reflect.Type, selected ast.SelectionSet) writer {
	if of.Kind() != reflect.Slice {
		return nil
	}
	write := p.value(t.Elem, of.Elem(), selected)
	if write == nil {
		return nil
	}
	return func(ctx reflect.Value, b []byte, v reflect.Value) (_ []byte, ok bool) {
		if v.IsNil() && !t.NonNull {
			return null(b, false)
		}
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, ok = write(ctx, b, v.Index(i)); !ok {
				return b, false
			}
		}
		return append(b, ']'), true
	}
}

// member is one field of a selection.
type member struct {
	key   string // `"alias":`
	get   getter
	write writer
}

func (p *plans) object(def *ast.Definition, nonNull bool, of reflect.Type, selected ast.SelectionSet) writer {
	isStruct := of.Kind() == reflect.Struct
	if isStruct {
		of = reflect.PointerTo(of)
	}
	if !plannedTypes[def.Name] || of.Kind() != reflect.Pointer {
		return nil
	}
	members, ok := p.members(nil, def, of, selected)
	if !ok {
		return nil
	}
	return func(ctx reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
		switch {
		case isStruct:
			v = v.Addr()
		case v.IsNil():
			return null(b, nonNull)
		}
		b = append(b, '{')
		for i := range members {
			if i > 0 {
				b = append(b, ',')
			}
			m := &members[i]
			b = append(b, m.key...)
			field, ok := m.get(ctx, v)
			if ok {
				b, ok = m.write(ctx, b, field)
			}
			if !ok {
				return b, false
			}
		}
		return append(b, '}'), true
	}
}

// members adds the fields of a selection. Directives, arguments and a name that is selected twice are left to
// the executor.
func (p *plans) members(list []member, def *ast.Definition, of reflect.Type, selected ast.SelectionSet) ([]member, bool) {
	ok := true
	for _, s := range selected {
		switch s := s.(type) {
		case *ast.Field:
			m := p.member(def, of, s)
			for _, other := range list {
				ok = ok && other.key != m.key
			}
			ok = ok && m.write != nil
			list = append(list, m)
		case *ast.InlineFragment:
			if ok = ok && len(s.Directives) == 0 && (s.TypeCondition == "" || s.TypeCondition == def.Name); ok {
				list, ok = p.members(list, def, of, s.SelectionSet)
			}
		case *ast.FragmentSpread:
			if ok = ok && len(s.Directives) == 0 && s.Definition.TypeCondition == def.Name; ok {
				list, ok = p.members(list, def, of, s.Definition.SelectionSet)
			}
		}
		if !ok {
			return nil, false
		}
	}
	return list, true
}

// member gives a field without a writer where there is no plan for it.
func (p *plans) member(def *ast.Definition, of reflect.Type, f *ast.Field) member {
	m := member{key: `"` + f.Alias + `":`}
	if len(f.Directives) > 0 || len(f.Arguments) > 0 || len(f.Definition.Arguments) > 0 {
		return m
	}
	if f.Name == "__typename" {
		m.get = func(_, _ reflect.Value) (reflect.Value, bool) { return reflect.Value{}, true }
		m.write = func(_ reflect.Value, b []byte, _ reflect.Value) ([]byte, bool) {
			return append(b, `"`+def.Name+`"`...), true
		}
		return m
	}
	get, is := p.getter(def, of, strings.ToLower(f.Name))
	if get != nil {
		m.get, m.write = get, p.value(f.Definition.Type, is, f.SelectionSet)
	}
	return m
}
