package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/graph/loader"
	"rollcall/models"
)

// Event returns the kind of event that a delivery carries.
func (r *deliveryResolver) Event(ctx context.Context, obj *models.Delivery) (models.EventKind, error) {
	return models.EventKind(obj.Kind), nil
}

// Webhook returns the endpoint of a delivery, also one that is deleted.
func (r *deliveryResolver) Webhook(ctx context.Context, obj *models.Delivery) (*models.Webhook, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return found(l.Webhooks.Load(ctx, obj.WebhookID))
}

// EmailEndpoint returns the endpoint of a delivery by e-mail, also one that is deleted; null by webhook.
func (r *deliveryResolver) EmailEndpoint(ctx context.Context, obj *models.Delivery) (*models.Webhook, error) {
	if obj.Way != models.ByEmail {
		return nil, nil //nolint:nilnil // the schema's null: it goes by webhook
	}
	return r.Webhook(ctx, obj)
}

// Alert returns the watcher of a delivery, or null for a test and for a notice about a source.
func (r *deliveryResolver) Alert(ctx context.Context, obj *models.Delivery) (*models.Watcher, error) {
	if obj.WatcherID == nil {
		return nil, nil //nolint:nilnil // the schema's null: a test, or a notice about a source
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Watchers.Load(ctx, *obj.WatcherID)
}

// Reason returns why a delivery was dropped, or null.
func (r *deliveryResolver) Reason(ctx context.Context, obj *models.Delivery) (*string, error) {
	return (*string)(obj.Reason), nil
}

// Facts returns the booking as it was when the event was detected. It is null for a record that is
// withheld now: what was sent once must not be shown again.
func (r *deliveryResolver) Facts(ctx context.Context, obj *models.Delivery) (*models.EventFacts, error) {
	if obj.EventID == nil || obj.Withheld {
		return nil, nil //nolint:nilnil // the schema's null: a test, or a record that must not be shown
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Facts.Load(ctx, *obj.EventID)
}

// Payload returns the frozen body, byte for byte as each attempt sends it. It is empty for a record
// that is withheld now.
func (r *deliveryResolver) Payload(ctx context.Context, obj *models.Delivery) (string, error) {
	return string(obj.Body), nil
}

// Attempts returns the attempts of a delivery, oldest first.
func (r *deliveryResolver) Attempts(ctx context.Context, obj *models.Delivery) ([]*models.Attempt, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	list, err := l.Attempts.Load(ctx, obj.ID)
	return orEmpty(list), err
}

// Total counts all deliveries that the page's filter selects. It is a resolver of its own, so that
// a page whose total nobody asks for does not count.
func (r *deliveryPageResolver) Total(ctx context.Context, obj *models.DeliveryPage) (int, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return 0, err
	}
	return r.store.CountDeliveries(ctx, account, obj.Filter)
}

// CreateWebhook stores an endpoint, after its address was checked. The account's secret is made
// with the first one and is never returned here (DECISIONS, "Webhooks").
func (r *mutationResolver) CreateWebhook(ctx context.Context, input generated.CreateWebhookInput) (*models.Webhook, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	if err := r.checkURL(ctx, input.URL); err != nil {
		return nil, err
	}
	h, err := r.store.CreateWebhook(ctx, account, &models.NewWebhook{
		URL: input.URL, Events: input.Events, PayloadVersion: input.PayloadVersion, Notices: notices(input.Notices), Paused: orZero(input.Paused),
	}, r.alerts.Endpoints.NewSecret(account))
	if err != nil {
		return nil, err
	}
	return h, r.did(ctx, "webhook added", h.Place())
}

// UpdateWebhook changes an endpoint; pending deliveries go to its new address. It is read first, so
// that another account's id is not found before its address is resolved.
func (r *mutationResolver) UpdateWebhook(ctx context.Context, id string, input generated.UpdateWebhookInput) (*models.Webhook, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	if _, err := r.store.Webhook(ctx, account, id); err != nil {
		return nil, err
	}
	if input.URL != nil {
		if err := r.checkURL(ctx, *input.URL); err != nil {
			return nil, err
		}
	}
	h, err := r.store.UpdateWebhook(ctx, account, id, models.WebhookChange{
		URL: input.URL, Events: given(input.Events), PayloadVersion: input.PayloadVersion, Notices: given(notices(input.Notices)), Paused: input.Paused, Seen: input.IfVersion,
	})
	if err != nil {
		return nil, err
	}
	more := input.URL != nil || input.Events != nil || input.PayloadVersion != nil || input.Notices != nil
	return h, r.did(ctx, changed("webhook", input.Paused, more), h.Place())
}

// DeleteWebhook ends an endpoint with its pending deliveries. A second call is not found.
func (r *mutationResolver) DeleteWebhook(ctx context.Context, id string, ifVersion *string) (string, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return "", err
	}
	h, err := r.store.Webhook(ctx, account, id)
	if err == nil {
		err = r.store.DeleteSeenWebhook(ctx, account, id, ifVersion)
	}
	if err != nil {
		return "", err
	}
	return id, r.did(ctx, "webhook deleted", h.Place())
}

