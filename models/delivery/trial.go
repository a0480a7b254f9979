package delivery

import (
	"context"
	"fmt"
	"time"

	"rollcall/models"
	"rollcall/models/db"
)

// conflict returns the refusal of a change that the present state does not allow.
func conflict(message string) error {
	return &models.Error{Code: models.CodeConflict, Message: message}
}

// notSentTo returns why nothing is sent to an endpoint at present, with what to do; nil if events are sent.
func notSentTo(h *models.Webhook) error {
	switch {
	case h.Status == models.WebhookDisabled:
		return conflict("the endpoint is disabled: enable it, then try again")
	case h.Paused:
		return conflict("the endpoint is paused: resume it (paused: false), then try again")
	}
	return nil
}

// endpoint returns an endpoint of the account, by whichever way; a deleted one is CodeNotFound.
func (s *Store) endpoint(ctx context.Context, accountID, id string) (*models.Webhook, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	h, err := db.One[models.Webhook](s.rows(ctx).Where("id = ? and account_id = ? and deleted_at is null", id, accountID), errNoWebhook)
	return h, db.Known("read endpoint", err)
}

// CreateTestDelivery inserts a delivery of an invented event to an endpoint of the account, due now. body
// returns its bytes for the webhook-id, time and payload version that are chosen here. It has no event and no
// watcher. An endpoint that is disabled or paused is CodeConflict, an unknown one CodeNotFound.
func (s *Store) CreateTestDelivery(ctx context.Context, accountID, webhookID string,
	body func(messageID string, at time.Time, version int) ([]byte, error),
) (*models.Delivery, error) {
	h, err := s.endpoint(ctx, accountID, webhookID)
	if err != nil {
		return nil, err
	}
	if err := notSentTo(h); err != nil {
		return nil, err
	}
	now := s.Moment()
	d := &models.Delivery{
		ID: models.NewID("dlv"), AccountID: accountID, WebhookID: webhookID, Way: h.Way, MessageID: models.NewID("evt"), Kind: string(models.EventBooking),
		State: models.DeliveryPending, Round: 1, NextAttempt: &now, CreatedAt: now, UpdatedAt: now,
	}
	if d.Body, err = body(d.MessageID, now, h.PayloadVersion); err != nil {
		return nil, fmt.Errorf("make test delivery: %w", err)
	}
	if err := s.rows(ctx).Table("deliveries").Create(d).Error; err != nil {
		return nil, fmt.Errorf("create test delivery: %w", err)
	}
	return d, nil
}
