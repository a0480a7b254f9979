package db

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"
)

// Copy streams rows into a table by COPY and returns their number. Columns name the values of a row
// in order. A row is made while those before it are sent (Ahead). An error of rows is returned
// unwrapped and undoes the COPY; without this the server would wrap it in its own text.
func Copy(ctx context.Context, tx pgx.Tx, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error) {
	next, stop := Ahead(rows)
	defer stop()
	var broken error
	n, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		var row []any
		row, broken = next()
		return row, broken
	}))
	if broken != nil {
		return 0, broken
	}
	if err != nil {
		return n, fmt.Errorf("write %s: %w", table, err)
	}
	return n, nil
}
