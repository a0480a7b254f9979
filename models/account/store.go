// Package account keeps accounts and what belongs to them: keys, people who sign in, their sessions, passkeys and links,
// the account's trail, usage, answers kept for repeated requests, and calendar subscriptions.
//
// It is not for deciding what a caller may do, which package auth does.
package account

import (
	"context"
	"embed"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are those that GORM does not write: set-based, or with a rule of their own.
var statements = sqlfile.Load(files)

// Needs is what a Store asks of other packages.
type Needs struct {
	// Cases reads published cases by key.
	Cases func(ctx context.Context, keys []int64) (map[int64]*models.CourtCase, error)
	// Replan plans an account's waiting deliveries anew when its flood limit changes.
	Replan func(ctx context.Context, tx pgx.Tx, accountID string, was, limit int, now time.Time) error
}

// Store reads and writes accounts.
type Store struct {
	*db.DB
	needs Needs
}

// New makes a Store.
func New(d *db.DB, n Needs) *Store { return &Store{DB: d, needs: n} }

// rows is the GORM handle of a request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }
