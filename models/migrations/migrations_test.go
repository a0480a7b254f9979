package migrations_test

import (
	"fmt"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"rollcall/internal/testdb"
	"rollcall/models/migrations"
)

// Replicas start together: each may migrate, one does.
func TestUpFromManyProcesses(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	var g errgroup.Group
	for range 4 {
		g.Go(func() error { return migrations.Up(t.Context(), db.URL) })
	}
	require.NoError(t, g.Wait())
	require.NoError(t, migrations.Up(t.Context(), db.URL))

	var counties, named int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*), count(*) filter (where (slug, fips) in (('fulton', '13121'), ('ben-hill', '13017'), ('mcduffie', '13189'))) from counties`).Scan(&counties, &named))
	require.Equal(t, 159, counties)
	require.Equal(t, 3, named)
}

// The database's civil clock is that of Go's zone database at every half hour, changes of the clock included.
func TestGeorgiaClock(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	georgia, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	rows, err := db.Pool.Query(t.Context(), `select t, georgia_clock(t) from generate_series('1980-01-01 00:00+00'::timestamptz, '2032-01-01 00:00+00', '30 minutes') t`)
	require.NoError(t, err)
	var at, clock time.Time
	_, err = pgx.ForEachRow(rows, []any{&at, &clock}, func() error {
		if want := at.In(georgia).Format(time.DateTime); clock.Format(time.DateTime) != want {
			return fmt.Errorf("%s: %s, not %s", at.UTC(), clock.Format(time.DateTime), want)
		}
		return nil
	})
	require.NoError(t, err)
}
