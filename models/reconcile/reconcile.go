package reconcile

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// staging is a reconcile step list in one transaction.
type staging struct {
	models.Reconciler
	tx      pgx.Tx
	store   *Store
	applied models.Applied
	verdict models.Verdict
	batch   int64         // of changes; 0: none
	filling bool          // the tables were empty, and their indexes are made after
	key     string        // the staged column of the key
	refused models.Spared // whom the rows speak of that the tables showed to be wrong
	work    work

	upheaval   models.Upheaval
	waiverUsed bool // an operator's word let it through
}

// reconcile stages rows by COPY, asks for the verdict, and runs steps, in one transaction.
func (s *Store) reconcile(ctx context.Context, r models.Reconciler, family models.Family, create string, columns []string, rows iter.Seq2[[]any, error], steps func(context.Context, *staging) error) (models.Applied, models.Verdict, error) {
	st := &staging{Reconciler: r, store: s, key: stagedKeys[family]}
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		st.tx = tx
		if err := st.exec(ctx, "raise sort memory", `set local work_mem = '64MB'`); err != nil {
			return err
		}
		if err := st.exec(ctx, "create staging table", create); err != nil {
			return err
		}
		n, err := copyRows(ctx, tx, "staged", columns, rows)
		if err != nil {
			return err
		}
		st.applied.Rows = int(n)
		st.verdict = r.Prove(int(n))
		st.verdict.Complete = st.verdict.Complete && st.Tracks // else its absences mean nothing
		if st.verdict.Hold != "" {
			return st.hold(ctx, family)
		}
		if err := st.exec(ctx, "analyze staging table", `analyze staged`+stagedStatistics[family]); err != nil {
			return err
		}
		if st.applied.Generation, err = db.NextGeneration(ctx, tx, family); err != nil {
			return err
		}
		if err := steps(ctx, st); err != nil {
			return err
		}
		if r.Rehearse != nil {
			return st.rehearse(ctx, family)
		}
		return st.finish(ctx)
	})
	if errors.Is(err, errRehearsed) {
		err = nil
	}
	if _, held := errors.AsType[*models.HeldError](err); held {
		return models.Applied{Rows: st.applied.Rows}, st.verdict, err
	}
	if err != nil {
		return models.Applied{}, st.verdict, err
	}
	return st.applied, st.verdict, nil
}

// finish notes the snapshot with its run in the same transaction, so that a later one counts it.
func (st *staging) finish(ctx context.Context) error {
	err := st.exec(ctx, "note the snapshot", `update runs set snapshot_at = $2, complete = $3, documents = nullif($4, 0) where id = $1`, st.RunID, st.At, st.verdict.Complete, st.Documents)
	if err != nil {
		return err
	}
	// Written with the rows: should the process end before the run is concluded, the next is no baseline.
	// The row is locked until then: a hold comes before, and stops this snapshot, or after, and stops the next.
	tag, err := st.tx.Exec(ctx, `update sources set last_applied = greatest(last_applied, $2), renumbered = renumbered and not $3, waived = waived and not $4,
 keys = coalesce($8::text[], keys), told = case when $5::jsonb is not null and (told is null or not $6 or $3 and (last_complete is null or last_complete <= $7)) then $5 else told end
 where id = $1 and held_since is null`, st.SourceID, st.Now, st.verdict.Complete, st.Cleared != 0 && (st.verdict.Complete || !st.Tracks || st.waiverUsed),
		models.NilIfEmpty(string(st.verdict.Told)), st.Tracks, st.At, st.verdict.Keys)
	if err != nil {
		return fmt.Errorf("note the success: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return &models.HeldError{Reason: "an operator held the source while it was being read", Standing: true}
	}
	if st.verdict.Complete {
		if err := st.noteComplete(ctx); err != nil {
			return err
		}
	}
	return st.sealBatch(ctx)
}

func (st *staging) noteComplete(ctx context.Context) error {
	return st.exec(ctx, "note the newest complete snapshot", `update sources set last_complete = greatest(last_complete, $2),
 last_rows = case when last_complete is null or last_complete <= $2 then $3 else last_rows end where id = $1`, st.SourceID, st.At, st.verdict.Rows)
}

// copyRows streams rows into a table. A row is made while those before it are sent.
func copyRows(ctx context.Context, tx pgx.Tx, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error) {
	next, stop := db.Ahead(rows)
	defer stop()
	var broken error // of the rows; the server would wrap it in words of its own
	n, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		var row []any
		row, broken = next()
		return row, broken
	}))
	if broken != nil {
		return 0, broken
	}
	return n, err
}

// exec runs one step.
func (st *staging) exec(ctx context.Context, what, sql string, args ...any) error {
	_, err := st.count(ctx, what, sql, args...)
	return err
}

// count runs one step and gives the number of rows it touched.
func (st *staging) count(ctx context.Context, what, sql string, args ...any) (int, error) {
	tag, err := st.tx.Exec(ctx, sql, args...)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return int(tag.RowsAffected()), nil
}

// reject drops staged rows by their place and notes why.
func (st *staging) reject(ctx context.Context, field, reason string, ords []int64) error {
	if len(ords) == 0 {
		return nil
	}
	rows, err := st.tx.Query(ctx, `delete from staged where ord = any($1) returning line, `+st.key+`, name`, ords)
	if err != nil {
		return fmt.Errorf("reject rows: %w", err)
	}
	var line int64
	var key, name string
	_, err = pgx.ForEachRow(rows, []any{&line, &key, &name}, func() error {
		st.applied.Rejected = append(st.applied.Rejected, models.RejectedRow{Line: line, Field: field, Reason: reason})
		st.refused.Keys, st.refused.Names = append(st.refused.Keys, key), append(st.refused.Names, name)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reject rows: %w", err)
	}
	return nil
}

// guard asks Same of every pair that query yields (ord, known name, known dob, row name, row dob) and
// rejects the rows of other people.
func (st *staging) guard(ctx context.Context, query string, args ...any) error {
	strangers, _, err := st.strangers(ctx, query, args...)
	if err != nil {
		return err
	}
	return st.reject(ctx, "identity", anotherPerson, strangers)
}

const anotherPerson = "the key is known for another person"

// strangers gives the rows of other people, as guard finds them, and those among them whose names agree:
// only the birth dates conflict.
func (st *staging) strangers(ctx context.Context, query string, args ...any) (strangers, namesakes []int64, err error) {
	rows, err := st.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, nil, fmt.Errorf("compare people: %w", err)
	}
	var ord int64
	var known, row models.Identity
	_, err = pgx.ForEachRow(rows, []any{&ord, &known.Name, &known.DOB, &row.Name, &row.DOB}, func() error {
		if st.Same(known, row) {
			return nil
		}
		strangers = append(strangers, ord)
		if st.Same(models.Identity{Name: known.Name}, models.Identity{Name: row.Name}) {
			namesakes = append(namesakes, ord)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("compare people: %w", err)
	}
	return strangers, namesakes, nil
}

// nilIfZero gives NULL for 0.
func nilIfZero[T int16 | int64](n T) *T {
	if n == 0 {
		return nil
	}
	return &n
}
