package account

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
)

// AtomSubscription lets programs read an account's events as Atom under an address with a token, of which only the SHA-256 is stored. It is the
// GORM model of atom_subscriptions.
type AtomSubscription struct {
	ID        string     `gorm:"primaryKey"` // atom_...
	AccountID string     // whose events it shows
	Label     string     // what the account calls it; may be empty
	SHA256    []byte     `gorm:"column:sha256"` // of the token
	CreatedAt time.Time  `gorm:"serializer:utc"`
	RevokedAt *time.Time `gorm:"serializer:utc"` // nil: the address works
}

// TableName is the table of Atom subscriptions.
func (AtomSubscription) TableName() string { return "atom_subscriptions" }

// maxAtomSubscriptions bounds the Atom subscriptions of an account that work, one for each reader or desk.
const maxAtomSubscriptions = 50

// errNoAtomSubscription is for every token that opens nothing. It does not say whether the token once worked.
var errNoAtomSubscription = models.NotFound("subscription not found")

// CreateAtomSubscription makes an Atom subscription of an account. sha is the SHA-256 of the token in its address, which is
// shown once and never stored; label has at most 100 characters.
func (s *Store) CreateAtomSubscription(ctx context.Context, accountID, label string, sha []byte) (*AtomSubscription, error) {
	label = strings.TrimSpace(label)
	if utf8.RuneCountInString(label) > 100 {
		return nil, models.Invalid("label", "label must have at most 100 characters")
	}
	f := &AtomSubscription{ID: models.NewID("atom"), AccountID: accountID, Label: label, SHA256: sha, CreatedAt: s.Moment()}
	err := s.rows(ctx).Transaction(func(tx *gorm.DB) error {
		// The lock makes the count exact.
		if _, err := db.One[models.Account](tx.Clauses(clause.Locking{Strength: "no key update"}).Where("id = ?", accountID), models.ErrNoAccount); err != nil {
			return err
		}
		var others int64
		if err := tx.Model(f).Where("account_id = ? and revoked_at is null", accountID).Count(&others).Error; err != nil {
			return err
		}
		if others >= maxAtomSubscriptions {
			return &models.Error{
				Code:    models.CodeConflict,
				Message: fmt.Sprintf("the account has %d Atom subscriptions, which is the most it may have; end some first", maxAtomSubscriptions),
			}
		}
		return tx.Create(f).Error
	})
	if err != nil {
		return nil, db.Known("create Atom subscription", err)
	}
	return f, nil
}

// AtomSubscriptions returns the Atom subscriptions of an account, newest first, revoked ones too.
func (s *Store) AtomSubscriptions(ctx context.Context, accountID string) ([]*AtomSubscription, error) {
	var found []*AtomSubscription
	if err := s.rows(ctx).Where("account_id = ?", accountID).Order("created_at desc, id desc").Find(&found).Error; err != nil {
		return nil, fmt.Errorf("list Atom subscriptions: %w", err)
	}
	return found, nil
}

// RevokeAtomSubscription ends an Atom subscription of an account at once; its address answers 404 from then on. Revoking again
// keeps the first time. An id of another account is CodeNotFound.
func (s *Store) RevokeAtomSubscription(ctx context.Context, accountID, id string) error {
	if err := models.PlainText("id", id); err != nil {
		return err
	}
	r := s.rows(ctx).Model(&AtomSubscription{}).Where("id = ? and account_id = ?", id, accountID).
		Update("revoked_at", gorm.Expr("coalesce(revoked_at, ?)", s.Moment()))
	if r.Error != nil {
		return fmt.Errorf("revoke Atom subscription: %w", r.Error)
	}
	if r.RowsAffected == 0 {
		return models.NotFound("the account has no Atom subscription with this id")
	}
	return nil
}

// AtomSubscriptionOfToken returns the Atom subscription that the token with this SHA-256 opens, and its account. It is
// CodeNotFound, always with the same message, for a token that is unknown or revoked, and when the account is no
// longer Enterprise or is suspended.
func (s *Store) AtomSubscriptionOfToken(ctx context.Context, sha []byte) (*AtomSubscription, *models.Account, error) {
	f, err := db.One[AtomSubscription](s.byLink(ctx).Where("sha256 = ? and revoked_at is null", sha), errNoAtomSubscription)
	if err != nil {
		return nil, nil, db.Known("find Atom subscription", err)
	}
	a, err := readAccount(s.byLink(ctx).Where("id = ?", f.AccountID), models.ErrNoAccount)
	if err != nil {
		return nil, nil, err
	}
	if !a.Entitled() {
		return nil, nil, errNoAtomSubscription
	}
	return f, a, nil
}
