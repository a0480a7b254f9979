package auth

import (
	"context"
	"strconv"

	"rollcall/models"
)

// Authorize returns ctx with the caller of an Authorization header's value. It makes the checks of Authenticate and
// RequirePlan for the key in a websocket's first message. Errors: CodeUnauthorized, CodeForbidden; any other means
// that the key could not be checked. It counts no request.
func (g *Guard) Authorize(ctx context.Context, authorization string) (context.Context, error) {
	caller, err := g.bearer(ctx, authorization)
	if err != nil {
		return ctx, err
	}
	if refusal := g.refused(caller); refusal != nil {
		return ctx, refusal
	}
	g.Meter.touch(caller.KeyID)
	leaveLobby(ctx)
	return WithCaller(ctx, caller), nil
}

// Admit lets an operation of a websocket through as if it were a request of its own. The key must still be valid, and
// the operation takes one from the account's limit. So a socket cannot outlive its key, nor ask more than its account
// may.
func (g *Guard) Admit(ctx context.Context, authorization string) error {
	ctx, err := g.Authorize(ctx, authorization)
	if err != nil {
		return err
	}
	c, _ := FromContext(ctx)
	a, err := take(ctx, g.Limiter, c, 1)
	if err != nil {
		return err
	}
	g.Meter.count(c.Account.ID, a.OK)
	if !a.OK {
		return tooMany(a)
	}
	return nil
}

// Standing returns an error once the caller of ctx must not be answered any more: its key is no longer valid, or its
// plan has no API access. Answers that last, such as subscriptions, ask it before each event. It counts no request.
func (g *Guard) Standing(ctx context.Context) error {
	c, ok := FromContext(ctx)
	if !ok {
		return errNoKey
	}
	if c.KeyID == "" { // a page; whileSignedIn ends its context
		return nil
	}
	now, err := g.Keys.lookup(ctx, c.key)
	if err != nil {
		return err
	}
	if refusal := g.refused(now); refusal != nil {
		return refusal
	}
	return nil
}

// tooMany returns the refusal of a call above the limit, with the seconds to wait.
func tooMany(a Allowance) *models.Error {
	return &models.Error{
		Code: models.CodeRateLimited,
		Message: "more than " + strconv.Itoa(a.Limit) + " requests in a minute; try again in " +
			strconv.Itoa(wholeSeconds(a.Wait)) + " s",
	}
}
