package auth

import (
	"context"
	"strconv"

	"rollcall/models"
)

// Authorize gives ctx with the caller of an Authorization header's value, who has a plan with API access: what
// Authenticate and RequirePlan check of a request, for the key in a websocket's first message. It counts nothing.
func (g *Guard) Authorize(ctx context.Context, authorization string) (context.Context, error) {
	caller, err := g.bearer(ctx, authorization)
	switch {
	case err != nil:
		return ctx, err
	case caller.Account.Plan != models.Enterprise:
		return ctx, errPlan
	}
	g.Meter.touch(caller.KeyID)
	return WithCaller(ctx, caller), nil
}

// Admit lets an operation of a websocket through as if it were a request of its own: with a key that still opens, and
// within the account's limit, of which it takes one.
func (g *Guard) Admit(ctx context.Context, authorization string) error {
	ctx, err := g.Authorize(ctx, authorization)
	if err != nil {
		return err
	}
	c, _ := FromContext(ctx)
	a, err := g.Limiter.Take(ctx, c.bucket(), 1)
	if err != nil {
		return err
	}
	g.Meter.count(c.Account.ID, a.OK)
	if !a.OK {
		return tooMany(a)
	}
	return nil
}

// Standing says whether the caller of ctx may still be answered: with a key that still opens, and a plan with API access.
// What lasts, such as a subscription, asks it again before each answer. It counts nothing.
func (g *Guard) Standing(ctx context.Context) error {
	c, ok := FromContext(ctx)
	if !ok {
		return errNoKey
	}
	if c.KeyID == "" { // no key has let it in, so none can be taken away
		return nil
	}
	now, err := g.Keys.lookup(ctx, c.key)
	switch {
	case err != nil:
		return err
	case now.Account.Plan != models.Enterprise:
		return errPlan
	}
	return nil
}

// tooMany is the refusal of a call above the limit.
func tooMany(a Allowance) *models.Error {
	return &models.Error{
		Code: models.CodeRateLimited,
		Message: "more than " + strconv.Itoa(a.Limit) + " requests in a minute; try again in " +
			strconv.Itoa(wholeSeconds(a.Wait)) + " s",
	}
}
