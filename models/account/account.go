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

// emailTaken is the error for an address that another account has. Only commands of an operator show it.
func emailTaken() error {
	return &models.Error{Code: models.CodeConflict, Message: "an account with this e-mail address already exists", Field: "email"}
}

// CreateAccount stores a new account and sets a.ID and a.CreatedAt; name and address lose blanks around them.
// An address that another account has, in any letter case, is CodeConflict. Fields out of range are those of
// models.Account.Validate.
func (s *Store) CreateAccount(ctx context.Context, a *models.Account) error {
	a.Name, a.Email = strings.TrimSpace(a.Name), strings.TrimSpace(a.Email)
	if err := a.Validate(); err != nil {
		return err
	}
	a.ID, a.CreatedAt = models.NewID("acct"), s.Now().UTC()
	err := s.rows(ctx).Create(a).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return emailTaken()
	}
	if err != nil {
		return fmt.Errorf("create account: %w", err)
	}
	return nil
}

// Account returns the account with that id, whatever its plan; models.ErrNoAccount when there is none.
func (s *Store) Account(ctx context.Context, id string) (*models.Account, error) {
	return readAccount(s.rows(ctx).Where("id = ?", id), models.ErrNoAccount)
}

// AccountByEmail returns the account with that address in any letter case, or CodeNotFound.
func (s *Store) AccountByEmail(ctx context.Context, email string) (*models.Account, error) {
	return readAccount(s.rows(ctx).Where("lower(email) = lower(?)", email), models.NotFound("there is no account with this e-mail address"))
}

// readAccount reads the one account that q finds, or returns none.
func readAccount(q *gorm.DB, none *models.Error) (*models.Account, error) {
	a, err := db.One[models.Account](q, none)
	if err != nil && !errors.Is(err, none) {
		return nil, fmt.Errorf("read account: %w", err)
	}
	return a, err
}

// Accounts returns every account, oldest first. It is for operators: no caller sees another account.
func (s *Store) Accounts(ctx context.Context) ([]*models.Account, error) {
	var all []*models.Account
	if err := s.rows(ctx).Order("created_at, id").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	return all, nil
}

// UpdateAccount changes the fields that c sets and returns the account as it then is. When its flood limit
// changes, deliveries that wait for the old limit are planned anew in the same transaction. Errors are
// models.ErrNoAccount, CodeConflict for an address that is taken, and those of models.Account.Apply.
func (s *Store) UpdateAccount(ctx context.Context, id string, c models.AccountChange) (*models.Account, error) {
	return s.changeAccount(ctx, id, func(a *models.Account) error { return a.Apply(c) })
}

// SuspendAccount suspends an account: its keys are refused, it gets no events, and what waits for it is dropped.
// reason is for its users.
func (s *Store) SuspendAccount(ctx context.Context, id, reason string) (*models.Account, error) {
	return s.changeAccount(ctx, id, func(a *models.Account) error { return a.Suspend(reason, s.Now().UTC()) })
}

// ResumeAccount ends a suspension. The account's watchers see what is detected from then on.
func (s *Store) ResumeAccount(ctx context.Context, id string) (*models.Account, error) {
	return s.changeAccount(ctx, id, func(a *models.Account) error { a.Resume(); return nil })
}

// changeAccount changes an account and what follows from it in one transaction. The row is locked before it is
// read, so concurrent changes of different fields are all kept, and no event of the account is made meanwhile.
// The lock of watchers comes first, as where a watcher is made.
func (s *Store) changeAccount(ctx context.Context, id string, change func(*models.Account) error) (*models.Account, error) {
	var a *models.Account
	err := s.Joint(ctx, func(tx *joint.Tx) (err error) {
		if err := tx.Gorm().Exec(db.LockWatchers, id).Error; err != nil {
			return fmt.Errorf("change account: %w", err)
		}
		if a, err = readAccount(tx.Gorm().Clauses(clause.Locking{Strength: "update"}).Where("id = ?", id), models.ErrNoAccount); err != nil {
			return err
		}
		was := *a
		if err := change(a); err != nil {
			return err
		}
		err = tx.Gorm().Model(a).Select("*").Omit("id", "created_at").Updates(a).Error
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return emailTaken()
		}
		if err != nil {
			return fmt.Errorf("change account: %w", err)
		}
		return s.follow(ctx, tx, &was, a)
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// follow does what a change of an account means for its watchers and deliveries.
func (s *Store) follow(ctx context.Context, tx *joint.Tx, was, a *models.Account) error {
	now := s.Now().UTC()
	if was.Entitled() != a.Entitled() {
		if err := s.needs.Entitle(ctx, tx.Pgx(), a, now); err != nil {
			return err
		}
	}
	if a.FloodLimit == was.FloodLimit {
		return nil
	}
	return s.needs.Replan(ctx, tx.Pgx(), a.ID, was.FloodLimit, a.FloodLimit, now)
}
