package delivery

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// WebhookSecret gives the sealed secret of an account; not found before its first registration.
func (s *Store) WebhookSecret(ctx context.Context, accountID string) (*models.WebhookSecret, error) {
	return s.secretRow(ctx, "read webhook secret", `select account_id, current, next, rotating_since, created_at from webhook_secrets where account_id = $1`, accountID)
}

// BeginRotation sets the next secret of an account: from now on both sign. While one is being replaced
// already it is CodeConflict.
func (s *Store) BeginRotation(ctx context.Context, accountID string, sealedNext []byte) (*models.WebhookSecret, error) {
	w, err := s.secretRow(ctx, "rotate webhook secret", `update webhook_secrets set next = $2, rotating_since = $3 where account_id = $1 and next is null
 returning account_id, current, next, rotating_since, created_at`, accountID, sealedNext, s.Now().UTC())
	return w, s.rotationError(ctx, accountID, err, "the secret is being replaced already; finish or cancel that first")
}

// FinishRotation makes the next secret of an account the current one; the old one signs no more.
func (s *Store) FinishRotation(ctx context.Context, accountID string) (*models.WebhookSecret, error) {
	w, err := s.secretRow(ctx, "finish rotation", `update webhook_secrets set current = next, next = null, rotating_since = null, created_at = $2 where account_id = $1 and next is not null
 returning account_id, current, next, rotating_since, created_at`, accountID, s.Now().UTC())
	return w, s.rotationError(ctx, accountID, err, "no replacement of the secret is in progress")
}

// CancelRotation forgets the next secret of an account.
func (s *Store) CancelRotation(ctx context.Context, accountID string) (*models.WebhookSecret, error) {
	w, err := s.secretRow(ctx, "cancel rotation", `update webhook_secrets set next = null, rotating_since = null where account_id = $1 and next is not null
 returning account_id, current, next, rotating_since, created_at`, accountID)
	return w, s.rotationError(ctx, accountID, err, "no replacement of the secret is in progress")
}

func (s *Store) secretRow(ctx context.Context, what, sql string, args ...any) (*models.WebhookSecret, error) {
	var w models.WebhookSecret
	err := s.Pool().QueryRow(ctx, sql, args...).Scan(&w.AccountID, &w.Current, &w.Next, &w.RotatingSince, &w.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, models.NotFound("the account has no webhook secret yet; it comes with the first webhook")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return &w, nil
}

// rotationError tells an account without a secret from one whose rotation is in another phase.
func (s *Store) rotationError(ctx context.Context, accountID string, err error, phase string) error {
	if err == nil || models.CodeOf(err) != models.CodeNotFound {
		return err
	}
	if _, err := s.WebhookSecret(ctx, accountID); err != nil {
		return err
	}
	return &models.Error{Code: models.CodeConflict, Message: phase}
}
