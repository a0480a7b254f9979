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
	var rows []struct {
		Key int64
		At  time.Time `gorm:"serializer:utc"`
	}
	if err := s.find(ctx, f, lastSeen[f], pgx.StrictNamedArgs{"keys": keys}, &rows); err != nil {
		return nil, fmt.Errorf("read when %s were seen: %w", f, err)
	}
	out := make(map[int64]time.Time, len(rows))
	for _, r := range rows {
		out[r.Key] = r.At
	}
	return out, nil
}
