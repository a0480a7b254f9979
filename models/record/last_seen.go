package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// seenSQL reads when a source last showed records ($1, keys) of a family. What a source shows again without a
// change is not written again, so it is found here: the newest complete snapshot of the source has shown a booking
// that nothing misses, and a corrections record a claim of which is listed.
// Of a court, which tells what changed, it is when the case or a part of it last did.
var seenSQL = map[models.Family]string{
	models.Roster: `select b.rid, greatest(b.last_seen, (select max(` + db.LastSeenSQL + `) from ` + db.SightingsOf("b.rid") + ` g join sources src on src.id = g.source_id))
 from bookings b where b.rid = any($1)`,
	models.Courts: `select c.id, greatest(c.last_seen, (select max(snapshot_at) from hearings where case_id = c.id)) from court_cases c where c.id = any($1)`,
	models.Corrections: `select o.cid, greatest(o.last_seen, (select max(case when c.present and c.misses = 0 then greatest(c.said_at, src.last_complete) else c.said_at end)
  from corrections_claims c join sources src on src.id = c.source_id where c.record = o.cid)) from corrections_records o where o.cid = any($1)`,
}

// LastSeenOf gives when a source last showed records of a family, by key, in UTC. Their own LastSeen tells only
// when it last showed them changed.
func (s *Store) LastSeenOf(ctx context.Context, f models.Family, keys []int64) (map[int64]time.Time, error) {
	rows, err := s.Pool().Query(ctx, seenSQL[f], keys)
	if err != nil {
		return nil, fmt.Errorf("read when %s were seen: %w", f, err)
	}
	out := make(map[int64]time.Time, len(keys))
	var (
		key int64
		at  time.Time
	)
	_, err = pgx.ForEachRow(rows, []any{&key, &at}, func() error {
		out[key] = at.UTC()
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read when %s were seen: %w", f, err)
	}
	return out, nil
}
