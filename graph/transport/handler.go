package transport

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/auth"
	"rollcall/graph/generated"
	"rollcall/graph/limit"
	"rollcall/internal/answers"
	"rollcall/internal/lru"
	"rollcall/internal/once"
	"rollcall/internal/sunset"
	"rollcall/models"
)

// Options configure the handler. The zero value of a field means the default that its comment
// names.
type Options struct {
	// Receives internal errors and panics; default: discards.
	Log *slog.Logger
	// Limits of one operation; default: limit.Default.
	Limits limit.Set
	// Root is the address of the service without /v1, for links to its documents.
	Root string
	// Returns the id of X-Request-Id, for errors and the log; default: none.
	RequestID func(context.Context) string
	// Origins (https://host:port) of pages that may open a websocket, beside those of the service's
	// own host. Clients other than browsers send no origin and need none.
	AllowedOrigins []string
	// Authorize checks the member Authorization of a websocket's connection_init, "Bearer ...", and
	// returns a context with that caller. Browsers cannot set the header on a websocket. A socket whose
	// upgrade had no caller is closed without it. Nil: the caller of the upgrade stays.
	Authorize func(ctx context.Context, authorization string) (context.Context, error)
	// Admit is asked before each operation of a websocket: the key may have been revoked since, or
	// the rate limit reached. authorization is that of connection_init, else that of the upgrade.
	// Over HTTP the middleware has asked. Nil admits always, which only tests use.
	Admit func(ctx context.Context, authorization string) error
	// Enter waits until the caller's account has a place for an operation of a websocket (auth.Line). Over HTTP the middleware
	// has waited. Nil: none is waited for.
	Enter func(ctx context.Context) (in context.Context, leave func(), err error)
	// InitWithin is the time from a websocket's upgrade to connection_init; default: 10 seconds.
	InitWithin time.Duration
	// Closing is closed when websockets have to end, at shutdown; nil: never.
	Closing <-chan struct{}
	// Streams bounds the subscriptions and websockets of a caller. Nil: no bounds, which only tests use.
	Streams Streams
	// Reject answers a request for a stream too many, as the interfaces answer 429. Nil: as a GraphQL error.
	Reject func(w http.ResponseWriter, r *http.Request, err error)
	// Patience is how long a client may take for one message of a stream; default: 30 s.
	Patience time.Duration
	// Claims make a mutation with an Idempotency-Key happen once. Nil: the header is ignored.
	Claims once.Claims
	// Views report which state of the records is current, so that cached responses end with it.
	// Nil: every request is executed.
	Views answers.Views
	// Size of the response cache in bytes; 0: no cache (decision 4).
	Keep int
	// CacheUse counts what was found in it; nil counts nothing.
	CacheUse *lru.Use
	// Unplanned leaves every value to gqlgen's executor. Tests and benchmarks compare plans with it
	// (decision 7).
	Unplanned bool
}

// handler answers GraphQL requests over HTTP, server-sent events and websockets. It is safe for
// concurrent use.
type handler struct {
	exec   *guarded
	limits limit.Set
	// Origins that may open a websocket, beside the service's own.
	origins map[string]bool
	options Options
	// Wraps what sends the answer of a query.
	compress func(http.Handler) http.HandlerFunc
	// Responses that are sent again until a record they show changes (decision 4).
	kept *answers.Cache[keptAnswer]
}

// New returns the handler of /graphql for callers that are authenticated already: queries by GET,
// everything by POST, server-sent events where Accept prefers them, websockets by upgrade
// (graphql-transport-ws). It follows the GraphQL-over-HTTP specification. fresh returns a context with
// the loaders of one answer.
//
// Do not put it behind a buffer or a time-out: streams last as long as their client, and operations
// have a limit of their own (Options.Limits.Timeout).
func New(root generated.ResolverRoot, o Options, fresh func(context.Context) context.Context) http.Handler {
	whole := generated.NewExecutableSchema(generated.Config{}).Schema()
	schema := generated.NewExecutableSchema(generated.Config{Schema: withoutDefer(whole), Resolvers: root, Complexity: limit.Costs()})
	h := newHandler(schema, o, fresh)
	if !o.Unplanned {
		h.exec.Use(newPlans(schema.Schema(), root))
	}
	return h
}

