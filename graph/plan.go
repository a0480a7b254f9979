package graph

import (
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/generated"
	"rollcall/graph/plan"
)

// plans write what hangs below a field of Query as the executor would, without its cost for each value
// (docs/decisions/0007-plans.md). They call the same resolvers, one after the other: lists announce what their
// records need, so there is nothing to wait for. What a plan cannot do, the executor does.
type plans struct {
	schema *ast.Schema
	// Generated writers by field.
	write *generated.Plans
}

func newPlans(schema *ast.Schema, root generated.ResolverRoot) *plans {
	return &plans{schema: schema, write: generated.NewPlans(root)}
}

// ExtensionName makes it a graphql.HandlerExtension.
func (*plans) ExtensionName() string { return "Plans" }

// Validate makes it a graphql.HandlerExtension.
func (*plans) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptField resolves a field, and writes at once what hangs below it when it is one of Query.
func (p *plans) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	value, err := next(ctx)
	fc := graphql.GetFieldContext(ctx)
	if err != nil || value == nil || fc.Object != "Query" || !generated.Planned["Query."+fc.Field.Name] {
		return value, err
	}
	selected, ok := plan.Select(graphql.GetOperationContext(ctx), p.schema, p.schema.Types[fc.Field.Definition.Type.Name()],
		fc.Field.Selections, generated.Planned)
	if !ok {
		return value, nil
	}
	if json, ok := p.json(ctx, &plan.Field{Name: fc.Field.Name, Fields: selected}, value); ok {
		return &written{json}, nil
	}
	return value, nil
}

// answerSize is room for a page of records.
const answerSize = 8 << 10

// json appends a value. After a panic the executor begins anew, since it knows which field is null then.
func (p *plans) json(ctx context.Context, f *plan.Field, value any) (b []byte, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return p.write.Write(ctx, make([]byte, 0, answerSize), f, value)
}

// written is a value that is JSON already.
type written struct{ json []byte }

// MarshalGQL implements graphql.Marshaler.
func (w *written) MarshalGQL(to io.Writer) { _, _ = to.Write(w.json) }
