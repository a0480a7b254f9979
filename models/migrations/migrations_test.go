package migrations_test

import (
	"testing"

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
