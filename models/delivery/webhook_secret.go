package delivery

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
)

// errNoSecret is for an account that never had an endpoint.
var errNoSecret = models.NotFound("the account has no webhook secret yet; it is created with the first webhook")

// errNotRotating is why a rotation cannot end, and errRotating why none can begin.
var (
	errNotRotating = conflict("no rotation of the secret is in progress")
	errRotating    = conflict("a rotation of the secret is already in progress; finish or cancel it first")
)

// WebhookSecret returns the encrypted secret of an account, or CodeNotFound before its first endpoint.
func (s *Store) WebhookSecret(ctx context.Context, accountID string) (*models.WebhookSecret, error) {
	w, err := db.One[models.WebhookSecret](s.rows(ctx).Where("account_id = ?", accountID), errNoSecret)
	return w, db.Known("read webhook secret", err)
}

// BeginRotation sets the next secret of an account, encrypted: from now on both sign (DECISIONS.md,
// "Webhooks"). While one is being replaced already it is CodeConflict.
func (s *Store) BeginRotation(ctx context.Context, accountID string, sealedNext []byte) (*models.WebhookSecret, error) {
	return s.rotate(s.rows(ctx).Where("next is null"), accountID, "rotate webhook secret", errRotating,
		map[string]any{"next": sealedNext, "rotating_since": s.Moment()})
}

// FinishRotation makes the next secret of an account the current one; the old one signs no more. Without a
// rotation it is CodeConflict.
func (s *Store) FinishRotation(ctx context.Context, accountID string) (*models.WebhookSecret, error) {
	return s.rotate(s.rows(ctx).Where("next is not null"), accountID, "finish rotation", errNotRotating,
		map[string]any{"current": gorm.Expr("next"), "next": nil, "rotating_since": nil, "created_at": s.Moment()})
}

// CancelRotation forgets the next secret of an account, and the current one alone signs again. Without a
// rotation it is CodeConflict.
func (s *Store) CancelRotation(ctx context.Context, accountID string) (*models.WebhookSecret, error) {
	return s.rotate(s.rows(ctx).Where("next is not null"), accountID, "cancel rotation", errNotRotating,
		map[string]any{"next": nil, "rotating_since": nil})
}

// rotate changes the secret of an account if it is in the phase that in narrows to. In another phase it is
// otherwise, which is CodeConflict. One statement decides, so of two operators at once one succeeds.
func (s *Store) rotate(in *gorm.DB, accountID, what string, otherwise error, change map[string]any) (*models.WebhookSecret, error) {
	var changed []models.WebhookSecret
	err := in.Model(&changed).Clauses(clause.Returning{}).Where("account_id = ?", accountID).Updates(change).Error
	if err != nil {
		return nil, db.Known(what, err)
	}
	if len(changed) == 0 {
		if _, err := s.WebhookSecret(in.Statement.Context, accountID); err != nil {
			return nil, err
		}
		return nil, otherwise
	}
	return &changed[0], nil
}
