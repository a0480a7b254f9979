package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// NoticesAfter gives up to limit notices of an account after number seq, in order: what EventsAfter leaves out.
// Retractions about records that are not published any more are left out here as well.
func (s *Store) NoticesAfter(ctx context.Context, accountID string, seq int64, limit int) ([]*models.AlertNotice, error) {
	rows, err := s.Pool().Query(ctx, `select `+eventColumns+`, b.id, e.retracts, case when e.watcher_id is null then c.source_id end
 from events e join changes c on c.id = e.change_id left join bookings b on b.rid = e.rid
 where e.account_id = $1 and e.seq > $2 and e.kind not in ('booking', 'release', 'bond_change') and (e.kind <> 'retraction' or b.withheld is null) order by e.seq limit $3`, accountID, seq, limit)
	if err != nil {
		return nil, fmt.Errorf("read notices: %w", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*models.AlertNotice, error) {
		var n models.AlertNotice
		e := &n.AlertEvent
		err := row.Scan(&e.ID, &e.Seq, &e.AccountID, &e.Kind, &e.WatcherID, &e.RID, &e.HitID, &e.At, &n.RecordID, &n.Retracts, &n.SourceID)
		e.At = e.At.UTC()
		return &n, err
	})
	if err != nil {
		return nil, fmt.Errorf("read notices: %w", err)
	}
	return found, nil
}
