package account

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// RecordEvent adds an entry to the trail of an account, at the present time. The trail is what the owner of
// an account sees of who changed what; entries are never changed.
func (s *Store) RecordEvent(ctx context.Context, e models.AccountEvent) error {
	e.At = s.Now()
	return record(s.rows(ctx), e)
}

// record adds an entry through to, which may be a transaction: the entry is then kept if what it records is.
func record(to *gorm.DB, e models.AccountEvent) error {
	if err := to.Omit("id").Create(&e).Error; err != nil {
		return fmt.Errorf("record account event: %w", err)
	}
	return nil
}

// RecordDeed adds an action of a user or key to the trail of its account, now. The actor is written out, a
// key by its label and prefix, because the trail outlives users and keys.
func (s *Store) RecordDeed(ctx context.Context, d models.Deed) error {
	_, err := db.Exec(s.rows(ctx), statements, "record_deed", pgx.StrictNamedArgs{
		"account": d.AccountID, "now": s.Now().UTC(), "user": d.UserID, "key": d.KeyID, "action": d.Action, "subject": d.Subject,
	})
	if err != nil {
		return fmt.Errorf("record account event: %w", err)
	}
	return nil
}

// AccountEvents returns at most limit entries of an account's trail, newest first, older than the entry with
// the id before; 0 begins at the newest. The subject of an entry is left out while it is a record that is
// withheld.
func (s *Store) AccountEvents(ctx context.Context, accountID string, before int64, limit int) ([]models.AccountEvent, error) {
	return s.AccountEventsOf(ctx, accountID, models.TrailFilter{}, before, limit)
}

// AccountEventsOf is AccountEvents for the entries that a filter leaves.
func (s *Store) AccountEventsOf(ctx context.Context, accountID string, f models.TrailFilter, before int64, limit int) ([]models.AccountEvent, error) {
	var all []models.AccountEvent
	args := pgx.StrictNamedArgs{
		"account": accountID, "before": before, "limit": limit, "action": f.Action, "actor": f.Actor, "since": f.Since, "until": f.Until,
	}
	if err := db.Raw(s.rows(ctx), statements, "account_events", args).Scan(&all).Error; err != nil {
		return nil, fmt.Errorf("read account events: %w", err)
	}
	return all, nil
}
