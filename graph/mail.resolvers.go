package graph

import (
	"context"

	"rollcall/atom"
	"rollcall/graph/generated"
	"rollcall/graph/loader"
	"rollcall/internal/pathtoken"
	"rollcall/models"
	"rollcall/models/delivery"
)

// Notices returns the further messages that an e-mail endpoint receives.
func (r *emailEndpointResolver) Notices(ctx context.Context, obj *models.Webhook) ([]string, error) {
	return noticeWords(obj), nil
}

// Status returns "active" or "disabled".
func (r *emailEndpointResolver) Status(ctx context.Context, obj *models.Webhook) (string, error) {
	return string(obj.Status), nil
}

// Backlog returns what is still to be sent to the address.
func (r *emailEndpointResolver) Backlog(ctx context.Context, obj *models.Webhook) (*models.Backlog, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	b, err := l.Backlogs.Load(ctx, obj.ID)
	return &b, err
}

// CreateEmailEndpoint stores an e-mail endpoint and asks its owner to confirm. The endpoint stays when the mail could
// not be sent, so that it can be asked again.
func (r *mutationResolver) CreateEmailEndpoint(ctx context.Context, input generated.CreateEmailEndpointInput) (*generated.AskedEmailEndpoint, error) {
	account, err := accountOf(ctx, ofMails)
	if err != nil {
		return nil, err
	}
	if r.alerts.Mails == nil {
		return nil, errNoMail
	}
	h, err := r.store.CreateEmail(ctx, account, &delivery.NewEmail{
		Address: input.Address, Events: input.Events, Notices: given(notices(input.Notices)), Digest: orZero(input.Digest), Paused: orZero(input.Paused),
	})
	if err != nil {
		return nil, err
	}
	if err := r.did(ctx, "e-mail endpoint added", h.Place()); err != nil {
		return nil, err
	}
	return r.ask(ctx, h)
}

// AskEmailEndpoint sends the mail that asks to confirm once more.
func (r *mutationResolver) AskEmailEndpoint(ctx context.Context, id string) (*generated.AskedEmailEndpoint, error) {
	account, err := accountOf(ctx, ofMails)
	if err != nil {
		return nil, err
	}
	if r.alerts.Mails == nil {
		return nil, errNoMail
	}
	h, err := r.store.AskEmail(ctx, account, id)
	if err != nil {
		return nil, err
	}
	if err := r.did(ctx, "e-mail endpoint asked to confirm", h.Place()); err != nil {
		return nil, err
	}
	return r.ask(ctx, h)
}

// UpdateEmailEndpoint changes an e-mail endpoint; what waits for a digest follows another one.
func (r *mutationResolver) UpdateEmailEndpoint(ctx context.Context, id string, input generated.UpdateEmailEndpointInput) (*models.Webhook, error) {
	account, err := accountOf(ctx, ofMails)
	if err != nil {
		return nil, err
	}
	h, err := r.store.UpdateEmail(ctx, account, id, delivery.EmailChange{
		Events: given(input.Events), Notices: given(notices(input.Notices)), Digest: input.Digest, Paused: input.Paused,
	})
	if err != nil {
		return nil, err
	}
	more := input.Events != nil || input.Notices != nil || input.Digest != nil
	return h, r.did(ctx, changed("e-mail endpoint", input.Paused, more), h.Place())
}

// DeleteEmailEndpoint ends an e-mail endpoint with its pending deliveries. A second call is not found.
func (r *mutationResolver) DeleteEmailEndpoint(ctx context.Context, id string) (string, error) {
	account, err := accountOf(ctx, ofMails)
	if err != nil {
		return "", err
	}
	h, err := r.store.Email(ctx, account, id)
	if err == nil {
		err = r.store.DeleteEmail(ctx, account, id)
	}
	if err != nil {
		return "", err
	}
	return id, r.did(ctx, "e-mail endpoint deleted", h.Place())
}

// TestEmailEndpoint sends a mail about an invented record. A disabled or paused endpoint is CONFLICT.
func (r *mutationResolver) TestEmailEndpoint(ctx context.Context, id string) (*models.Delivery, error) {
	account, err := accountOf(ctx, ofMails)
	if err != nil {
		return nil, err
	}
	h, err := r.store.Email(ctx, account, id)
	if err != nil {
		return nil, err
	}
	d, err := r.store.CreateTestDelivery(ctx, account, h.ID, r.alerts.Endpoints.TestBody)
	if err != nil {
		return nil, err
	}
	return d, r.did(ctx, "e-mail endpoint tested", h.Place())
}

// CreateAtomSubscription makes the address of the account's events as Atom. It holds a token and is returned only
// here; the store has its SHA-256.
func (r *mutationResolver) CreateAtomSubscription(ctx context.Context, label *string) (*generated.NewAtomSubscription, error) {
	account, err := accountOf(ctx, ofAtom)
	if err != nil {
		return nil, err
	}
	token, sha := pathtoken.New()
	s, err := r.store.CreateAtomSubscription(ctx, account, orZero(label), sha)
	if err != nil {
		return nil, err
	}
	made := &generated.NewAtomSubscription{Subscription: subscription(s), URL: pathtoken.Address(r.baseURL, token, atom.File)}
	return made, r.did(ctx, "Atom subscription made", s.ID)
}

// RevokeAtomSubscription ends a subscription; its address answers 404 from then on.
func (r *mutationResolver) RevokeAtomSubscription(ctx context.Context, id string) (string, error) {
	account, err := accountOf(ctx, ofAtom)
	if err != nil {
		return "", err
	}
	if err := r.store.RevokeAtomSubscription(ctx, account, id); err != nil {
		return "", err
	}
	return id, r.did(ctx, "Atom subscription ended", id)
}

// EmailEndpoints returns the account's e-mail endpoints, newest first. They are few (delivery.CreateEmail).
func (r *queryResolver) EmailEndpoints(ctx context.Context) ([]*models.Webhook, error) {
	account, err := accountOf(ctx, ofMails)
	if err != nil {
		return nil, err
	}
	all, err := r.store.Emails(ctx, account)
	if err != nil {
		return nil, err
	}
	return orEmpty(all), loader.ExpectWebhooks(ctx, all)
}

// EmailEndpoint returns one e-mail endpoint of the account.
func (r *queryResolver) EmailEndpoint(ctx context.Context, id string) (*models.Webhook, error) {
	account, err := accountOf(ctx, ofMails)
	if err != nil {
		return nil, err
	}
	return r.store.Email(ctx, account, id)
}

// AtomSubscriptions returns the account's Atom subscriptions, without their addresses.
func (r *queryResolver) AtomSubscriptions(ctx context.Context) ([]*generated.AtomSubscription, error) {
	account, err := accountOf(ctx, ofAtom)
	if err != nil {
		return nil, err
	}
	all, err := r.store.AtomSubscriptions(ctx, account)
	if err != nil {
		return nil, err
	}
	out := make([]*generated.AtomSubscription, len(all))
	for i, s := range all {
		out[i] = subscription(s)
	}
	return out, nil
}

func (r *Resolver) EmailEndpoint() generated.EmailEndpointResolver { return &emailEndpointResolver{r} }

type emailEndpointResolver struct{ *Resolver }
