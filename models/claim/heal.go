package claim

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/claim/internal/engine"
)

// healed are the statements that take back instants of the future, all of one form.
var healed = []string{"heal_roster_claims", "heal_court_claims", "heal_corrections_claims", "heal_cases", "heal_hearings", "heal_case_charges"}

// Heal sets, in a transaction of the caller, what a source claimed of an instant after latest to the instant at.
func (s *Store) Heal(ctx context.Context, tx pgx.Tx, source string, latest, at time.Time) error {
	for _, name := range healed {
		if _, err := tx.Exec(ctx, statements.Get(name), engine.Args{"source": source, "latest": latest, "at": at}); err != nil {
			return fmt.Errorf("take back instants of the future (%s): %w", name, err)
		}
	}
	return nil
}