// EnableWebhook makes a disabled endpoint active and forgets its failures.
func (r *mutationResolver) EnableWebhook(ctx context.Context, id string) (*models.Webhook, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	h, err := r.store.EnableWebhook(ctx, account, id)
	if err != nil {
		return nil, err
	}
	return h, r.did(ctx, "webhook enabled", h.Place())
}

// TestWebhook sends a signed event of an invented record. A disabled or paused endpoint is
// CONFLICT.
func (r *mutationResolver) TestWebhook(ctx context.Context, id string) (*models.Delivery, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	h, err := r.store.Webhook(ctx, account, id)
	if err != nil {
		return nil, err
	}
	d, err := r.store.CreateTestDelivery(ctx, account, id, r.alerts.Endpoints.TestBody)
	if err != nil {
		return nil, err
	}
	return d, r.did(ctx, "webhook tested", h.Place())
}

// Redeliver sends a delivery that has ended once more, with the same bytes and webhook-id, so that
// a receiver can recognise it.
func (r *mutationResolver) Redeliver(ctx context.Context, deliveryID string) (*models.Delivery, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	d, err := r.store.Redeliver(ctx, account, deliveryID)
	if err != nil {
		return nil, err
	}
	return d, r.did(ctx, "delivery sent again", d.ID)
}

// ReplayDeliveries sends the deliveries of a time once more, or counts them in a dry run. Withheld
// records, dismissed people and deleted or paused watchers are left out.
func (r *mutationResolver) ReplayDeliveries(ctx context.Context, input models.Replay) (*generated.ReplayResult, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	n, err := r.store.Replay(ctx, account, input)
	if err != nil {
		return nil, err
	}
	return &generated.ReplayResult{Count: n}, r.replayed(ctx, input, n)
}

// Webhooks returns the account's endpoints, newest first. The schema has no pages here, so at most
// 200.
func (r *queryResolver) Webhooks(ctx context.Context) ([]*models.Webhook, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	page, err := r.store.Webhooks(ctx, account, models.Page{Limit: models.MaxLimit})
	if err != nil {
		return nil, err
	}
	return orEmpty(page.Webhooks), loader.ExpectWebhooks(ctx, page.Webhooks)
}

// Webhook returns one endpoint of the account.
func (r *queryResolver) Webhook(ctx context.Context, id string) (*models.Webhook, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	return r.store.Webhook(ctx, account, id)
}

// Deliveries returns a page of the account's deliveries, newest first.
func (r *queryResolver) Deliveries(ctx context.Context, filter *models.DeliveryFilter, limit *int, offset *int, after *string) (*models.DeliveryPage, error) {
	page, err := models.NewPage(limit, offset, after)
	if err != nil {
		return nil, err
	}
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	out, err := r.store.Deliveries(ctx, account, orZero(filter), page)
	if err != nil {
		return nil, err
	}
	return out, loader.ExpectDeliveries(ctx, out.Deliveries)
}

// Backlog returns what is still to be delivered for the account, to all of its endpoints.
func (r *queryResolver) Backlog(ctx context.Context) (*models.Backlog, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	b, err := r.store.AccountBacklog(ctx, account)
	return &b, err
}

// FloodLimit returns the deliveries a minute that an operator lets through for the account; null is
// no limit. Deliveries above it are delayed, never left out (DECISIONS, "Alerts").
func (r *queryResolver) FloodLimit(ctx context.Context) (*int, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	a, err := r.store.Account(ctx, account)
	if err != nil || a.FloodLimit == 0 {
		return nil, err
	}
	return &a.FloodLimit, nil
}

// Delivery returns one delivery of the account.
func (r *queryResolver) Delivery(ctx context.Context, id string) (*models.Delivery, error) {
	account, err := accountOf(ctx, ofWebhooks)
	if err != nil {
		return nil, err
	}
	return r.store.Delivery(ctx, account, id)
}

// Notices returns the further messages that an endpoint asked for.
func (r *webhookResolver) Notices(ctx context.Context, obj *models.Webhook) ([]string, error) {
	return noticeWords(obj), nil
}

// Status returns "active" or "disabled", or "deleted" where a delivery leads to an endpoint that is no more.
func (r *webhookResolver) Status(ctx context.Context, obj *models.Webhook) (string, error) {
	if obj.DeletedAt != nil {
		return "deleted", nil
	}
	return string(obj.Status), nil
}

// Backlog returns what is still to be delivered to the endpoint.
func (r *webhookResolver) Backlog(ctx context.Context, obj *models.Webhook) (*models.Backlog, error) {
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	b, err := l.Backlogs.Load(ctx, obj.ID)
	return &b, err
}

func (r *Resolver) Delivery() generated.DeliveryResolver { return &deliveryResolver{r} }

func (r *Resolver) DeliveryPage() generated.DeliveryPageResolver { return &deliveryPageResolver{r} }

func (r *Resolver) Webhook() generated.WebhookResolver { return &webhookResolver{r} }

type (
	deliveryResolver     struct{ *Resolver }
	deliveryPageResolver struct{ *Resolver }
	webhookResolver      struct{ *Resolver }
)
