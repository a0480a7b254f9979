package link

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// Save makes found the only links of the bookings considered, which are keys. Pinned links stay as they are.
// A pair that was dismissed or withheld since it was read makes no link. The generation of links is raised,
// but that of no family of records, because lists show no links.
func (r *Run) Save(ctx context.Context, considered []int64, found []models.FoundLink) (models.LinkCounts, error) {
	var n models.LinkCounts
	err := r.store.InTx(ctx, func(tx pgx.Tx) error {
		if err := stageLinks(ctx, tx, found); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, statements.Get("remove_links"), pgx.NamedArgs{"considered": considered})
		if err != nil {
			return fmt.Errorf("remove links: %w", err)
		}
		n.Removed = int(tag.RowsAffected())
		if err := tx.QueryRow(ctx, statements.Get("write_links"), pgx.NamedArgs{"now": r.store.Now()}).Scan(&n.Made, &n.Changed); err != nil {
			return fmt.Errorf("write links: %w", err)
		}
		return nil
	})
	if err != nil {
		return models.LinkCounts{}, fmt.Errorf("save links: %w", err)
	}
	return n, nil
}

// stageLinks copies found links into a table, adds the keys of their records, and leaves out those that must
// not be made: dismissed pairs, and records that were withheld since they were read.
func stageLinks(ctx context.Context, tx pgx.Tx, found []models.FoundLink) error {
	columns := []string{"rid", "gdc_id", "confidence", "probability", "reasons"}
	rows := pgx.CopyFromSlice(len(found), func(i int) ([]any, error) {
		f := &found[i]
		return []any{f.RID, f.GdcID, string(f.Confidence), float32(f.Probability), f.Reasons}, nil
	})
	return stage(ctx, tx, "make_found", "found", columns, rows, "make_staged")
}

// stage copies rows into a temporary table that the statement found creates, and runs the statement staged.
// It takes the lock of writers of links first, so that no decision changes in between.
func stage(ctx context.Context, tx pgx.Tx, found, table string, columns []string, rows pgx.CopyFromSource, staged string) error {
	if err := db.LockLinkTables(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, statements.Get(found)); err != nil {
		return fmt.Errorf("create staging table: %w", err)
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, rows); err != nil {
		return fmt.Errorf("stage links: %w", err)
	}
	if _, err := tx.Exec(ctx, statements.Get(staged)); err != nil {
		return fmt.Errorf("find the records of links: %w", err)
	}
	return nil
}

// SaveCourtLinks makes found the only links of the cases considered, which are keys, as Save does for
// bookings. A link whose confidence or reasons changed counts as changed.
func (r *Run) SaveCourtLinks(ctx context.Context, considered []int64, found []models.FoundCourtLink) (models.LinkCounts, error) {
	var n models.LinkCounts
	err := r.store.InTx(ctx, func(tx pgx.Tx) error {
		if err := stageCourtLinks(ctx, tx, found); err != nil {
			return err
		}
		var gone int
		err := tx.QueryRow(ctx, statements.Get("remove_court_links"), pgx.NamedArgs{"considered": considered}).Scan(&gone, &n.Changed)
		if err != nil {
			return fmt.Errorf("remove links: %w", err)
		}
		tag, err := tx.Exec(ctx, statements.Get("write_court_links"), pgx.NamedArgs{"now": r.store.Now()})
		if err != nil {
			return fmt.Errorf("write links: %w", err)
		}
		n.Made, n.Removed = int(tag.RowsAffected())-n.Changed, gone-n.Changed
		return nil
	})
	if err != nil {
		return models.LinkCounts{}, fmt.Errorf("save links of cases: %w", err)
	}
	return n, nil
}

// stageCourtLinks is stageLinks for cases.
func stageCourtLinks(ctx context.Context, tx pgx.Tx, found []models.FoundCourtLink) error {
	columns := []string{"case_id", "rid", "gdc_id", "confidence", "probability", "reasons"}
	rows := pgx.CopyFromSlice(len(found), func(i int) ([]any, error) {
		f := &found[i]
		return []any{f.CaseKey, f.RID, f.GdcID, string(f.Confidence), float32(f.Probability), f.Reasons}, nil
	})
	return stage(ctx, tx, "make_found_of_cases", "found_of_cases", columns, rows, "make_staged_of_cases")
}
