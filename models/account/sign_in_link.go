package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// made and takenBack are what the trail says of links that are created and taken back, by their kind. A
// sign-in link (Enter) cannot be taken back here: it belongs to its user.
var (
	made = map[models.LinkKind]string{
		models.Invitation: "invitation created", models.Reset: "new-password link created", models.Enter: "sign-in link created",
	}
	takenBack = map[models.LinkKind]string{models.Invitation: "invitation revoked", models.Reset: "new-password link revoked"}
)

// CreateSignInLink stores a link and sets l.CreatedAt; only the SHA-256 of its token is stored. Inviting a
// member of the account is CodeConflict. Whether an address belongs to another account is not revealed here:
// owners must not find out who else uses the service.
func (s *Store) CreateSignInLink(ctx context.Context, l *models.SignInLink) error {
	l.Email, l.CreatedAt, l.UsedAt = strings.TrimSpace(l.Email), s.Now().UTC(), nil
	if err := models.EmailAddress(l.Email); err != nil {
		return err
	}
	if l.Kind == models.Invitation {
		switch u, err := s.UserByEmail(ctx, l.Email); {
		case err == nil && u.AccountID == l.AccountID:
			return &models.Error{Code: models.CodeConflict, Message: "the person with this e-mail address is a member of this account already", Field: "email"}
		case err != nil && models.CodeOf(err) != models.CodeNotFound:
			return err
		}
	}
	return s.Joint(ctx, func(tx *joint.Tx) error {
		err := tx.Gorm().Create(l).Error
		if errors.Is(err, gorm.ErrForeignKeyViolated) {
			return models.ErrNoAccount
		}
		if err != nil {
			return fmt.Errorf("create sign-in link: %w", err)
		}
		return record(tx.Gorm(), models.AccountEvent{AccountID: l.AccountID, At: l.CreatedAt, Actor: l.CreatedBy, Action: made[l.Kind], Subject: l.Email})
	})
}

// open narrows sign-in links to those that still work at a moment: not used and not expired.
func open(now time.Time) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB { return q.Where("used_at is null and expires_at > ?", now) }
}

// forPeople narrows sign-in links to those of an account that owners make for others.
func forPeople(accountID string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		return q.Where("account_id = ? and kind in ?", accountID, []models.LinkKind{models.Invitation, models.Reset})
	}
}

// SignInLink returns the link of that kind with that SHA-256, without using it up. One that does not work any
// more is CodeNotFound, whatever the reason, with a message that suggests asking for another.
func (s *Store) SignInLink(ctx context.Context, kind models.LinkKind, sha []byte) (*models.SignInLink, error) {
	return openLink(s.byLink(ctx), kind, sha, s.Now())
}

// openLink is SignInLink through from, which may be a transaction that locks the row.
func openLink(from *gorm.DB, kind models.LinkKind, sha []byte, now time.Time) (*models.SignInLink, error) {
	none := models.NotFound("this link was used, has expired or was revoked; ask for a new one")
	l, err := db.One[models.SignInLink](from.Scopes(open(now)).Where("sha256 = ? and kind = ?", sha, kind), none)
	if err != nil && !errors.Is(err, none) {
		return nil, fmt.Errorf("read sign-in link: %w", err)
	}
	return l, err
}

// HasEnterLink reports whether a user has an open link of kind Enter, which works any number of times until
// it expires. Pages then explain how to sign in again by that link.
func (s *Store) HasEnterLink(ctx context.Context, userID string) (bool, error) {
	var n int64
	err := s.rows(ctx).Model(&models.SignInLink{}).Scopes(open(s.Now())).Where("user_id = ? and kind = ?", userID, models.Enter).Count(&n).Error
	if err != nil {
		return false, fmt.Errorf("look for a sign-in link: %w", err)
	}
	return n > 0, nil
}

// OpenLinks returns the invitations and reset links of an account that still work, newest first.
func (s *Store) OpenLinks(ctx context.Context, accountID string) ([]*models.SignInLink, error) {
	var all []*models.SignInLink
	if err := s.rows(ctx).Scopes(forPeople(accountID), open(s.Now())).Order("created_at desc, sha256").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list open links: %w", err)
	}
	return all, nil
}

// TakeBackLink ends an open link of by's account, of kind Invitation or Reset, and returns its kind. Other
// links to the same address stay. One that is not open any more, or of another account, is CodeNotFound.
func (s *Store) TakeBackLink(ctx context.Context, by *models.User, sha []byte) (kind models.LinkKind, err error) {
	err = s.Joint(ctx, func(tx *joint.Tx) error {
		var gone []models.SignInLink
		now := s.Now()
		err := tx.Gorm().Clauses(clause.Returning{}).Scopes(forPeople(by.AccountID), open(now)).Where("sha256 = ?", sha).Delete(&gone).Error
		if err != nil {
			return fmt.Errorf("take back a link: %w", err)
		}
		if len(gone) == 0 {
			return models.NotFound("this link is no longer open: it was used, has expired or was revoked")
		}
		kind = gone[0].Kind
		return record(tx.Gorm(), models.AccountEvent{AccountID: by.AccountID, At: now, Actor: by.Email, Action: takenBack[kind], Subject: gone[0].Email})
	})
	return kind, err
}
