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

// mostPasskeys is how many passkeys a user may have.
const mostPasskeys = 20

// Passkeys returns the passkeys of a user, oldest first.
func (s *Store) Passkeys(ctx context.Context, userID string) ([]models.Passkey, error) {
	var all []models.Passkey
	if err := s.rows(ctx).Where("user_id = ?", userID).Order("created_at, id").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list passkeys: %w", err)
	}
	return all, nil
}

// PasskeyOwner returns the user whose id a passkey holds as its user handle. The id comes from a browser, so
// text that no id can be is CodeNotFound without a query, as an unknown id is.
func (s *Store) PasskeyOwner(ctx context.Context, userID string) (*models.User, error) {
	if models.PlainText("user", userID) != nil {
		return nil, models.NotFound("there is no such user")
	}
	return readUser(s.rows(ctx).Where("id = ?", userID))
}

// AddPasskey stores a passkey of u under a name of at most 100 characters. One that is known already, and one
// more than a user may have, are CodeConflict. A user whose password was changed meanwhile is
// CodeUnauthorized.
func (s *Store) AddPasskey(ctx context.Context, u *models.User, k models.Passkey) error {
	var err error
	if k.Name, err = models.NameText("name", k.Name, 100); err != nil {
		return err
	}
	if k.Name == "" {
		return models.Invalid("name", "name the passkey after its device")
	}
	return s.Joint(ctx, func(tx *joint.Tx) error {
		// A link for a new password removes passkeys, also one that is being added. The lock makes those who add one wait
		// for each other, so that the count holds.
		if err := samePassword(tx, u); err != nil {
			return err
		}
		var has int64
		if err := tx.Gorm().Model(&models.Passkey{}).Where("user_id = ?", u.ID).Count(&has).Error; err != nil {
			return fmt.Errorf("count passkeys: %w", err)
		}
		if has >= mostPasskeys {
			return &models.Error{Code: models.CodeConflict, Message: fmt.Sprintf("a user has at most %d passkeys; remove one first", mostPasskeys)}
		}
		k.UserID, k.CreatedAt, k.LastUsed = u.ID, s.Now().UTC(), nil
		err := tx.Gorm().Create(&k).Error
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return &models.Error{Code: models.CodeConflict, Message: "this passkey was added before"}
		}
		if err != nil {
			return fmt.Errorf("add passkey: %w", err)
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: u.AccountID, At: k.CreatedAt, Actor: u.Email, Action: "passkey added", Subject: k.Name})
	})
}

// UsedPasskey stores a passkey's new state after a use, and the time. The state holds the authenticator's
// counter, by which a copied passkey is noticed.
func (s *Store) UsedPasskey(ctx context.Context, id, credential []byte) error {
	now := s.Now().UTC()
	err := s.rows(ctx).Model(&models.Passkey{}).Where("id = ?", id).
		Select("Credential", "LastUsed").Updates(models.Passkey{Credential: credential, LastUsed: &now}).Error
	if err != nil {
		return fmt.Errorf("note use of passkey: %w", err)
	}
	return nil
}

// RemovePasskey removes a passkey of u; one of another user is CodeNotFound.
func (s *Store) RemovePasskey(ctx context.Context, u *models.User, id []byte) error {
	return s.Joint(ctx, func(tx *joint.Tx) error {
		var gone []models.Passkey
		err := tx.Gorm().Clauses(clause.Returning{}).Where("id = ? and user_id = ?", id, u.ID).Delete(&gone).Error
		if err != nil {
			return fmt.Errorf("remove passkey: %w", err)
		}
		if len(gone) == 0 {
			return models.NotFound("you have no such passkey")
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: u.AccountID, At: s.Now(), Actor: u.Email, Action: "passkey removed", Subject: gone[0].Name})
	})
}

// OpenChallenge stores a challenge for one ceremony in a browser, and drops those that have expired.
func (s *Store) OpenChallenge(ctx context.Context, c models.PasskeyChallenge) error {
	if err := s.rows(ctx).Where("expires_at <= ?", s.Now()).Delete(&models.PasskeyChallenge{}).Error; err != nil {
		return fmt.Errorf("drop expired challenges: %w", err)
	}
	if err := s.rows(ctx).Create(&c).Error; err != nil {
		return fmt.Errorf("open challenge: %w", err)
	}
	return nil
}

// TakeChallenge returns an open challenge and removes it, so that a recorded answer cannot be played back. An
// unknown, used or expired one is CodeNotFound.
func (s *Store) TakeChallenge(ctx context.Context, challenge string) (*models.PasskeyChallenge, error) {
	none := models.NotFound("there is no such challenge")
	if models.PlainText("challenge", challenge) != nil {
		return nil, none
	}
	var taken []*models.PasskeyChallenge
	err := s.rows(ctx).Clauses(clause.Returning{}).Where("challenge = ? and expires_at > ?", challenge, s.Now()).Delete(&taken).Error
	if err != nil {
		return nil, fmt.Errorf("take challenge: %w", err)
	}
	if len(taken) == 0 {
		return nil, none
	}
	return taken[0], nil
}