// newHandler returns the handler of any schema. fresh adds loaders to the context of one answer.
func newHandler(schema graphql.ExecutableSchema, o Options, fresh func(context.Context) context.Context) *handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Limits == (limit.Set{}) {
		o.Limits = limit.Default()
	}
	if o.Streams == nil {
		o.Streams = noBounds{}
	}
	if o.Enter == nil {
		o.Enter = (*auth.Line)(nil).Enter
	}
	if o.Patience == 0 {
		o.Patience = messageTime
	}
	if o.RequestID == nil {
		o.RequestID = func(context.Context) string { return "" }
	}
	h := &handler{exec: newGuarded(schema, o), limits: o.Limits, origins: map[string]bool{}, options: o, compress: compressed()}
	if o.Views != nil {
		h.kept = answers.New(o.Keep, o.Views, o.CacheUse, func(a keptAnswer) int { return len(a.body) })
	}
	for _, origin := range o.AllowedOrigins {
		h.origins[origin] = true
	}
	h.exec.Use(each{timeout: o.Limits.Timeout, fresh: fresh})
	return h
}

// each wraps every answer: that of a query or mutation, and each event of a subscription.
type each struct {
	// Bounds one answer. A subscription lives longer.
	timeout time.Duration
	// Adds loaders of its own to each answer: an event must not show what was read for the event
	// before it.
	fresh func(context.Context) context.Context
}

// ExtensionName implements graphql.HandlerExtension.
func (each) ExtensionName() string { return "Each" }

// Validate implements graphql.HandlerExtension; every schema is valid.
func (each) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptResponse adds loaders and the deadline to an answer. The wait for a subscription's next
// event is not limited.
func (e each) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	ctx = withFaults(e.fresh(ctx))
	if op := graphql.GetOperationContext(ctx).Operation; op != nil && op.Operation == ast.Subscription {
		return next(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	return next(ctx)
}

// ServeHTTP implements http.Handler. A response is private to its caller, so nothing between may
// store it. A cached response is sent before the text is even parsed; its key holds the text
// itself.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if v := recover(); v != nil {
			h.panicked(w, r, v)
		}
	}()
	w.Header().Set("Cache-Control", "private, no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Header.Get("Upgrade") != "" {
		h.socket(w, r)
		return
	}
	w.Header().Add("Vary", "Accept")
	media, accepted := negotiate(r.Header.Values("Accept"))
	if !accepted {
		write(w, http.StatusNotAcceptable, jsonMedia, gqlerror.List{refused(codeNotAccepted,
			"answers come as "+graphqlMedia+", "+jsonMedia+" or "+eventMedia)})
		return
	}
	text, bad := h.text(w, r)
	if bad != nil {
		bad.write(w, media)
		return
	}
	key := keyOf(r.Method, media, text)
	found, ok, at := h.find(key)
	if ok { // only answers of queries are cached
		h.label(w, found.spent, found.goes)
		h.sendQuery(w, r, media, found.body)
		return
	}
	params, bad := read(r, text)
	if bad != nil {
		bad.write(w, media)
		return
	}
	h.execute(w, r, text, params, media, func(a keptAnswer) { h.kept.Keep(key, at, a) })
}

