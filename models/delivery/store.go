// Package delivery keeps webhooks, their secrets and health, and the deliveries to them, whose rows are their own queue
// (docs/decisions/0005-delivery-queue.md).
//
// It is not for sending, which package notifier does.
package delivery

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are those that GORM does not write: the queue, and writes of many rows.
var statements = sqlfile.Load(files)

// Store reads and writes webhooks and deliveries.
type Store struct{ *db.DB }

// New makes a Store.
func New(d *db.DB) *Store { return &Store{DB: d} }

// rows is the GORM handle of a request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }

// moment is now as PostgreSQL stores it, so that a row that is returned is the row that is read later.
func (s *Store) moment() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

// known passes on what users may see and wraps the rest with what was being done.
func known(what string, err error) error {
	var shown *models.Error
	if err == nil || errors.As(err, &shown) {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}
