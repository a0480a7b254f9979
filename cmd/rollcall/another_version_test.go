package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/pg"
	"rollcall/internal/testdb"
	"rollcall/models/migrations"
)

// spoil gives a database a migration that no file of this version has.
func spoil(t *testing.T, url string) {
	t.Helper()
	require.NoError(t, migrations.Up(t.Context(), url))
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `insert into goose_db_version (version_id, is_applied) values (9999, true)`)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
}

func TestCommandsRefuseADatabaseOfAnotherVersion(t *testing.T) {
	t.Parallel()
	db := testdb.NewEmpty(t)
	spoil(t, db.URL)
	for _, command := range [][]string{{"migrate"}, {"serve"}, {"work"}, {"demo", "--port", "0"}, {"account", "list"}} {
		t.Run(command[0], func(t *testing.T) {
			t.Parallel()
			env := cmdtest.Environment(t)
			env["ROLLCALL_DATABASE_URL"], env["ROLLCALL_ADDR"] = db.URL, "127.0.0.1:0"
			p := cmdtest.Start(t, inProcess, env, command...)
			require.Equal(t, 1, <-p.Ended)
			require.Equal(t, "rollcall: "+migrations.ErrUnknownSchema.Error()+"\n", p.Stderr.String())
		})
	}
}

func TestAFreshDemoReplacesADatabaseOfAnotherVersion(t *testing.T) {
	t.Parallel()
	env := cmdtest.Environment(t)
	dir := env["ROLLCALL_DATA_DIR"]
	server, err := pg.Start(t.Context(), pg.Options{Dir: dir, Fast: true})
	require.NoError(t, err)
	spoil(t, server.URL())
	require.NoError(t, server.Stop())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "demo.json"), []byte("{}"), 0o600))

	refused := cmdtest.Start(t, inProcess, env, "demo", "--port", "0")
	require.Equal(t, 1, <-refused.Ended)
	require.Contains(t, refused.Stderr.String(), migrations.ErrUnknownSchema.Error())

	fresh := cmdtest.Start(t, inProcess, env, "demo", "--port", "0", "--fresh")
	fresh.Stdout.Await(t, "Reading source 1 of", fresh.Ended)
	fresh.Interrupt()
	<-fresh.Ended
}
