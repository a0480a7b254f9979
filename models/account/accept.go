package account

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db/joint"
)

// AcceptInvitation uses up an invitation and creates its user with the hash of a password. sha is the SHA-256
// of the link's token. A link that was used, has expired or was taken back is CodeNotFound. An address that
// belongs to another account is CodeConflict, and the invitation stays open. The row of the link is locked:
// of two who accept at once, the second finds it used.
func (s *Store) AcceptInvitation(ctx context.Context, sha []byte, hash string) (*models.User, error) {
	var u *models.User
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		now := s.Now().UTC()
		l, err := openLink(tx.Gorm().Clauses(clause.Locking{Strength: "update"}), models.Invitation, sha, now)
		if err != nil {
			return err
		}
		u = &models.User{
			ID: models.NewID("user"), AccountID: l.AccountID, Email: l.Email, Password: hash, Role: l.Role, Operator: l.Operator, CreatedAt: now,
		}
		err = tx.Gorm().Create(u).Error
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return &models.Error{Code: models.CodeConflict, Field: "email", Message: "this e-mail address belongs to another account, and an address can belong to only one; " +
				"sign in there with it, or ask for an invitation to another address"}
		}
		if err != nil {
			return fmt.Errorf("accept invitation: %w", err)
		}
		// Other invitations of the same account to the same person are used up with it.
		err = tx.Gorm().Model(&models.SignInLink{}).
			Where("kind = ? and account_id = ? and lower(email) = lower(?) and used_at is null", models.Invitation, l.AccountID, l.Email).
			Update("used_at", now).Error
		if err != nil {
			return fmt.Errorf("use up invitations: %w", err)
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "invitation accepted"})
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}

// ResetPassword uses up a reset link: the user gets the hash of a new password, every session ends and every
// passkey is removed. So a person who had taken over the user is out, whatever they added meanwhile. It
// returns the user with the new hash; a link that does not work any more is CodeNotFound.
func (s *Store) ResetPassword(ctx context.Context, sha []byte, hash string) (*models.User, error) {
	var u *models.User
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		now := s.Now().UTC()
		l, err := openLink(tx.Gorm().Clauses(clause.Locking{Strength: "update"}), models.Reset, sha, now)
		if err != nil {
			return err
		}
		if u, err = readUser(tx.Gorm().Where("id = ? and account_id = ?", l.UserID, l.AccountID)); err != nil {
			return err
		}
		if err := setPassword(tx, u.ID, hash); err != nil { // ends the link too
			return err
		}
		u.Password = hash
		// A stranger who had the password may have added a passkey.
		if err := tx.Gorm().Where("user_id = ?", u.ID).Delete(&models.Passkey{}).Error; err != nil {
			return fmt.Errorf("remove passkeys: %w", err)
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: u.AccountID, At: now, Actor: u.Email, Action: "password reset"})
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}
