package models

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// Plan is what an account pays for; only Enterprise has API access.
type Plan string

// The plans.
const (
	Free       Plan = "free"
	Pro        Plan = "pro"
	Enterprise Plan = "enterprise"
)

// ParsePlan reads a plan in any letter case.
func ParsePlan(s string) (Plan, error) {
	switch p := Plan(strings.ToLower(s)); p {
	case Free, Pro, Enterprise:
		return p, nil
	}
	return "", Invalid("plan", fmt.Sprintf("plan %.20q is not one of free, pro, enterprise", s))
}

// DefaultRateLimit is the number of requests a minute that SPEC.md grants.
const DefaultRateLimit = 100

// Account is a customer: keys, watchers and webhooks belong to it.
type Account struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	Email     string
	Plan      Plan
	RateLimit int // requests a minute over all keys; 0: unlimited
	// FloodLimit is how many deliveries a minute are due; those above it come later, none is left out.
	// 0: no limit.
	FloodLimit int
	CreatedAt  time.Time
}

// CreateAccount stores a new account; a.ID and a.CreatedAt are set.
func (s *Store) CreateAccount(ctx context.Context, a *Account) error {
	a.Name, a.Email = strings.TrimSpace(a.Name), strings.TrimSpace(a.Email)
	if err := a.validate(); err != nil {
		return err
	}
	a.ID, a.CreatedAt = newID("acct"), s.now().UTC()
	err := s.db.WithContext(ctx).Create(a).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return &Error{Code: CodeConflict, Message: "an account with this e-mail address exists", Field: "email"}
	}
	if err != nil {
		return fmt.Errorf("create account: %w", err)
	}
	return nil
}

func (a *Account) validate() error {
	if a.Name == "" || len(a.Name) > 200 {
		return Invalid("name", "name must have 1 to 200 characters")
	}
	if err := emailAddress(a.Email); err != nil {
		return err
	}
	if a.RateLimit < 0 {
		return Invalid("rate_limit", "rate limit must be 0 (unlimited) or more requests a minute")
	}
	if a.FloodLimit < 0 {
		return Invalid("flood_limit", "flood limit must be 0 (none) or more deliveries a minute")
	}
	_, err := ParsePlan(string(a.Plan))
	return err
}

// Account gives the account with that id.
func (s *Store) Account(ctx context.Context, id string) (*Account, error) {
	var a Account
	err := s.db.WithContext(ctx).Where("id = ?", id).Take(&a).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, NotFound("there is no account with this id; list them with: rollcall account list")
	}
	if err != nil {
		return nil, fmt.Errorf("read account: %w", err)
	}
	return &a, nil
}

// AccountByEmail gives the account with that address in any letter case.
func (s *Store) AccountByEmail(ctx context.Context, email string) (*Account, error) {
	var a Account
	err := s.db.WithContext(ctx).Where("lower(email) = lower(?)", email).Take(&a).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, NotFound("there is no account with this e-mail address")
	}
	if err != nil {
		return nil, fmt.Errorf("read account: %w", err)
	}
	return &a, nil
}

// Accounts gives every account, oldest first.
func (s *Store) Accounts(ctx context.Context) ([]*Account, error) {
	var all []*Account
	if err := s.db.WithContext(ctx).Order("created_at, id").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	return all, nil
}

// AccountChange holds what to change of an account; nil leaves it.
type AccountChange struct {
	Name      *string
	Email     *string
	Plan      *Plan
	RateLimit *int

	FloodLimit *int
}

// UpdateAccount changes an account and gives it as it then is. What waits for its flood limit is planned anew
// when that changes.
func (s *Store) UpdateAccount(ctx context.Context, id string, c AccountChange) (*Account, error) {
	a, err := s.Account(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := a.change(c); err != nil {
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
		return replan(ctx, tx, id, was, a.FloodLimit, s.now().UTC())
	})
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return nil, &Error{Code: CodeConflict, Message: "an account with this e-mail address exists", Field: "email"}
	}
	if err != nil {
		return nil, fmt.Errorf("change account: %w", err)
	}
	return a, nil
}

// change applies c to a and checks what came of it.
func (a *Account) change(c AccountChange) error {
	set(&a.Name, c.Name)
	set(&a.Email, c.Email)
	set(&a.Plan, c.Plan)
	set(&a.RateLimit, c.RateLimit)
	set(&a.FloodLimit, c.FloodLimit)
	return a.validate()
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// newID makes an opaque id with 128 random bits behind a word that names its kind.
func newID(kind string) string { return kind + "_" + rand.Text() }
