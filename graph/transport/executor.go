package transport

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/complexity"
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"rollcall/graph/limit"
	"rollcall/internal/lru"
	"rollcall/models"
)

const (
	// documentBudget bounds the cached documents, in bytes of query text. A parsed document takes
	// some forty times the memory of its text.
	documentBudget = 2 << 20
	// persistedBudget bounds the cached texts of persisted queries, in bytes.
	persistedBudget = 4 << 20
	// cachedQueryMost is the longest text that either cache takes, in bytes.
	cachedQueryMost = 16 << 10
)

// shownErrors is how many mistakes of one document are returned at once.
const shownErrors = 20

// shownBytes is the longest message of a mistake.
const shownBytes = 1000

// guarded is gqlgen's executor behind the limits. All transports execute through it: HTTP,
// server-sent events and websockets. It is safe for concurrent use.
type guarded struct {
	*executor.Executor
	schema graphql.ExecutableSchema
	limits limit.Set
	// Documents that were parsed, are within the limits and valid, by their text.
	documents documents
	// Texts of persisted queries by their SHA-256 in hex (automatic persisted queries).
	persisted *lru.Cache[string, string]
	// Turns errors into what the client sees.
	errors *presenter
}

// documents adapts an lru.Cache to graphql.Cache.
type documents struct {
	kept *lru.Cache[string, *ast.QueryDocument]
}

// Get returns the parsed document of a text, if it is cached.
func (d documents) Get(_ context.Context, query string) (*ast.QueryDocument, bool) {
	return d.kept.Get(query)
}

// Add caches a document under its text.
func (d documents) Add(_ context.Context, query string, doc *ast.QueryDocument) {
	d.kept.Add(query, doc)
}

// newGuarded wraps gqlgen's executor. Both caches are bounded in bytes, because clients choose what
// is in them.
func newGuarded(schema graphql.ExecutableSchema, o Options) *guarded {
	g := &guarded{
		Executor: executor.New(schema), schema: schema, limits: o.Limits,
		errors: &presenter{log: o.Log, requestID: o.RequestID},
		documents: documents{lru.New(documentBudget, cachedQueryMost, func(query string, _ *ast.QueryDocument) int {
			return len(query)
		})},
		persisted: lru.New(persistedBudget, cachedQueryMost, func(hash, query string) int { return len(hash) + len(query) }),
	}
	g.SetQueryCache(g.documents)
	g.SetParserTokenLimit(o.Limits.Tokens)
	g.SetDefaultRulesFn(fewMistakes)
	g.SetErrorPresenter(g.errors.present)
	g.SetRecoverFunc(g.errors.recovered)
	return g
}

// withoutDefer returns the schema without @defer. Every answer is sent whole, so the directive
// would be a promise that no transport keeps.
func withoutDefer(s *ast.Schema) *ast.Schema {
	whole := *s
	whole.Directives = maps.Clone(s.Directives)
	delete(whole.Directives, "defer")
	return &whole
}

// create parses, limits and validates an operation; every error carries extensions.code. allowed lists
// the kinds of operations that the request's method permits. The checks run from cheap to costly: size
// of the document, validation, then the cost with the values of its variables.
func (g *guarded) create(ctx context.Context, p *graphql.RawParams, allowed []ast.Operation) (*graphql.OperationContext, gqlerror.List) {
	if err := g.recall(p); err != nil {
		return nil, gqlerror.List{err}
	}
	doc, known := g.documents.Get(ctx, p.Query)
	if !known {
		var err *gqlerror.Error
		if doc, err = g.parse(p.Query); err != nil {
			return nil, gqlerror.List{err}
		}
	}
	if op := doc.Operations.ForName(p.OperationName); op != nil && !slices.Contains(allowed, op.Operation) {
		return nil, gqlerror.List{refused(upper(models.CodeMethodNotAllowed), "GET is for queries; send a "+string(op.Operation)+" by POST")}
	}
	switch op := doc.Operations.ForName(p.OperationName); {
	case op == nil && p.OperationName == "" && len(doc.Operations) > 1:
		return nil, gqlerror.List{refused(errcode.ValidationFailed, "the document has several operations: name one of them in operationName")}
	case op != nil:
		var err *gqlerror.Error
		if p.Variables, err = strict(g.schema.Schema(), op, p.Variables); err != nil {
			return nil, gqlerror.List{err}
		}
	}
	op, errs := g.validated(ctx, p)
	if len(errs) > 0 {
		for i, err := range errs {
			errs[i] = g.errors.present(ctx, err)
			errs[i].Message = clip(errs[i].Message)
		}
		return nil, errs
	}
	op.DisableIntrospection = false
	cost := complexity.Calculate(ctx, g.schema, op.Operation, op.Variables)
	if cost > g.limits.Cost {
		return nil, gqlerror.List{g.dear(ctx, op, cost)}
	}
	limit.Spent{Cost: cost, Most: g.limits.Cost}.Note(op)
	return op, nil
}

