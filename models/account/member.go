package account

import (
	"context"
	"fmt"

	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db/joint"
)

// SetRole changes the role of a user of by's account. A user who is no longer an owner loses the open links
// that only owners make. An account keeps at least one owner: otherwise it is CodeConflict. was is the role
// that by saw; if the user has another one by now, it is models.ErrChanged. An id of another account is
// CodeNotFound.
func (s *Store) SetRole(ctx context.Context, by *models.User, id string, was, role models.Role) error {
	return s.changeMember(ctx, by, id, role != models.Owner, func(tx *joint.Tx, u *models.User) (string, error) {
		if u.Role != was {
			return "", models.ErrChanged
		}
		if role != models.Owner {
			if err := endLinksOf(tx, u); err != nil {
				return "", err
			}
		}
		err := tx.Gorm().Model(&models.User{}).Where("id = ?", id).Update("role", role).Error
		return "role changed to " + string(role), err
	})
}

// RemoveUser removes a user from by's account. What the user made stays, except open invitations and reset
// links, which could let the user in again. An account keeps at least one owner, as in SetRole.
func (s *Store) RemoveUser(ctx context.Context, by *models.User, id string) error {
	return s.changeMember(ctx, by, id, true, func(tx *joint.Tx, u *models.User) (string, error) {
		if err := endLinksOf(tx, u); err != nil {
			return "", err
		}
		return "member removed", tx.Gorm().Where("id = ?", id).Delete(&models.User{}).Error
	})
}

// endLinksOf ends the open links that a user made for others.
func endLinksOf(tx *joint.Tx, u *models.User) error {
	return tx.Gorm().Where("account_id = ? and used_at is null and lower(created_by) = lower(?)", u.AccountID, u.Email).
		Delete(&models.SignInLink{}).Error
}

// changeMember runs change on a user and records the action that it returns. All users of the account are
// locked: two owners who demote each other at once would otherwise leave the account without one.
func (s *Store) changeMember(ctx context.Context, by *models.User, id string, losesOwner bool,
	change func(*joint.Tx, *models.User) (string, error),
) error {
	return s.Joint(ctx, func(tx *joint.Tx) error {
		var all []*models.User
		err := tx.Gorm().Clauses(clause.Locking{Strength: "update"}).Where("account_id = ?", by.AccountID).Order("id").Find(&all).Error
		if err != nil {
			return fmt.Errorf("lock members: %w", err)
		}
		var wanted *models.User
		owners := 0
		for _, u := range all {
			if u.ID == id {
				wanted = u
			}
			if u.Role == models.Owner {
				owners++
			}
		}
		switch {
		case wanted == nil:
			return models.NotFound("this account has no such member")
		case losesOwner && wanted.Role == models.Owner && owners == 1:
			return &models.Error{Code: models.CodeConflict, Message: "an account needs at least one owner: make someone else an owner first"}
		}
		action, err := change(tx, wanted)
		if err != nil {
			return fmt.Errorf("change member: %w", err)
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: by.AccountID, At: s.Now(), Actor: by.Email, Action: action, Subject: wanted.Email})
	})
}