// execute answers an operation whose request was well-formed. keep receives the body if it depends
// on records only, so that the next caller may get it (decision 4). It receives none with an error.
func (h *handler) execute(w http.ResponseWriter, r *http.Request, text []byte, params *graphql.RawParams, media string, keep func(keptAnswer)) {
	ctx := graphql.StartOperationTrace(r.Context())
	op, errs := h.exec.create(ctx, params, byMethod(r.Method, media))
	if len(errs) > 0 {
		h.refuse(ctx, w, media, errs)
		return
	}
	spent, goes := limit.SpentBy(op), sunset.OfOperation(h.exec.schema.Schema(), op.Operation, op.Variables)
	h.label(w, spent, goes)
	claim, err := h.claimOf(r, op, text, media)
	if err != nil {
		h.refuse(ctx, w, media, gqlerror.List{h.exec.errors.present(ctx, err)})
		return
	}
	if claim != nil {
		h.once(ctx, w, media, claim, op)
		return
	}
	lasting := op.Operation.Operation == ast.Subscription
	at := &Places{after: r.Header.Get("Last-Event-ID")}
	if media == eventMedia {
		ctx = context.WithValue(ctx, placesKey{}, at)
	}
	if lasting && media == eventMedia {
		leave, err := h.options.Streams.Enter(ctx, subscriptions)
		if err != nil {
			h.tooManyStreams(w, r, err)
			return
		}
		defer leave()
	}
	ctx, ended := withEnding(ctx)
	next, ctx := h.exec.DispatchOperation(ctx, op)
	switch {
	case media == eventMedia:
		h.stream(ctx, w, next, at, ended, lasting)
	case lasting:
		write(w, http.StatusNotAcceptable, media, gqlerror.List{refused(codeNotAccepted,
			"a subscription needs Accept: "+eventMedia+", or a websocket")})
	default:
		resp := next(ctx)
		if resp == nil { // the request ended before the operation began
			write(w, http.StatusServiceUnavailable, media, gqlerror.List{h.exec.errors.present(ctx, context.Canceled)})
			return
		}
		body := spent.Append(encode(resp.Data, resp.Errors))
		if len(resp.Errors) == 0 && steady(op) {
			keep(keptAnswer{body, spent, goes})
		}
		if op.Operation.Operation == ast.Query {
			h.sendQuery(w, r, media, body)
			return
		}
		send(w, http.StatusOK, media, body)
	}
}

// byMethod returns the kinds of operations that a request may hold. A GET changes nothing, as links
// and prefetching browsers send it unasked. It may follow a stream, since a browser's EventSource
// knows no other method.
func byMethod(method, media string) []ast.Operation {
	switch {
	case method == http.MethodPost:
		return []ast.Operation{ast.Query, ast.Mutation, ast.Subscription}
	case media == eventMedia:
		return []ast.Operation{ast.Query, ast.Subscription}
	}
	return []ast.Operation{ast.Query}
}

// refuse answers a request whose operation cannot be executed. As application/json the status is
// 200, for old clients that read a body only then. In a stream the refusal is an event, since an
// EventSource cannot read the body of another status.
func (h *handler) refuse(ctx context.Context, w http.ResponseWriter, media string, errs gqlerror.List) {
	switch {
	case errs[0].Extensions["code"] == upper(models.CodeMethodNotAllowed):
		w.Header().Set("Allow", http.MethodPost)
		write(w, http.StatusMethodNotAllowed, media, errs)
	case media == eventMedia:
		h.stream(ctx, w, graphql.OneShot(&graphql.Response{Errors: errs}), &Places{}, &Ending{}, false)
	case media == graphqlMedia:
		write(w, http.StatusBadRequest, media, errs)
	default:
		write(w, http.StatusOK, media, errs)
	}
}

// panicked answers a request whose handling panicked outside a resolver. http.ErrAbortHandler
// passes, as the server raises it to drop a connection.
func (h *handler) panicked(w http.ResponseWriter, r *http.Request, v any) {
	if v == http.ErrAbortHandler { //nolint:errorlint // it is raised as it is
		panic(v)
	}
	ctx := r.Context()
	err := h.exec.errors.recovered(ctx, v)
	write(w, http.StatusInternalServerError, jsonMedia, gqlerror.List{h.exec.errors.present(ctx, err)})
}
