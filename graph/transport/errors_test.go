package transport

import (
	"context"
	"log/slog"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
)

// gqlgen reports a list that was cut short, because its client left, with the index of an element and without a field.
func TestAnErrorOfAnElementOfAListHasNoField(t *testing.T) {
	t.Parallel()
	p := &presenter{log: slog.New(slog.DiscardHandler), requestID: func(context.Context) string { return "" }}
	first := 0
	ctx := graphql.WithFieldContext(withFaults(t.Context()), &graphql.FieldContext{Index: &first})
	require.NotPanics(t, func() { require.NotNil(t, p.present(ctx, context.Canceled)) })
}
