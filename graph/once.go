package graph

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/auth"
	"rollcall/models"
)

// maxOnceKey is how many bytes an Idempotency-Key may have, as on /v1.
const maxOnceKey = 255

// Claims remember what mutations with an Idempotency-Key were answered; *models.Store does.
type Claims interface {
	BeginIdempotent(ctx context.Context, accountID, key string, request []byte) (*models.KeptAnswer, error)
	FinishIdempotent(ctx context.Context, accountID, key string, a models.KeptAnswer) error
	ForgetIdempotent(ctx context.Context, accountID, key string) error
}

// claim is a mutation that is to happen once.
type claim struct {
	account, key string
	request      []byte
	parts        bool // it has several root fields: one may have happened although another failed
}

// claimOf gives the claim of a request, nil when it makes none: an Idempotency-Key counts for mutations by HTTP, as
// it counts for POST on /v1 (DECISIONS.md, "Alerts").
func (h *handler) claimOf(r *http.Request, op *graphql.OperationContext, text []byte, media string) (*claim, error) {
	keys := r.Header.Values("Idempotency-Key")
	if h.options.Claims == nil || len(keys) == 0 || op.Operation.Operation != ast.Mutation {
		return nil, nil //nolint:nilnil // no claim is no error: see above
	}
	caller, ok := auth.FromContext(r.Context())
	if !ok {
		return nil, &models.Error{Code: models.CodeUnauthorized, Message: "an Idempotency-Key belongs to an account"}
	}
	if len(keys) != 1 || keys[0] == "" || len(keys[0]) > maxOnceKey || !printable(keys[0]) {
		return nil, models.Invalid("Idempotency-Key", "Idempotency-Key must be given once, as 1 to "+strconv.Itoa(maxOnceKey)+" printable ASCII characters")
	}
	if media == eventMedia {
		return nil, models.Invalid("Idempotency-Key", "with an Idempotency-Key, ask for an answer as "+jsonMedia+", not as a stream")
	}
	sum := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath()} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	sum.Write(text)
	_, one := op.Operation.SelectionSet[0].(*ast.Field)
	return &claim{account: caller.Account.ID, key: keys[0], request: sum.Sum(nil), parts: !one || len(op.Operation.SelectionSet) > 1}, nil
}

// once answers a mutation only the first time that it comes with its key, within 24 hours; repetitions get the same
// answer, marked Idempotent-Replayed. What failed may be tried again, unless a part of it may have happened. ctx does
// not end with the request: whoever hung up will ask again what came of it.
func (h *handler) once(ctx context.Context, w http.ResponseWriter, media string, c *claim, op *graphql.OperationContext) {
	kept, err := h.options.Claims.BeginIdempotent(ctx, c.account, c.key, c.request)
	if err != nil {
		h.refuse(ctx, w, media, gqlerror.List{h.exec.errors.present(ctx, err)})
		return
	}
	if kept != nil {
		w.Header().Set("Idempotent-Replayed", "true")
		send(w, kept.Status, media, kept.Body)
		return
	}
	done := false
	defer func() {
		if !done { // failed or panicked; should this fail too, the key is free in a while
			_ = h.options.Claims.ForgetIdempotent(ctx, c.account, c.key)
		}
	}()
	next, ctx := h.exec.DispatchOperation(ctx, op)
	resp := next(ctx)
	if resp == nil {
		write(w, http.StatusServiceUnavailable, media, gqlerror.List{h.exec.errors.present(ctx, context.Canceled)})
		return
	}
	body := encode(resp.Data, resp.Errors)
	if len(resp.Errors) == 0 || c.parts {
		done = true
		if err := h.options.Claims.FinishIdempotent(ctx, c.account, c.key, models.KeptAnswer{Status: http.StatusOK, Body: body}); err != nil {
			h.refuse(ctx, w, media, gqlerror.List{h.exec.errors.present(ctx, err)})
			return
		}
	}
	send(w, http.StatusOK, media, body)
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
