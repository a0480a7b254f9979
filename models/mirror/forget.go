package mirror

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Keep is how long tombstones are kept: for so long may a client be away and still learn what went.
const Keep = 90 * 24 * time.Hour

// ForgetTombstones deletes the tombstones that are older than Keep, and returns how many. A cursor from before the last of
// them is refused from then on.
func (s *Store) ForgetTombstones(ctx context.Context) (int64, error) {
	var n int64
	err := s.Pool().QueryRow(ctx, statements[families[0]].Get("forget_tombstones"), pgx.StrictNamedArgs{"before": s.Moment().Add(-Keep)}).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("forget tombstones: %w", err)
	}
	return n, nil
}
