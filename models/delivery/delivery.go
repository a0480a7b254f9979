package delivery

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

const deliveryColumns = `d.id, d.account_id, d.webhook_id, d.event_id, d.message_id, d.watcher_id, d.kind, d.body, d.match, d.state, d.reason, d.round, d.attempts, d.failures, d.next_attempt, d.created_at, d.updated_at, ` + db.SealedDelivery

func scanDelivery(row pgx.CollectableRow) (*models.Delivery, error) {
	var d models.Delivery
	err := row.Scan(&d.ID, &d.AccountID, &d.WebhookID, &d.EventID, &d.MessageID, &d.WatcherID, &d.Kind, &d.Body, &d.Match, &d.State, &d.Reason, &d.Round, &d.Attempts, &d.Failures, &d.NextAttempt, &d.CreatedAt, &d.UpdatedAt, &d.Sealed)
	d.CreatedAt, d.UpdatedAt = d.CreatedAt.UTC(), d.UpdatedAt.UTC()
	if d.Sealed {
		d.Body, d.Match = nil, nil
	}
	return &d, err
}

// deliveryError passes on what users may see and wraps the rest.
func deliveryError(what string, err error) error {
	var known *models.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return models.NotFound("there is no delivery with this id")
	case errors.As(err, &known):
		return known
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Delivery gives a delivery of the account.
func (s *Store) Delivery(ctx context.Context, accountID, id string) (*models.Delivery, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	rows, err := s.Pool().Query(ctx, `select `+deliveryColumns+` from deliveries d where d.id = $1 and d.account_id = $2`, id, accountID)
	if err != nil {
		return nil, fmt.Errorf("read delivery: %w", err)
	}
	d, err := pgx.CollectExactlyOneRow(rows, scanDelivery)
	return d, deliveryError("read delivery", err)
}

// AttemptsOf gives the attempts of deliveries, oldest first, by the delivery's id. What was answered is left
// out where the record must not be shown any more: receivers echo what they get.
func (s *Store) AttemptsOf(ctx context.Context, deliveryIDs []string) (map[string][]*models.Attempt, error) {
	rows, err := s.Pool().Query(ctx, `select a.delivery_id, a.id, a.at, a.status, a.latency_ms, a.class, case when not `+db.SealedDelivery+` then a.answer end, a.error
 from attempts a join deliveries d on d.id = a.delivery_id where a.delivery_id = any($1) order by a.delivery_id, a.id`, deliveryIDs)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	out := make(map[string][]*models.Attempt, len(deliveryIDs))
	var of string
	var a models.Attempt
	_, err = pgx.ForEachRow(rows, []any{&of, &a.ID, &a.At, &a.Status, &a.LatencyMS, &a.Class, &a.Answer, &a.Error}, func() error {
		row := a
		row.At = row.At.UTC()
		out[of] = append(out[of], &row)
		a = models.Attempt{}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return out, nil
}
