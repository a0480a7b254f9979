package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// StaleAccounts returns the accounts that a change of a source concerns: those with an active watcher in its counties
// and an endpoint that asks for such notices. A recovery concerns those that were notified of the failure.
func (m *Matching) StaleAccounts(ctx context.Context, c *models.Change) ([]models.StaleAccount, error) {
	found, err := collect[models.StaleAccount](ctx, m.tx, "stale_accounts", pgx.NamedArgs{
		"source": c.SourceID, "kind": c.Kind, "notice": models.NoticeSourceStale, "stale": models.EventSourceStale, "recovered": models.EventSourceRecovered,
	})
	if err != nil {
		return nil, fmt.Errorf("read accounts of a stale source: %w", err)
	}
	return found, nil
}

// NoteSources writes changes for roster sources that became stale since the last call and for those that
// recovered, and asks for them to be matched. It returns the number of changes. A job calls it every so
// often; concurrent calls wait for each other.
//
// Stale is an enabled source that is held or refused, or had no success, or no newer data, for
// models.OutageIntervals of its intervals. A source that never succeeded is not stale: nobody has relied on
// it yet. Of a source whose rows name their county, each county counts by itself.
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
