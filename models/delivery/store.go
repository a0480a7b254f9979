// Package delivery keeps webhooks, their secrets and health, and the deliveries to them, whose rows are their own queue
// (docs/decisions/0005-delivery-queue.md).
//
// It is not for sending, which package notifier does.
package delivery

import (
	"context"
	"embed"

	"gorm.io/gorm"

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
