package engine

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// fillRows is the number of rows from which on it pays to make indexes anew.
const fillRows = 20_000

// filling are the statements that make again what was dropped before empty tables are filled: indexes, and references
// among them. One sort and one join are several times faster than a look-up for each row. Readers of these tables
// wait meanwhile; there is nothing to read yet.
type filling struct {
	later []string // statements
	done  bool     // all of them ran
}

// beginFilling drops what slows filling down, where the tables are empty and there is much to fill. Unique indexes stay, so
// that a key that comes twice is found at once.
func beginFilling(ctx context.Context, r *Run) error {
	if r.Applied.Rows < fillRows {
		return nil
	}
	var some bool
	if err := r.One(ctx, "any_record", nil, &some); err != nil || some {
		return err
	}
	type pair struct{ drop, remake string }
	var pairs []pair
	var p pair
	err := r.Each(ctx, "indexes_and_references", Args{"tables": r.of.tables()}, []any{&p.drop, &p.remake}, func() error {
		pairs = append(pairs, p)
		return nil
	})
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if _, err := r.Tx.Exec(ctx, p.drop); err != nil {
			return fmt.Errorf("drop index or reference: %w", err)
		}
		r.filling.later = append(r.filling.later, p.remake)
	}
	return nil
}

// EndFilling is the step that makes again what beginFilling dropped. A family may put it before the end of its steps, where
// the next ones need the indexes; the second time it does nothing.
func EndFilling(ctx context.Context, r *Run) error {
	if len(r.filling.later) == 0 {
		return nil
	}
	if err := r.Do(ctx, "raise_index_memory", nil); err != nil {
		return err
	}
	for _, statement := range r.filling.later {
		if _, err := r.Tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("make index or reference: %w", err)
		}
	}
	r.filling = filling{done: true}
	return nil
}

// analyze makes the planner's statistics of tables that the run filled or that doubled since they were made. Autovacuum
// does so too, but looks once a minute: until then each run of a county would read the whole of a table that has grown.
func analyze(ctx context.Context, r *Run) error {
	if r.Applied.New == 0 {
		return nil
	}
	tables := r.of.tables()
	if !r.filling.done {
		var err error
		if tables, err = r.outgrown(ctx, tables); err != nil {
			return err
		}
	}
	for _, table := range tables {
		if _, err := r.Tx.Exec(ctx, `analyze `+pgx.Identifier{table}.Sanitize()); err != nil {
			return fmt.Errorf("analyze %s: %w", table, err)
		}
	}
	return nil
}

// outgrown returns those of tables that are twice as large as their statistics say.
func (s *Session) outgrown(ctx context.Context, tables []string) (list []string, err error) {
	var table string
	return list, s.Each(ctx, "outgrown_tables", Args{"tables": tables}, []any{&table}, func() error {
		list = append(list, table)
		return nil
	})
}
