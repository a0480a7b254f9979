// Package source stores what is known of sources and what they sent: their entries and freshness, holds,
// files that were taken, runs with their locks and reports, archives and quarantined rows, and how long raw
// data stay.
//
// Package ingest calls it before, during and after a run; commands and pages of operators call it to look and
// to decide; the interfaces ask for Freshness. A scope (source and county) has an entry like a source, whose
// id is common-csv:fulton and whose parent is common-csv (docs/decisions/0015-scopes.md). What an event means for
// a source is decided in Row; this package reads the row, locks it and writes it back.
//
// It is not for records: it does not know what a row means. Raw data arrive encrypted, and it has no key.
package source

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are those that GORM does not write: set-based, recursive, or with a rule of their own.
var statements = sqlfile.Load(files)

// Store reads and writes sources and runs. It is safe for concurrent use.
type Store struct {
	*db.DB
	fresh freshnessCache
	needs Needs
}

// Needs is what a Store takes from other packages, which it does not import.
type Needs struct {
	// Heal sets, in the transaction, what a source claimed of an instant after latest to the instant at.
	Heal func(ctx context.Context, tx *joint.Tx, source string, latest, at time.Time) error
}

// New returns a Store over d.
func New(d *db.DB, needs Needs) *Store { return &Store{DB: d, needs: needs} }

// rows is the GORM handle for one request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }

// list reads the first column of what a statement finds.
func list[T any](ctx context.Context, s *Store, name string, args pgx.StrictNamedArgs) (all []T, err error) {
	all = []T{}
	err = db.Raw(s.rows(ctx), statements, name, args).Scan(&all).Error
	return all, err
}

// change locks the row of a source, lets fn change its state (StateColumns), and writes it back. An
// unknown id is models.ErrNoSource. Without the lock a hold could be undone by the end of a run that began
// before it.
func (s *Store) change(ctx context.Context, id string, fn func(tx *gorm.DB, src *Row) error) error {
	return s.Joint(ctx, func(tx *joint.Tx) error { return changeIn(tx.Gorm(), id, fn) })
}

// changeIn is change in a transaction of the caller's.
func changeIn(tx *gorm.DB, id string, fn func(tx *gorm.DB, src *Row) error) error {
	src := Row{ID: id}
	err := tx.Clauses(clause.Locking{Strength: "no key update"}).Take(&src).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return models.NoSource(id)
	}
	if err != nil {
		return err
	}
	if err := fn(tx, &src); err != nil {
		return err
	}
	return tx.Select(StateColumns).Updates(&src).Error
}

// touched returns the error of an update of the source called id: models.ErrNoSource when there was no row.
func touched(id string, r *gorm.DB) error {
	if r.Error == nil && r.RowsAffected == 0 {
		return models.NoSource(id)
	}
	return r.Error
}

// failed adds the action to an error. What the caller did wrong (models.Error) is returned as it is.
func failed(action, id string, err error) error {
	var theirs *models.Error
	if err == nil || errors.As(err, &theirs) {
		return err
	}
	return fmt.Errorf("%s of source %s: %w", action, id, err)
}
