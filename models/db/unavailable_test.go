package db_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestAPassingTroubleOfTheDatabaseIsUnavailable(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	run := func(sql string) error {
		_, err := db.Pool.Exec(t.Context(), sql)
		return fmt.Errorf("list roster: %w", err)
	}
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, expired := db.Pool.Exec(late, "select 1")
	cases := map[string]struct {
		err  error
		want models.Code
	}{
		"a statement over its time":         {run("set statement_timeout = 1; select pg_sleep(5)"), models.CodeUnavailable},
		"a lock that is not given":          {run("do $$ begin raise lock_not_available; end $$"), models.CodeUnavailable},
		"a server that stops":               {run("do $$ begin raise admin_shutdown; end $$"), models.CodeUnavailable},
		"too many connections":              {run("do $$ begin raise too_many_connections; end $$"), models.CodeUnavailable},
		"a request over its time":           {expired, models.CodeUnavailable},
		"a server that is not there":        {unreachable(t), models.CodeUnavailable},
		"a mistake in our SQL":              {run("select no_such_column"), models.CodeInternal},
		"a mistake in our code":             {errors.New("index out of range"), models.CodeInternal},
		"what the caller should do instead": {models.Invalid("limit", "limit must be an integer"), models.CodeInvalidParameter},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, models.CodeOf(c.err))
		})
	}
}

func unreachable(t *testing.T) error {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), "postgres:///none?host="+t.TempDir())
	require.NoError(t, err)
	defer pool.Close()
	return pool.Ping(t.Context())
}
