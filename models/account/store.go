// Package account stores accounts and what belongs to them: keys, the people who sign in, their sessions,
// passkeys and links, the account's trail, usage, kept answers of repeated requests, and calendar
// subscriptions.
//
// Packages auth, web, calendar and internal/once call it, and the commands of operators. Of every secret
// (key, session, link, calendar address) only a SHA-256 is stored, so a copy of the database lets nobody in.
// Rows are read and written through GORM; each change of an account also adds to its trail, in the same
// transaction.
//
// It is not for deciding what a caller may do, which package auth does. Watchers are in package alert and
// endpoints in package delivery.
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

// Needs is what a Store asks of other packages below models, which it may not import. All are required.
type Needs struct {
	// Cases reads published cases by key, merged ones as the case that they went into. Withheld ones are left
	// out.
	Cases func(ctx context.Context, keys []int64) (map[int64]*models.CourtCase, error)
	// Replan plans an account's waiting deliveries anew when its flood limit changes from was to limit, in
	// tx. A limit counts deliveries a minute, and 0 is no limit.
	Replan func(ctx context.Context, tx pgx.Tx, accountID string, was, limit int, now time.Time) error
	// Entitle does in tx what it means for watchers and deliveries that an account has events again, or none any more.
	Entitle func(ctx context.Context, tx pgx.Tx, a *models.Account, now time.Time) error
}

// Store reads and writes accounts. It is safe for concurrent use.
type Store struct {
	*db.DB
	needs Needs
}

// New returns a Store over d.
func New(d *db.DB, n Needs) *Store { return &Store{DB: d, needs: n} }

// byKey and byLink are rows for look-ups of who comes in: by a key, or by a cookie, link or token.
func (s *Store) byKey(ctx context.Context) *gorm.DB  { return s.KeyEntry().WithContext(ctx) }
func (s *Store) byLink(ctx context.Context) *gorm.DB { return s.LinkEntry().WithContext(ctx) }

// rows is the GORM handle for one request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }
