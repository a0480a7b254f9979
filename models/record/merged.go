package record

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// mergedInto gives the key of the record that the one with this public id was merged into, and still is.
func (s *Store) mergedInto(ctx context.Context, f models.Family, id string) (key int64, ok bool, err error) {
	t := db.RecordTables[f]
	err = s.Pool().QueryRow(ctx, `select m.record from merged_records m join `+t.Name+` g on g.`+t.Key+` = m.gone where m.family = $1 and m.id = $2 and g.withheld = '`+models.Merged+`'`, f, id).Scan(&key)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("look for a merged record: %w", err)
	}
	return key, true, nil
}
