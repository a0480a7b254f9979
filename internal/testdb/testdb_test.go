package testdb_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestDatabasesOfTestsDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	one, other := testdb.New(t), testdb.New(t)
	_, err := one.Pool.Exec(t.Context(), `CREATE TABLE mine (n int)`)
	require.NoError(t, err)

	var there bool
	require.NoError(t, other.Pool.QueryRow(t.Context(), `SELECT to_regclass('mine') IS NOT NULL`).Scan(&there))
	require.False(t, there)
}

func TestNewIsMigratedAndNewEmptyIsNot(t *testing.T) {
	t.Parallel()
	const tables = `SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`
	var migrated, empty int
	require.NoError(t, testdb.New(t).Pool.QueryRow(t.Context(), tables).Scan(&migrated))
	require.NoError(t, testdb.NewEmpty(t).Pool.QueryRow(t.Context(), tables).Scan(&empty))
	require.Positive(t, migrated)
	require.Zero(t, empty)
}

func TestDatabaseIsDroppedWhenItsTestEnds(t *testing.T) {
	t.Parallel()
	var name string
	t.Run("a test that uses a database", func(t *testing.T) {
		db := testdb.New(t)
		require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT current_database()`).Scan(&name))
	})
	var there bool
	const query = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`
	require.NoError(t, testdb.NewEmpty(t).Pool.QueryRow(t.Context(), query, name).Scan(&there))
	require.False(t, there)
}
