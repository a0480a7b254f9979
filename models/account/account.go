package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"rollcall/models"
)

// CreateAccount stores a new account; a.ID and a.CreatedAt are set.
func (s *Store) CreateAccount(ctx context.Context, a *models.Account) error {
	a.Name, a.Email = strings.TrimSpace(a.Name), strings.TrimSpace(a.Email)
	if err := a.Validate(); err != nil {
		return err
	}
	a.ID, a.CreatedAt = models.NewID("acct"), s.Now().UTC()
	err := s.Gorm().WithContext(ctx).Create(a).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return &models.Error{Code: models.CodeConflict, Message: "an account with this e-mail address exists", Field: "email"}
	}
	if err != nil {
		return fmt.Errorf("create account: %w", err)
	}
	return nil
}

// Account gives the account with that id.
func (s *Store) Account(ctx context.Context, id string) (*models.Account, error) {
	var a models.Account
	err := s.Gorm().WithContext(ctx).Where("id = ?", id).Take(&a).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, models.NotFound("there is no account with this id; list them with: rollcall account list")
	}
	if err != nil {
		return nil, fmt.Errorf("read account: %w", err)
	}
	return &a, nil
}

// AccountByEmail gives the account with that address in any letter case.
func (s *Store) AccountByEmail(ctx context.Context, email string) (*models.Account, error) {
	var a models.Account
	err := s.Gorm().WithContext(ctx).Where("lower(email) = lower(?)", email).Take(&a).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, models.NotFound("there is no account with this e-mail address")
	}
	if err != nil {
		return nil, fmt.Errorf("read account: %w", err)
	}
	return &a, nil
}

// Accounts gives every account, oldest first.
func (s *Store) Accounts(ctx context.Context) ([]*models.Account, error) {
	var all []*models.Account
	if err := s.Gorm().WithContext(ctx).Order("created_at, id").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	return all, nil
}

// UpdateAccount changes an account and gives it as it then is. What waits for its flood limit is planned anew
// when that changes.
func (s *Store) UpdateAccount(ctx context.Context, id string, c models.AccountChange) (*models.Account, error) {
	a, err := s.Account(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := a.Apply(c); err != nil {
		return nil, err
	}
	err = s.InTx(ctx, func(tx pgx.Tx) error {
		var was int
		if err := tx.QueryRow(ctx, `select flood_limit from accounts where id = $1 for update`, id).Scan(&was); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `update accounts set name = $2, email = $3, plan = $4, rate_limit = $5, flood_limit = $6 where id = $1`, id, a.Name, a.Email, a.Plan, a.RateLimit, a.FloodLimit)
		if err != nil || a.FloodLimit == was {
			return err
		}
		return s.needs.Replan(ctx, tx, id, was, a.FloodLimit, s.Now().UTC())
	})
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return nil, &models.Error{Code: models.CodeConflict, Message: "an account with this e-mail address exists", Field: "email"}
	}
	if err != nil {
		return nil, fmt.Errorf("change account: %w", err)
	}
	return a, nil
}
