package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// AtomEvents returns up to limit of an account's newest events for its Atom subscription, the newest first, withdrawn
// releases too. Left out is what a webhook would not be sent any more either: records that are withheld, people
// that were dismissed, and watchers that were deleted.
func (s *Store) AtomEvents(ctx context.Context, accountID string, limit int) ([]*models.AtomEvent, error) {
	var found []*models.AtomEvent
	args := pgx.StrictNamedArgs{"account": accountID, "limit": limit, "withheld": models.EventWithheld}
	if err := db.Raw(s.rows(ctx), statements, "atom_events", args).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("read events of a subscription: %w", err)
	}
	return found, nil
}
