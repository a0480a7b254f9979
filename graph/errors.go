package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/internal/server"
	"rollcall/models"
)

// Codes of extensions.code that only GraphQL knows. The others are models.Code in upper case.
const (
	codeLimit        = "LIMIT_EXCEEDED" // with limit, max and actual
	codeNotPersisted = "PERSISTED_QUERY_NOT_FOUND"
	codeNotAccepted  = "NOT_ACCEPTABLE"
)

// presenter turns every error into what a client may see: a message and extensions.code. What is
// not for users is logged once an operation, with the request id that the client sees too.
type presenter struct {
	log *slog.Logger
	// The id that the client sees too, so that a report of a user leads to the line of the log.
	requestID func(context.Context) string
}

// errPanic stands for a panic. Its text and stack are in the log alone.
var errPanic = errors.New("panic, logged where it was recovered")

// present is the graphql.ErrorPresenterFunc. It gives nil for a record that does not exist where
// the schema says null.
func (p *presenter) present(ctx context.Context, err error) *gqlerror.Error {
	out := &gqlerror.Error{Path: graphql.GetPath(ctx)}
	var raised *gqlerror.Error
	if errors.As(err, &raised) {
		out.Path, out.Locations = raised.Path, raised.Locations
		if _, typed := raised.Extensions["code"]; typed {
			return raised
		}
	}
	var shown *models.Error
	switch field := graphql.GetFieldContext(ctx); {
	case errors.As(err, &shown):
		if shown.Code == models.CodeNotFound && nullable(field) {
			return nil
		}
		return userError(out, shown)
	case field != nil && field.Args == nil && len(field.Field.Arguments) > 0: // its arguments were not taken
		return userError(out, models.Invalid(lastName(out.Path), messageOf(err, raised)))
	case field == nil && raised != nil && raised.Err == nil: // gqlgen's own refusal of a request
		return userError(out, &models.Error{Code: models.CodeInvalidRequest, Message: raised.Message})
	}
	if raised != nil && raised.Err != nil {
		err = raised.Err
	}
	return p.fault(ctx, out, err)
}

// userError shows a models.Error. Its field, and the parameters that it mentions, have the names of
// /v1 and are given those of GraphQL, where a member of a body is an argument like any other.
func userError(out *gqlerror.Error, e *models.Error) *gqlerror.Error {
	code := e.Code
	if code == models.CodeInvalidRequest && e.Field != "" {
		code = models.CodeInvalidParameter
	}
	out.Message = e.Say(argument)
	out.Extensions = map[string]any{"code": upper(code)}
	if e.Field != "" {
		out.Extensions["field"] = camel(e.Field)
	}
	return out
}

// fault shows an error that is not for users.
func (p *presenter) fault(ctx context.Context, out *gqlerror.Error, err error) *gqlerror.Error {
	id := p.requestID(ctx)
	code := models.CodeOf(err)
	out.Message = "internal error"
	switch {
	case errors.Is(err, errPanic):
	case errors.Is(err, context.Canceled), server.ClientLeft(ctx):
		code = models.CodeUnavailable
	case !firstOf(ctx, err):
	default:
		p.log.ErrorContext(ctx, "operation failed", slog.String("request_id", id), slog.String("path", out.Path.String()),
			slog.String("code", string(code)), slog.String("error", withoutValues(err)))
	}
	if code == models.CodeUnavailable {
		out.Message = "the service could not answer in time; try again"
	}
	out.Extensions = map[string]any{"code": upper(code), "requestId": id}
	return out
}

// recovered is the graphql.RecoverFunc. The value of a panic can hold data of a record, so only
// those of the runtime are logged.
func (p *presenter) recovered(ctx context.Context, v any) error {
	what := fmt.Sprintf("%T", v)
	var fault runtime.Error
	if err, ok := v.(error); ok && errors.As(err, &fault) {
		what = fault.Error()
	}
	p.log.ErrorContext(ctx, "panic", slog.String("request_id", p.requestID(ctx)), slog.String("panic", what),
		slog.String("stack", string(debug.Stack())))
	return errPanic
}

// nullable says whether a field of Query stands for "the record, or null when there is none".
func nullable(f *graphql.FieldContext) bool {
	return f != nil && f.Object == "Query" && f.Field.Definition != nil && !f.Field.Definition.Type.NonNull
}

// messageOf is the message of a scalar's or argument's error, without path and place.
func messageOf(err error, raised *gqlerror.Error) string {
	if raised != nil {
		return raised.Message
	}
	return err.Error()
}

// lastName is the name of the argument or input member that a path ends in.
func lastName(p ast.Path) string {
	for _, part := range slices.Backward(p) {
		if name, ok := part.(ast.PathName); ok {
			return string(name)
		}
	}
	return ""
}

// withoutValues is err's text for the log. PostgreSQL quotes values in messages of class 22.
func withoutValues(err error) string {
	text := err.Error()
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Message != "" {
		text = strings.ReplaceAll(text, pg.Message, "[message]")
	}
	return text
}

// upper returns a code as GraphQL's enums are written.
func upper(c models.Code) string { return strings.ToUpper(string(c)) }

// argument turns a name of /v1 that a message mentions into that of GraphQL: an enum's value into upper case, a
// parameter into an argument.
func argument(name string) string {
	if name == string(models.EventBondChange) {
		return strings.ToUpper(name)
	}
	return camel(name)
}

// camel turns the name of a /v1 parameter into that of the GraphQL argument.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts {
		if i > 0 && p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// refused is an error of a request that was not executed.
func refused(code, message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}}
}

type faultsKey struct{}

// faults remembers what an operation has logged: a statement that fails for a list of fifty
// records is one line, not fifty.
type faults struct {
	mu sync.Mutex
	// Texts that were logged in this operation.
	seen map[string]bool
}

// withFaults returns a context in which each internal error is logged once.
func withFaults(ctx context.Context) context.Context {
	return context.WithValue(ctx, faultsKey{}, &faults{seen: map[string]bool{}})
}

// firstOf says whether err has to be logged.
func firstOf(ctx context.Context, err error) bool {
	f, ok := ctx.Value(faultsKey{}).(*faults)
	if !ok {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen[err.Error()] {
		return false
	}
	f.seen[err.Error()] = true
	return true
}
