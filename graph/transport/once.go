package transport

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rollcall/graph/limit"
	"rollcall/graph/shown"
	"rollcall/internal/once"
	"rollcall/models"
)

// claimOf returns the claim of a request, or nil when it makes none. An Idempotency-Key counts for
// mutations over HTTP, as it counts for POST on /v1 (DECISIONS, "Alerts"). A stream cannot be
// repeated, so a key with one is refused.
func (h *handler) claimOf(r *http.Request, op *graphql.OperationContext, text []byte, media string) (*once.Claim, error) {
	if h.options.Claims == nil || op.Operation.Operation != ast.Mutation {
		return nil, nil //nolint:nilnil // no claim is no error: see above
	}
	claim, err := once.Of(r, text, h.options.Claims)
	if claim != nil && media == eventMedia {
		return nil, models.Invalid("Idempotency-Key", "with an Idempotency-Key, ask for an answer as "+jsonMedia+", not as a stream")
	}
	return claim, err
}

// once executes a mutation only the first time that it comes with its key, and repeats the first
// answer afterwards. A mutation that failed may be tried again, unless a part of it may have
// happened: with several root fields, some may have changed something before another failed.
func (h *handler) once(ctx context.Context, w http.ResponseWriter, media string, c *once.Claim, op *graphql.OperationContext) {
	_, one := op.Operation.SelectionSet[0].(*ast.Field)
	parts := !one || len(op.Operation.SelectionSet) > 1
	answer, err := c.Do(ctx, w.Header(), func(ctx context.Context) (models.KeptAnswer, bool, error) {
		records := shown.Note(op)
		next, ctx := h.exec.DispatchOperation(ctx, op)
		resp := next(ctx)
		if resp == nil {
			return models.KeptAnswer{}, false, context.Canceled
		}
		return models.KeptAnswer{Status: http.StatusOK, Body: limit.SpentBy(op).Append(encode(resp.Data, resp.Errors)), Shows: records.IDs()}, len(resp.Errors) == 0 || parts, nil
	})
	if err != nil {
		h.refuse(ctx, w, media, gqlerror.List{h.exec.errors.present(ctx, err)})
		return
	}
	send(w, answer.Status, media, answer.Body)
}
