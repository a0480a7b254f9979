package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// Blind returns the accounts that a change of a source concerns. A recovery concerns those that were told
// of the failure.
func (m *Matching) Blind(ctx context.Context, c *models.Change) ([]models.BlindAccount, error) {
	found, err := collect[models.BlindAccount](ctx, m.tx, "blind_accounts", pgx.NamedArgs{
		"source": c.SourceID, "kind": c.Kind, "notice": models.NoticeSourceStale, "stale": models.EventSourceStale, "recovered": models.EventSourceRecovered,
	})
	if err != nil {
		return nil, fmt.Errorf("read blind accounts: %w", err)
	}
	return found, nil
}

// NoteSources notes, as changes, which roster sources are stale since the last call and which have
// recovered, and asks for them to be matched. Stale is an enabled source that had no success, or no newer
// data, for three of its intervals, or that is held or refused: one with a schedule, or of a place where files are
// dropped. One that never succeeded is not: nobody has seen anything by it yet. It returns the number of changes.
func (s *Store) NoteSources(ctx context.Context) (int, error) {
	noted := 0
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		// One at a time. The statement after the lock sees what the one before it noted, so a turn is noted once.
		if _, err := tx.Exec(ctx, db.LockSourceNotices); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, statements.Get("note_sources"), pgx.NamedArgs{
			"now": s.Now().UTC(), "intervals": models.OutageIntervals, "family": models.Roster,
			"stale": models.EventSourceStale, "recovered": models.EventSourceRecovered,
		})
		if err != nil {
			return err
		}
		if noted = int(tag.RowsAffected()); noted == 0 {
			return nil
		}
		return s.AskMatch(ctx, tx)
	})
	if err != nil {
		return 0, fmt.Errorf("note stale sources: %w", err)
	}
	return noted, nil
}
