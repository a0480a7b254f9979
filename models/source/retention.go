package source

import (
	"context"
	"fmt"
	"time"

	"rollcall/models/db"
)

// ExpireRaw deletes raw documents and quarantined rows whose time is over (FEEDS.md, guarantee 11),
// and gives how many of each. Reports and facts stay.
func (s *Store) ExpireRaw(ctx context.Context, now time.Time) (documents, rows int, err error) {
	for _, part := range []struct {
		table string
		n     *int
	}{{"archives", &documents}, {"quarantine", &rows}} {
		for {
			tag, err := s.Pool().Exec(ctx, `delete from `+part.table+` where id in (select id from `+part.table+` where expires_at <= $1 order by expires_at limit $2)`, now, db.ExpireBatch)
			if err != nil {
				return documents, rows, fmt.Errorf("expire %s: %w", part.table, err)
			}
			*part.n += int(tag.RowsAffected())
			if tag.RowsAffected() < db.ExpireBatch {
				break
			}
		}
	}
	return documents, rows, nil
}
