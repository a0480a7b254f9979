package account

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// noSubscription is the message for every token that opens nothing. It does not say whether the token once worked,
// so an old address does not reveal whether its case still exists.
const noSubscription = "calendar not found"

// CreateCalendarSubscription subscribes an account to the hearings of a published case. sha is the SHA-256 of the
// token in the address, which itself is shown once and never stored; label has at most 100 characters. An account
// that does not exist, and a case that was withheld since it was read, are models.ErrNoAccountOrCase.
func (s *Store) CreateCalendarSubscription(ctx context.Context, accountID string, c *models.CourtCase, label string, sha []byte) (*models.CalendarSubscription, error) {
	label = strings.TrimSpace(label)
	if utf8.RuneCountInString(label) > 100 {
		return nil, models.Invalid("label", "label must have at most 100 characters")
	}
	f := &models.CalendarSubscription{
		ID: models.NewID("feed"), AccountID: accountID, CaseID: c.ID(), CaseNumber: c.CaseNumber, County: c.County, Label: label, CreatedAt: s.Now().UTC(),
	}
	made, err := db.Exec(s.rows(ctx), statements, "create_calendar_subscription", pgx.StrictNamedArgs{
		"id": f.ID, "account": accountID, "case": c.Key, "label": label, "sha256": sha, "now": f.CreatedAt,
	})
	if err != nil {
		return nil, fmt.Errorf("create calendar subscription: %w", err)
	}
	if made == 0 {
		return nil, models.ErrNoAccountOrCase
	}
	return f, nil
}

// shownSubscription is a row of the statement calendar_subscriptions. While its case is withheld, Case is nil and Label and CaseNumber are
// empty, because they may name it.
type shownSubscription struct {
	models.CalendarSubscriptionRow
	County     *models.County `gorm:"column:county_id;serializer:county"`
	Case       *int64         `gorm:"column:shown_case"`
	CaseNumber string
}

// CalendarSubscriptions returns the subscriptions of an account, newest first, revoked ones too. Of a case that is
// withheld neither number nor label is shown.
func (s *Store) CalendarSubscriptions(ctx context.Context, accountID string) ([]*models.CalendarSubscription, error) {
	var found []shownSubscription
	if err := db.Raw(s.rows(ctx), statements, "calendar_subscriptions", pgx.StrictNamedArgs{"account": accountID}).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("list calendar subscriptions: %w", err)
	}
	all := make([]*models.CalendarSubscription, len(found))
	for i, r := range found {
		f := &models.CalendarSubscription{
			ID: r.ID, AccountID: r.AccountID, CaseNumber: r.CaseNumber, County: r.County, Label: r.Label, CreatedAt: r.CreatedAt, RevokedAt: r.RevokedAt,
		}
		if r.Case != nil {
			f.CaseID = (&models.CourtCase{Key: *r.Case, County: f.County}).ID()
		}
		all[i] = f
	}
	return all, nil
}

// RevokeCalendarSubscription ends a subscription of an account at once; its address answers 404 from then on.
// Revoking again keeps the first time. An id of another account is CodeNotFound.
func (s *Store) RevokeCalendarSubscription(ctx context.Context, accountID, id string) error {
	r := s.rows(ctx).Model(&models.CalendarSubscriptionRow{}).Where("id = ? and account_id = ?", id, accountID).
		Update("revoked_at", gorm.Expr("coalesce(revoked_at, ?)", s.Now().UTC()))
	if r.Error != nil {
		return fmt.Errorf("revoke calendar subscription: %w", r.Error)
	}
	if r.RowsAffected == 0 {
		return models.NotFound("the account has no calendar subscription with this id")
	}
	return nil
}

// CaseOfSubscription returns the case that the token with this SHA-256 opens, and the account whose token it is. It
// is CodeNotFound, always with the same message, for a token that is unknown or revoked, while the case is
// not published, and when the account is no longer Enterprise or is suspended.
func (s *Store) CaseOfSubscription(ctx context.Context, sha []byte) (*models.CourtCase, *models.Account, error) {
	none := models.NotFound(noSubscription)
	var opened []struct {
		AccountID string
		CaseKey   int64
	}
	if err := db.Raw(s.byLink(ctx), statements, "subscription_of_token", pgx.StrictNamedArgs{"sha": sha}).Scan(&opened).Error; err != nil {
		return nil, nil, fmt.Errorf("find calendar subscription: %w", err)
	}
	if len(opened) == 0 {
		return nil, nil, none
	}
	f := opened[0]
	a, err := readAccount(s.byLink(ctx).Where("id = ?", f.AccountID), models.ErrNoAccount)
	if err != nil {
		return nil, nil, err
	}
	found, err := s.needs.Cases(ctx, []int64{f.CaseKey})
	if err != nil {
		return nil, nil, err
	}
	c := found[f.CaseKey]
	if c == nil || !a.Entitled() {
		return nil, nil, none
	}
	return c, a, nil
}
