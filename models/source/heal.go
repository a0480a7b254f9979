package source

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// HealSource takes stamps back that lie in the future by more than ahead: of a snapshot that was taken
// before such were refused, or while our clock was wrong. They would make all that the source says until
// then older than what is known, and nobody would be released or seen.
func (s *Store) HealSource(ctx context.Context, id string, now time.Time, ahead time.Duration) error {
	latest := now.Add(ahead)
	var poisoned bool
	err := s.Pool().QueryRow(ctx, `select exists (select from sources where id = $1 and last_complete > $2) or exists (select from runs where source_id = $1 and snapshot_at > $2)`, id, latest).Scan(&poisoned)
	if err != nil {
		return fmt.Errorf("look for stamps of the future of %s: %w", id, err)
	}
	if !poisoned {
		return nil
	}
	return s.InTx(ctx, func(tx pgx.Tx) error {
		for _, sql := range []string{
			`update runs set snapshot_at = least(started_at, $3) where source_id = $1 and snapshot_at > $2`,
			`update sources set last_complete = (select max(snapshot_at) from runs where source_id = $1 and complete) where id = $1 and last_complete > $2`,
			`update sightings set snapshot_at = least(snapshot_at, h.at), missing_since = least(missing_since, h.at) from healed h where source_id = $1 and (snapshot_at > $2 or missing_since > $2)`,
			`update corrections_claims set said_at = least(said_at, h.at), missing_since = least(missing_since, h.at) from healed h where source_id = $1 and (said_at > $2 or missing_since > $2)`,
			`update court_cases set snapshot_at = h.at from healed h where source_id = $1 and snapshot_at > $2`,
			`update hearings p set snapshot_at = h.at from healed h, court_cases c where c.id = p.case_id and c.source_id = $1 and p.snapshot_at > $2`,
			`update case_charges p set snapshot_at = h.at from healed h, court_cases c where c.id = p.case_id and c.source_id = $1 and p.snapshot_at > $2`,
		} {
			// The newest instant that the source has truly told of.
			const healed = `with healed as (select coalesce(least(max(snapshot_at), $3::timestamptz), $3) as at from runs where source_id = $1 and snapshot_at is not null) `
			if _, err := tx.Exec(ctx, healed+sql, id, latest, now); err != nil {
				return fmt.Errorf("take stamps of the future of %s back: %w", id, err)
			}
		}
		return nil
	})
}
