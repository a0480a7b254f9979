package notifier

import (
	"context"
	"fmt"
	"time"

	"rollcall/models"
	"rollcall/models/store"
)

// Secrets shows and replaces webhook secrets for signed-in owners and for operators. Each call writes a line
// that names the actor into the account's trail. It is never reachable by an API key. It is safe for concurrent
// use.
type Secrets struct {
	Store *store.Store
	Seal  *Sealer
}

// AccountSecret is the secret of an account in the open.
type AccountSecret struct {
	AccountID string
	// Keys.Next is the zero Secret outside a rotation.
	Keys Keyring
	// RotatingSince is when the rotation began; nil outside one.
	RotatingSince *time.Time
}

// Show returns the secret of an account; CodeNotFound before its first endpoint.
func (s *Secrets) Show(ctx context.Context, accountID, actor string) (*AccountSecret, error) {
	w, err := s.Store.WebhookSecret(ctx, accountID)
	return s.open(ctx, w, err, actor, "webhook secret shown")
}

// Rotate begins to replace the secret and returns both: from now on the old one and a new one sign.
// CodeConflict while a rotation is under way.
func (s *Secrets) Rotate(ctx context.Context, accountID, actor string) (*AccountSecret, error) {
	w, err := s.Store.BeginRotation(ctx, accountID, s.Seal.Seal(NewSecret(), accountID))
	return s.open(ctx, w, err, actor, "webhook secret rotation started")
}

// Finish ends a rotation: only the new secret signs from now on. CodeConflict without a rotation.
func (s *Secrets) Finish(ctx context.Context, accountID, actor string) (*AccountSecret, error) {
	w, err := s.Store.FinishRotation(ctx, accountID)
	return s.open(ctx, w, err, actor, "webhook secret rotation finished")
}

// Cancel ends a rotation with the old secret; the new one signs no more. CodeConflict without a rotation.
func (s *Secrets) Cancel(ctx context.Context, accountID, actor string) (*AccountSecret, error) {
	w, err := s.Store.CancelRotation(ctx, accountID)
	return s.open(ctx, w, err, actor, "webhook secret rotation cancelled")
}

// open decrypts a secret and writes the line of the trail. Without that line it returns an error, so nothing is
// shown untraced.
func (s *Secrets) open(ctx context.Context, w *models.WebhookSecret, err error, actor, action string) (*AccountSecret, error) {
	if err != nil {
		return nil, err
	}
	out := &AccountSecret{AccountID: w.AccountID, RotatingSince: w.RotatingSince}
	if out.Keys.Current, err = s.Seal.Open(w.Current, w.AccountID); err != nil {
		return nil, fmt.Errorf("account %s: %w", w.AccountID, err)
	}
	if w.Next != nil {
		if out.Keys.Next, err = s.Seal.Open(w.Next, w.AccountID); err != nil {
			return nil, fmt.Errorf("account %s: %w", w.AccountID, err)
		}
	}
	return out, s.Store.RecordEvent(ctx, models.AccountEvent{AccountID: w.AccountID, Actor: actor, Action: action})
}
