package sqltest_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models/db/sqlfile"
)

const statements = `
-- name: make_incoming
create temp table incoming (n int) on commit drop
-- name: good
select name from counties where slug = @slug and @n::int > 0
-- name: wrong_column
select nothing from counties
-- name: wrong_syntax
select from where
-- name: of_incoming
insert into incoming select @n`

func TestStatementsThatPostgresCannotPrepareAreNamed(t *testing.T) {
	t.Parallel()
	set := sqlfile.Load(fstest.MapFS{"sql/a.sql": {Data: []byte(statements)}})
	pool := testdb.New(t).Pool

	refused, err := sqltest.Refused(t.Context(), pool, set, "make_incoming")
	require.NoError(t, err)
	require.Len(t, refused, 2)
	require.Contains(t, refused["wrong_column"], `column "nothing" does not exist`)
	require.Contains(t, refused["wrong_syntax"], "syntax error")
}

func TestStatementsThatNoFileNamesAreListed(t *testing.T) {
	t.Parallel()
	set := sqlfile.Load(fstest.MapFS{"sql/a.sql": {Data: []byte(statements)}})
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("a.go", "package a\n\nvar a = []string{\"good\", `make_incoming`} // wrong_column\n")
	write("a_test.go", "package a\n\nvar b = \"of_incoming\"\n")

	unused, err := sqltest.Unused(dir, set)
	require.NoError(t, err)
	require.Equal(t, []string{"of_incoming", "wrong_column", "wrong_syntax"}, unused)
}