// dear refuses an operation that costs too much, and says which of its fields cost most.
func (g *guarded) dear(ctx context.Context, op *graphql.OperationContext, cost int) *gqlerror.Error {
	err := limit.Over("cost", cost, g.limits.Cost, "values to fetch (records times fields)")
	var fields []limit.Field
	for _, s := range op.Operation.SelectionSet {
		if f, ok := s.(*ast.Field); ok {
			alone := *op.Operation
			alone.SelectionSet = ast.SelectionSet{f}
			fields = append(fields, limit.Field{Alias: f.Alias, Name: f.Name, Cost: complexity.Calculate(ctx, g.schema, &alone, op.Variables)})
		}
	}
	err.Message += limit.Advice(fields)
	return err
}

// validated returns an operation, or the mistakes of its document, no more than are shown.
func (g *guarded) validated(ctx context.Context, p *graphql.RawParams) (op *graphql.OperationContext, errs gqlerror.List) {
	defer mistakes(&errs)
	return g.Executor.CreateOperationContext(ctx, p)
}

// clip shortens a message that repeats what a request said.
func clip(message string) string {
	if len(message) <= shownBytes {
		return message
	}
	return strings.ToValidUTF8(message[:shownBytes], "") + "..."
}

// parse reads a document and refuses it when it is too large. The executor parses it again; that is
// cheap beside validation, and happens once for each new text.
func (g *guarded) parse(query string) (*ast.QueryDocument, *gqlerror.Error) {
	if err := limit.Names(query); err != nil {
		return nil, err
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, g.limits.Tokens)
	if err == nil {
		return doc, g.limits.Check(doc)
	}
	if err.Error() == "input: "+fmt.Sprintf("exceeded token limit of %d", g.limits.Tokens) {
		return nil, &gqlerror.Error{
			Message:    fmt.Sprintf("the document has more tokens than the limit of %d", g.limits.Tokens),
			Extensions: map[string]any{"code": limit.Code, "limit": "tokens", "max": g.limits.Tokens},
		}
	}
	return &ast.QueryDocument{}, nil // the executor says what is wrong with it
}

// recall replaces the hash of a persisted query by its text, or stores the text under its hash, as
// version 1 of Apollo's automatic persisted queries has it. An unknown hash is
// PERSISTED_QUERY_NOT_FOUND, to which clients reply with the text. The hash is computed again here:
// otherwise one client could store another query under the hash that all clients use.
func (g *guarded) recall(p *graphql.RawParams) *gqlerror.Error {
	ext, ok := p.Extensions["persistedQuery"].(map[string]any)
	if !ok {
		return nil
	}
	if version := fmt.Sprint(ext["version"]); version != "1" {
		return refused(upper(models.CodeInvalidRequest), "extensions.persistedQuery.version must be 1")
	}
	hash, _ := ext["sha256Hash"].(string)
	if p.Query == "" {
		if p.Query, ok = g.persisted.Get(hash); !ok {
			return refused(codeNotPersisted, "PersistedQueryNotFound")
		}
		return nil
	}
	if sum := sha256.Sum256([]byte(p.Query)); hex.EncodeToString(sum[:]) != hash {
		return refused(upper(models.CodeInvalidRequest), "extensions.persistedQuery.sha256Hash is not the SHA-256 of query in lower-case hex")
	}
	g.persisted.Add(hash, p.Query)
	return nil
}
