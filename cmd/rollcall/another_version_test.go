package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

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
			env := environment(t)
			env["ROLLCALL_DATABASE_URL"], env["ROLLCALL_ADDR"] = db.URL, "127.0.0.1:0"
			p := start(t, env.get, command...)
			require.Equal(t, 1, <-p.ended)
			require.Equal(t, "rollcall: "+migrations.ErrUnknownSchema.Error()+"\n", p.stderr.String())
		})
	}
}

func TestAFreshDemoReplacesADatabaseOfAnotherVersion(t *testing.T) {
	t.Parallel()
	env := environment(t)
	dir := env["ROLLCALL_DATA_DIR"]
	server, err := pg.Start(t.Context(), pg.Options{Dir: dir, Fast: true})
	require.NoError(t, err)
	spoil(t, server.URL())
	require.NoError(t, server.Stop())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "demo.json"), []byte("{}"), 0o600))

	refused := start(t, env.get, "demo", "--port", "0")
	require.Equal(t, 1, <-refused.ended)
	require.Contains(t, refused.stderr.String(), migrations.ErrUnknownSchema.Error())

	fresh := start(t, env.get, "demo", "--port", "0", "--fresh")
	fresh.stdout.await(t, "Reading source 1 of", fresh.ended)
	fresh.interrupt()
	<-fresh.ended
}
