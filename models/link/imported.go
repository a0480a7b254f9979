package link

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/db"
	"rollcall/models/snapshot"
)

// ImportLinks takes links of another system over as pinned ones: linking does not touch them, and they replace
// what matching found before. A link that is pinned already stays, and a pair that an operator dismissed makes no
// link. Of several links of one booking the first counts.
//
// Links whose booking or corrections record is not known are in applied.Rejected with their line; they are no
// error. An error of rows undoes everything.
func (s *Store) ImportLinks(ctx context.Context, now time.Time, rows iter.Seq2[*snapshot.ImportedLink, error]) (applied snapshot.Applied, err error) {
	err = s.InTx(ctx, func(tx pgx.Tx) error {
		if err := db.LockLinkTables(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, statements.Get("stage_imported")); err != nil {
			return fmt.Errorf("create staging table: %w", err)
		}
		if applied.Rows, err = stageImported(ctx, tx, rows); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, statements.Get("insert_imported"), pgx.NamedArgs{"now": now})
		if err != nil {
			return fmt.Errorf("insert links: %w", err)
		}
		applied.New = int(tag.RowsAffected())
		found, err := tx.Query(ctx, statements.Get("imported_without_ends"))
		if err != nil {
			return fmt.Errorf("find links without ends: %w", err)
		}
		var line int64
		var field string
		_, err = pgx.ForEachRow(found, []any{&line, &field}, func() error {
			applied.Rejected = append(applied.Rejected, snapshot.RejectedRow{Line: line, Field: field, Reason: "is not known"})
			return nil
		})
		if err != nil {
			return fmt.Errorf("find links without ends: %w", err)
		}
		// What is neither new nor rejected met a pinned link, a dismissal or an earlier row of its booking.
		applied.Unchanged = applied.Rows - applied.New - len(applied.Rejected)
		return nil
	})
	return applied, err
}

// stageImported copies rows into the staging table and returns their number.
func stageImported(ctx context.Context, tx pgx.Tx, rows iter.Seq2[*snapshot.ImportedLink, error]) (int, error) {
	n, err := db.Copy(ctx, tx, "imported_links", []string{"roster_id", "gdc_id", "confidence", "mugshot_match", "line"}, func(yield func([]any, error) bool) {
		for l, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield([]any{l.RosterID, l.GDCID, l.Confidence, l.MugshotMatch, l.Line}, nil) {
				return
			}
		}
	})
	return int(n), err
}
