package transport

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
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/internal/server"
	"rollcall/models"
)

// Codes of extensions.code that only GraphQL knows. The others are a models.Code in upper case.
const (
	codeNotPersisted = "PERSISTED_QUERY_NOT_FOUND"
	codeNotAccepted  = "NOT_ACCEPTABLE"
)

// presenter turns every error into what a client may see: a message and extensions.code. Errors
// that are not for users become "internal error" and are logged once an operation, with the request
// id that the client sees too.
type presenter struct {
	log *slog.Logger
	// Returns the request's id, by which a user's report leads to the line of the log.
	requestID func(context.Context) string
}

// errPanic stands for a panic. Its text and stack are in the log only.
var errPanic = errors.New("panic, logged where it was recovered")

// present implements graphql.ErrorPresenterFunc. A nil result drops the error: a record that does
// not exist is null where the schema permits null. A refused argument is the client's mistake and
// keeps its message.
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
	case field != nil && field.Field.Field != nil && field.Args == nil && len(field.Field.Arguments) > 0: // its arguments were not taken
		return userError(out, models.Invalid(lastName(out.Path), messageOf(err, raised)))
	case field == nil && raised != nil && raised.Err == nil: // gqlgen's own refusal of a request
		return userError(out, &models.Error{Code: models.CodeInvalidRequest, Message: raised.Message})
	}
	if raised != nil && raised.Err != nil {
		err = raised.Err
	}
	return p.fault(ctx, out, err)
}

// userError shows a models.Error. Its field, and the parameters that its message mentions, have the
// names of /v1; here they become those of GraphQL. A member of a body is an argument in GraphQL, so
// its code is INVALID_PARAMETER.
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

// fault shows an error that is not for users. A client that left, or a cancelled context, is no
// fault of the service and is not logged. An error text may hold values of a record; it never
// reaches the client.
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
			slog.String("code", string(code)), slog.String("error", models.WithoutValues(err)))
	}
	if code == models.CodeUnavailable {
		out.Message = "the service could not answer in time; try again"
	}
	out.Extensions = map[string]any{"code": upper(code), "requestId": id}
	return out
}

// recovered implements graphql.RecoverFunc. The value of a panic can hold data of a record, so only
// messages of the runtime are logged; of other values only the type is.
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

// nullable reports whether a field of Query means "the record, or null when there is none".
func nullable(f *graphql.FieldContext) bool {
	return f != nil && f.Object == "Query" && f.Field.Definition != nil && !f.Field.Definition.Type.NonNull
}

// messageOf returns the message of a scalar's or argument's error, without path and place.
func messageOf(err error, raised *gqlerror.Error) string {
	if raised != nil {
		return raised.Message
	}
	return err.Error()
}

// lastName returns the name of the argument or input member that a path ends in; positions in lists
// are skipped.
func lastName(p ast.Path) string {
	for _, part := range slices.Backward(p) {
		if name, ok := part.(ast.PathName); ok {
			return string(name)
		}
	}
	return ""
}

// upper returns a code in the spelling of GraphQL's enums.
func upper(c models.Code) string { return strings.ToUpper(string(c)) }

// argument translates a /v1 name that a message mentions: the value of an enum becomes upper case,
// a parameter becomes an argument.
func argument(name string) string {
	if slices.Contains(models.EventKinds(), models.EventKind(name)) {
		return strings.ToUpper(name)
	}
	return camel(name)
}

// camel translates the name of a /v1 parameter to that of the GraphQL argument: birth_year becomes
// birthYear.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts {
		if i > 0 && p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// refused returns the error of a request that was not executed.
func refused(code, message string) *gqlerror.Error {
	return &gqlerror.Error{Message: message, Extensions: map[string]any{"code": code}}
}

type faultsKey struct{}

// faults records what an operation has logged. A statement that fails for a list of fifty records
// is one line in the log, not fifty. It is safe for concurrent use, as resolvers run in parallel.
type faults struct {
	mu sync.Mutex
	// Texts that were logged in this operation.
	seen map[string]bool
}

// withFaults returns a context in which each internal error is logged once.
func withFaults(ctx context.Context) context.Context {
	return context.WithValue(ctx, faultsKey{}, &faults{seen: map[string]bool{}})
}

// firstOf reports whether err has not been logged in this operation yet, and records it. Without
// withFaults every error is a first one.
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
