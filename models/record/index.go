package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// since converts an instant to IndexQuery.Since, in microseconds; 0 does not narrow, as all records changed
// after 1970.
func since(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return max(t.UnixMicro(), 0)
}

// UseIndex makes list queries of a family go through ix, which package search keeps current by IndexRows and
// DB.Changes. It is called before the store is used concurrently. Without an index SQL answers every list.
func (s *Store) UseIndex(f models.Family, ix models.ListIndex) { s.index[f] = ix }

// indexRows and indexChanges are the statements of IndexRows.
var (
	indexRows    = map[models.Family]string{models.Roster: "index_roster", models.Courts: "index_courts", models.Corrections: "index_corrections"}
	indexChanges = map[models.Family]string{
		models.Roster: "index_changes_roster", models.Courts: "index_changes_courts", models.Corrections: "index_changes_corrections",
	}
)

// IndexRows yields the rows of the list index of a family: with since 0 every published record in list order,
// otherwise each record that changed after generation since, in any order. Records that were deleted or
// withheld since are yielded as gone. It returns the generation that the answer is of. The row is reused
// between calls of yield, whose error ends it.
func (s *Store) IndexRows(ctx context.Context, f models.Family, since int64, yield func(*models.IndexRow) error) (int64, error) {
	name, args := indexRows[f], pgx.NamedArgs{}
	if since > 0 {
		name, args = indexChanges[f], pgx.NamedArgs{"since": since}
	}
	var gen int64
	// One snapshot for the generation and the rows, so that the index knows exactly what it holds. A first
	// load reads a million rows.
	err := pgx.BeginTxFunc(ctx, s.Pool(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local statement_timeout = 0`); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `select gen from generations where family = $1`, f).Scan(&gen); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, statements[f].Get(name), args)
		if err != nil {
			return err
		}
		var r models.IndexRow
		_, err = pgx.ForEachRow(rows, []any{&r.Key, &r.Changed, &r.Order, &r.Tie, &r.Words, &r.Facets[0], &r.Facets[1], &r.Facets[2], &r.Gone, &r.Gen},
			func() error { return yield(&r) })
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("read index rows of %s: %w", f, err)
	}
	return gen, nil
}

// Generation returns the number of committed changes of a family.
func (s *Store) Generation(ctx context.Context, f models.Family) (int64, error) {
	var g models.Generation
	if err := s.rows(ctx).Where("family = ?", f).Take(&g).Error; err != nil {
		return 0, fmt.Errorf("read generation of %s: %w", f, err)
	}
	return g.Gen, nil
}
