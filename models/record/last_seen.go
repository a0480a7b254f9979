package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// lastSeen are the statements that read when a source last showed records.
var lastSeen = map[models.Family]string{
	models.Roster: "last_seen_roster", models.Courts: "last_seen_courts", models.Corrections: "last_seen_corrections",
}

// LastSeenOf returns when a source last showed records of a family, by key, in UTC. The LastSeen of a record
// itself is when a source last showed it changed: unchanged rows are not written, and the newest complete
// snapshot of their source shows them.
func (s *Store) LastSeenOf(ctx context.Context, f models.Family, keys []int64) (map[int64]time.Time, error) {
	rows, err := s.Pool().Query(ctx, statements[f].Get(lastSeen[f]), pgx.NamedArgs{"keys": keys})
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
