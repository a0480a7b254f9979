package reconcile

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// bulkRows is from how many rows on it pays to make indexes anew.
const bulkRows = 20_000

// bulk runs fill without the indexes of its tables, and without the references among them, when the
// first table is empty and there is much to fill, and makes them again after: one sort and one join are
// several times faster than a look-up for each row. Readers of these tables wait meanwhile; there is
// nothing to read yet.
func (st *staging) bulk(ctx context.Context, fill func(context.Context) error, tables ...string) error {
	if st.applied.Rows < bulkRows {
		return fill(ctx)
	}
	var some bool
	if err := st.tx.QueryRow(ctx, `select exists (select from `+quoted(tables[0])+`)`).Scan(&some); err != nil {
		return fmt.Errorf("look into %s: %w", tables[0], err)
	}
	if some {
		return fill(ctx)
	}
	later, err := st.dropForBulk(ctx, tables)
	if err != nil {
		return err
	}
	st.filling = true
	if err := fill(ctx); err != nil {
		return err
	}
	if err := st.exec(ctx, "raise index memory", `set local maintenance_work_mem = '256MB'`); err != nil {
		return err
	}
	for _, statement := range later {
		if err := st.exec(ctx, "make index or reference", statement); err != nil {
			return err
		}
	}
	for _, table := range tables {
		if err := st.exec(ctx, "analyze "+table, `analyze `+quoted(table)); err != nil {
			return err
		}
	}
	return nil
}

// dropForBulk drops what slows filling down and gives the statements that make it again. Unique
// indexes stay: inserts rely on them.
func (st *staging) dropForBulk(ctx context.Context, tables []string) (later []string, err error) {
	rows, err := st.tx.Query(ctx, `select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
 from pg_index i where i.indrelid = any($1::text[]::regclass[]) and not i.indisunique
union all
select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname), format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
 from pg_constraint c where c.contype = 'f' and c.conrelid = any($1::text[]::regclass[]) and c.confrelid = any($1::text[]::regclass[])
order by 1`, tables)
	if err != nil {
		return nil, fmt.Errorf("list indexes: %w", err)
	}
	type pair struct{ Drop, Make string }
	pairs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[pair])
	if err != nil {
		return nil, fmt.Errorf("list indexes: %w", err)
	}
	for _, p := range pairs {
		if err := st.exec(ctx, "drop index or reference", p.Drop); err != nil {
			return nil, err
		}
		later = append(later, p.Make)
	}
	return later, nil
}

func quoted(table string) string { return pgx.Identifier{table}.Sanitize() }
