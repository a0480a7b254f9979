package record

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// seen is when a record was seen, as rollcall knew it at some instant.
type seen struct {
	first time.Time  // by a source
	until *time.Time // no snapshot from then on showed it; nil: none is known
	last  *time.Time // to become when it was last seen
}

// toldBySQL gives the newest snapshots (by the instants of which they speak) that rollcall had read at $2 of what
// may have shown the records $1: those that changed them, and complete ones of the sources that list them. $3 is when
// each was not shown any more.
var toldBySQL = map[models.Family]string{
	models.Roster:      fmt.Sprintf(toldBy, "bookings", "rid", `r.source_id = b.source_id or r.source_id in (select source_id from sightings where rid = b.rid)`),
	models.Courts:      fmt.Sprintf(toldBy, "court_cases", "id", `false`), // courts tell what changes
	models.Corrections: fmt.Sprintf(toldBy, "corrections_records", "cid", `r.source_id = b.source_id`),
}

const toldBy = `select k.key, greatest((select max(r.snapshot_at) from record_changes v join runs r on r.id = v.run_id where v.family = $4 and v.record = k.key and v.at <= $2 and r.snapshot_at < coalesce(k.until, 'infinity')),
  (select max(r.snapshot_at) from runs r where r.complete and r.started_at <= $2 and r.snapshot_at < coalesce(k.until, 'infinity') and (%[3]s)))
 from unnest($1::bigint[], $3::timestamptz[]) k (key, until) join %[1]s b on b.%[2]s = k.key`

// seenThen sets when records, by key, were last seen as far as rollcall knew at an instant: as it is known today, but
// in no snapshot that was read later.
func (s *Store) seenThen(ctx context.Context, f models.Family, at time.Time, of map[int64]*seen) error {
	if len(of) == 0 {
		return nil
	}
	keys := slices.Sorted(maps.Keys(of))
	today, err := s.LastSeenOf(ctx, f, keys)
	if err != nil {
		return err
	}
	until := make([]*time.Time, len(keys))
	for i, k := range keys {
		until[i] = of[k].until
	}
	rows, err := s.Pool().Query(ctx, toldBySQL[f], keys, at, until, f)
	if err != nil {
		return fmt.Errorf("read when %s had been seen: %w", f, err)
	}
	var key int64
	var told *time.Time
	_, err = pgx.ForEachRow(rows, []any{&key, &told}, func() error {
		r := of[key]
		last := today[key]
		if told == nil || told.Before(r.first) {
			told = &r.first
		}
		for _, bound := range []time.Time{*told, at} {
			if bound.Before(last) {
				last = bound.UTC()
			}
		}
		*r.last = last
		return nil
	})
	if err != nil {
		return fmt.Errorf("read when %s had been seen: %w", f, err)
	}
	return nil
}
