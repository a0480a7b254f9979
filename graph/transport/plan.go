package transport

import (
	"context"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/graph/generated"
	"rollcall/graph/plan"
)

// plans writes everything below a field of Query as JSON, the bytes that gqlgen's executor would
// write, without its goroutine and context for each value (docs/decisions/0007-plans.md). The
// generated writers call the same resolvers one after the other. That costs no waiting, as lists
// announce what their records need and one load reads for all. What a plan cannot write is left to
// the executor.
type plans struct {
	schema *ast.Schema
	// Generated writers, by field of Query.
	write *generated.Plans
}

// newPlans returns the extension for a schema and its resolvers.
func newPlans(schema *ast.Schema, root generated.ResolverRoot) *plans {
	return &plans{schema: schema, write: generated.NewPlans(root)}
}

// ExtensionName implements graphql.HandlerExtension.
func (*plans) ExtensionName() string { return "Plans" }

// Validate implements graphql.HandlerExtension; every schema is valid.
func (*plans) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptField resolves a field and, if it is one of Query, writes at once everything below it.
// Where the plan gives up, the executor continues with the value as if there were no plan.
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

// answerSize is the first capacity of an answer in bytes, enough for a page of records.
const answerSize = 8 << 10

// json returns a value as JSON. After an error or a panic ok is false and the executor begins anew,
// since it knows which field is null then and what the error says.
func (p *plans) json(ctx context.Context, f *plan.Field, value any) (b []byte, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return p.write.Write(ctx, make([]byte, 0, answerSize), f, value)
}

// written is a value that is JSON already, which the executor copies.
type written struct{ json []byte }

// MarshalGQL implements graphql.Marshaler.
func (w *written) MarshalGQL(to io.Writer) { _, _ = to.Write(w.json) }
