package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// loadCounties reads the fixed counties of Georgia once, when the database is opened. They change
// only with the schema, so no code reads them again.
func loadCounties(ctx context.Context, db interface {
	Query(context.Context, string, ...any) (pgx.Rows, error)
},
) (*models.Counties, error) {
	rows, err := db.Query(ctx, `select id, slug, name, fips from counties order by slug`)
	if err != nil {
		return nil, fmt.Errorf("read counties: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[models.County])
	if err != nil {
		return nil, fmt.Errorf("read counties: %w", err)
	}
	return models.CountiesOf(all), nil
}
