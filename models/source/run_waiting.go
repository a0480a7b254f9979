package source

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// WaitingRuns gives the runs of a source that a standing hold kept from being applied and no replay has applied since, in the
// order of what they speak of. There are none of a source that lists everybody: its next snapshot tells all of it.
func (s *Store) WaitingRuns(ctx context.Context, sourceID string) ([]int64, error) {
	rows, err := s.Pool().Query(ctx, `select r.id from runs r join archives a on a.run_id = r.id where r.source_id = $1 and r.state = 'held' and (r.report->>'standing')::boolean
 and not exists (select from sources where id = $1 and whole_since is not null)
 and not exists (select from runs x where x.replay_of = r.id and x.state in ('ok', 'partial')) group by r.id order by max(a.observed_at), r.id`, sourceID)
	if err != nil {
		return nil, fmt.Errorf("list waiting runs of %s: %w", sourceID, err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
