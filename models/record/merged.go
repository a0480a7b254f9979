package record

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// mergedInto returns the key of a record that was merged, by its public id, and the key of the record that it
// is now. ok is false if there is no such merged record, or if the record that it is now is not published.
// Merged ids keep resolving, because customers have stored them.
func (s *Store) mergedInto(ctx context.Context, f models.Family, id string) (own, key int64, ok bool, err error) {
	var found []struct{ Own, Record int64 }
	args := pgx.StrictNamedArgs{"id": id}
	if f == models.Courts { // the id of a case holds its key
		_, args["key"], _ = models.ParseCaseID(id)
	}
	if err := s.find(ctx, f, mergedBy[f], args, &found); err != nil {
		return 0, 0, false, fmt.Errorf("look for a merged record: %w", err)
	}
	if len(found) == 0 {
		return 0, 0, false, nil
	}
	return found[0].Own, found[0].Record, true, nil
}

// mergedBy are the statements that find a merged record by its public id.
var mergedBy = map[models.Family]string{
	models.Roster: "merged_booking", models.Courts: "merged_case", models.Corrections: "merged_offender",
}
