package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// readUser reads the one user that q finds, or CodeNotFound.
func readUser(q *gorm.DB) (*models.User, error) {
	none := models.NotFound("there is no such user")
	u, err := db.One[models.User](q, none)
	if err != nil && !errors.Is(err, none) {
		return nil, fmt.Errorf("read user: %w", err)
	}
	return u, err
}

// UserByEmail returns the user with that address in any letter case, of any account. It is for signing in; an
// address belongs to one account only.
func (s *Store) UserByEmail(ctx context.Context, email string) (*models.User, error) {
	return readUser(s.rows(ctx).Where("lower(email) = lower(?)", strings.TrimSpace(email)))
}

// User returns a user of an account; a user of another account is CodeNotFound.
func (s *Store) User(ctx context.Context, accountID, id string) (*models.User, error) {
	return readUser(s.rows(ctx).Where("id = ? and account_id = ?", id, accountID))
}

// Users returns the users of an account, oldest first.
func (s *Store) Users(ctx context.Context, accountID string) ([]*models.User, error) {
	var all []*models.User
	if err := s.rows(ctx).Where("account_id = ?", accountID).Order("created_at, id").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list users: %w", err)
	}
	return all, nil
}

// SetPassword stores the hash of a user's new password, sets u.Password to it, and ends every session and
// every sign-in link of the user. Passkeys stay, unlike in ResetPassword.
func (s *Store) SetPassword(ctx context.Context, u *models.User, hash string) error {
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		if err := setPassword(tx, u.ID, hash); err != nil {
			return err
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: u.AccountID, At: s.Now(), Actor: u.Email, Action: "password changed"})
	})
	if err == nil {
		u.Password = hash
	}
	return err
}

// RenewPasswordHash stores another hash of the same password, for example with stronger settings, and sets
// u.Password to it. Sessions go on. If the password was changed since u was read, nothing happens.
func (s *Store) RenewPasswordHash(ctx context.Context, u *models.User, hash string) error {
	r := s.rows(ctx).Model(&models.User{}).Where("id = ? and password = ?", u.ID, u.Password).Update("password", hash)
	if r.Error != nil {
		return fmt.Errorf("renew hash of password: %w", r.Error)
	}
	if r.RowsAffected > 0 {
		u.Password = hash
	}
	return nil
}

// setPassword stores a hash and ends what the old password let in: sessions and links.
func setPassword(tx *joint.Tx, userID, hash string) error {
	err := tx.Gorm().Model(&models.User{}).Where("id = ?", userID).Update("password", hash).Error
	if err != nil {
		return fmt.Errorf("change password: %w", err)
	}
	return endSessions(tx, userID)
}

// endSessions deletes every session of a user and every link that would sign the user in.
func endSessions(tx *joint.Tx, userID string) error {
	if err := tx.Gorm().Where("user_id = ?", userID).Delete(&models.Session{}).Error; err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	if err := tx.Gorm().Where("user_id = ?", userID).Delete(&models.SignInLink{}).Error; err != nil {
		return fmt.Errorf("end sign-in links: %w", err)
	}
	return nil
}

// samePassword returns CodeUnauthorized if the user has another password than u was read with, or was
// removed. It also holds off a change of the password until the transaction ends.
func samePassword(tx *joint.Tx, u *models.User) error {
	err := tx.Gorm().Clauses(clause.Locking{Strength: "no key update"}).Select("id").
		Where("id = ? and password = ?", u.ID, u.Password).Take(&models.User{}).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return &models.Error{Code: models.CodeUnauthorized, Message: "the password was just changed; sign in with the new one"}
	}
	if err != nil {
		return fmt.Errorf("look for a change of the password: %w", err)
	}
	return nil
}
