package source

import (
	"context"
	"fmt"
	"time"

	"rollcall/models"
)

// PastDocuments gives of how many files the snapshots of a source before at consisted. As Previous counts only what was
// read before the time of our clock given, where that is not zero: what one reading finds may be of one copy that goes on.
func (s *Store) PastDocuments(ctx context.Context, sourceID string, at, before time.Time) (past models.PastDocuments, err error) {
	err = s.Pool().QueryRow(ctx, `select coalesce(c.n, 0), coalesce(c.at = $2, false), coalesce(p.n, 0) from (values (1)) one
 left join lateral (select snapshot_at as at, max(documents) as n from runs where source_id = $1 and complete and documents is not null and snapshot_at <= $2
  group by 1 order by 1 desc limit 1) c on true
 left join lateral (select max(documents) as n, min(started_at) as first from runs where source_id = $1 and documents is not null and snapshot_at < $2
  group by snapshot_at order by snapshot_at desc limit 1) p on $3::timestamptz is null or p.first < $3`, sourceID, at, nilIfNoTime(before)).Scan(&past.Complete, &past.Same, &past.Previous)
	if err != nil {
		return past, fmt.Errorf("count files of snapshots of %s: %w", sourceID, err)
	}
	return past, nil
}

// nilIfNoTime gives NULL for no time.
func nilIfNoTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
