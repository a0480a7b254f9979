package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// AtomEvent is an event of an account as its Atom subscription shows it: with the facts of its moment, and why it matched.
type AtomEvent struct {
	ID                string           // evt_...
	Kind              models.EventKind // one of EventKinds, or EventRetraction
	At                time.Time        `gorm:"serializer:utc"` // when the change was detected, UTC
	Watched           string           // name of the watcher
	Reasons           []string         `gorm:"serializer:list"` // why it matched
	models.EventFacts `gorm:"embedded"`
}

// AtomNotice is a notice about a source as an Atom subscription of the account shows it.
type AtomNotice struct {
	ID       string           // evt_...
	Kind     models.EventKind // EventSourceStale or EventSourceRecovered
	At       time.Time        `gorm:"serializer:utc"` // when it was noticed, UTC
	Title    string           // of the source
	Counties []string         `gorm:"serializer:list"` // display names; empty: the whole state
}

// AtomNotices returns up to limit of an account's newest notices about sources, the newest first.
func (s *Store) AtomNotices(ctx context.Context, accountID string, limit int) ([]*AtomNotice, error) {
	var found []*AtomNotice
	args := pgx.StrictNamedArgs{"account": accountID, "limit": limit}
	if err := db.Raw(s.rows(ctx), statements, "atom_notices", args).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("read notices of a subscription: %w", err)
	}
	return found, nil
}

// AtomEvents returns up to limit of an account's newest events for its Atom subscription, the newest first, withdrawn
// releases too. before is the id of an event of the account, before which they happened; empty: none. Before an unknown
// one there are none. Left out is what a webhook would not be sent any more either: records that are withheld, people
// that were dismissed, and watchers that were deleted.
func (s *Store) AtomEvents(ctx context.Context, accountID, before string, limit int) ([]*AtomEvent, error) {
	var found []*AtomEvent
	if err := models.PlainText("before", before); err != nil {
		return nil, err
	}
	args := pgx.StrictNamedArgs{"account": accountID, "before": before, "limit": limit, "withheld": models.EventWithheld}
	if err := db.Raw(s.rows(ctx), statements, "atom_events", args).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("read events of a subscription: %w", err)
	}
	return found, nil
}
