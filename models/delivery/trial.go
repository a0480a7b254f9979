package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// CreateTestDelivery makes a delivery of an invented event to a registration of the account, due now.
// body gives its bytes for the webhook-id, time and payload version that are chosen here. A registration
// that is disabled or paused is CodeConflict.
func (s *Store) CreateTestDelivery(ctx context.Context, accountID, webhookID string, body func(messageID string, at time.Time, version int) ([]byte, error)) (*models.Delivery, error) {
	h, err := s.Webhook(ctx, accountID, webhookID)
	if err != nil {
		return nil, err
	}
	if h.Status != models.WebhookActive || h.Paused {
		return nil, &models.Error{Code: models.CodeConflict, Message: "the webhook is disabled or paused; enable it first"}
	}
	now := s.Now().UTC()
	message := models.NewID("evt")
	text, err := body(message, now, h.PayloadVersion)
	if err != nil {
		return nil, fmt.Errorf("make test delivery: %w", err)
	}
	rows, err := s.Pool().Query(ctx, `insert into deliveries as d (id, account_id, webhook_id, message_id, kind, body, state, next_attempt, created_at, updated_at)
 values ($1, $2, $3, $4, 'booking', $5, 'pending', $6, $6, $6) returning `+deliveryColumns, models.NewID("dlv"), accountID, webhookID, message, text, now)
	if err != nil {
		return nil, fmt.Errorf("create test delivery: %w", err)
	}
	d, err := pgx.CollectExactlyOneRow(rows, scanDelivery)
	return d, deliveryError("create test delivery", err)
}
