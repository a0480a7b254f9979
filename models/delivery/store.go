// Package delivery stores endpoints (webhooks on the wire), their secrets and health, and the deliveries to
// them, whose rows are their own queue (docs/decisions/0005-delivery-queue.md).
//
// Package alert inserts deliveries while matching. Senders of package notifier claim what is due, load it
// right before sending, and record the attempt with the next state. Changes of watchers and hits cancel what
// is under way. What a caller may see of a delivery, and whether one may be sent, is asked of the view
// deliveries_now, so that a record that was withheld meanwhile is neither sent nor shown.
//
// It is not for sending, signing or the schedule of retries, which package notifier does.
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

// Store reads and writes endpoints and deliveries. It is safe for concurrent use.
type Store struct{ *db.DB }

// New returns a Store over d.
func New(d *db.DB) *Store { return &Store{DB: d} }

// rows is the GORM handle for one request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }
