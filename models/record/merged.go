package record

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// mergedInto returns the key of the record that the one with this public id was merged into, and still is.
func (s *Store) mergedInto(ctx context.Context, f models.Family, id string) (key int64, ok bool, err error) {
	var keys []int64
	if err := s.find(ctx, f, "merged_into", pgx.StrictNamedArgs{"id": id}, &keys); err != nil {
		return 0, false, fmt.Errorf("look for a merged record: %w", err)
	}
	if len(keys) == 0 {
		return 0, false, nil
	}
	return keys[0], true, nil
}
