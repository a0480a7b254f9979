package db_test

import (
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/sqltest"
	"rollcall/internal/testdb"
	"rollcall/models/db"
)

// riverVersion is the newest migration of River's tables that job.go was written for. A newer River may give the
// tables another layout: then read its change notes, compare the statements of job.go, and only then raise it.
const riverVersion = 8

// job.go reads and writes tables that belong to River and are no interface of it.
func TestTheTablesOfRiverAreThoseThatJobsAreReadFrom(t *testing.T) {
	t.Parallel()
	d := testdb.New(t)
	rows, err := d.Pool.Query(t.Context(), `select version::int from river_migration where line = 'main' order by version`)
	require.NoError(t, err)
	versions, err := pgx.CollectRows(rows, pgx.RowTo[int])
	require.NoError(t, err)
	require.Equal(t, riverVersion, versions[len(versions)-1], "River migrated its tables further than models/db/job.go was written for: see riverVersion")

	columns := map[string]string{}
	rows, err = d.Pool.Query(t.Context(), `select table_name || '.' || column_name, udt_name from information_schema.columns where table_name in ('river_job', 'river_queue')`)
	require.NoError(t, err)
	var name, kind string
	_, err = pgx.ForEachRow(rows, []any{&name, &kind}, func() error { columns[name] = kind; return nil })
	require.NoError(t, err)
	for name, kind := range map[string]string{
		"river_job.id": "int8", "river_job.kind": "text", "river_job.queue": "text", "river_job.state": "river_job_state", "river_job.args": "jsonb",
		"river_job.attempt": "int2", "river_job.max_attempts": "int2", "river_job.errors": "_jsonb", "river_job.created_at": "timestamptz",
		"river_job.scheduled_at": "timestamptz", "river_job.attempted_at": "timestamptz", "river_job.finalized_at": "timestamptz",
		"river_queue.name": "text", "river_queue.paused_at": "timestamptz",
	} {
		require.Equal(t, kind, columns[name], "the column %s, which models/db/job.go uses", name)
	}

	rows, err = d.Pool.Query(t.Context(), `select unnest(enum_range(null::river_job_state))::text`)
	require.NoError(t, err)
	states, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"available", "cancelled", "completed", "discarded", "pending", "retryable", "running", "scheduled"}, states,
		"each state is in one group of jobGroups and one column of JobQueues")
}

// River's own constraints and triggers accept what FreeFeedJob writes, and it frees no other job.
func TestTheJobOfAnInterruptedSourceIsAvailableAgain(t *testing.T) {
	t.Parallel()
	d := testdb.New(t)
	for _, j := range [][3]string{{"feed", "jail", "running"}, {"feed", "court", "running"}, {"feed", "jail", "retryable"}, {"match", "jail", "running"}} {
		args, err := json.Marshal(map[string]string{"source": j[1]})
		require.NoError(t, err)
		_, err = d.Pool.Exec(t.Context(), `insert into river_job (args, kind, max_attempts, queue, state, attempt, attempted_at, scheduled_at)
 values ($1, $2, 25, 'feeds', $3::text::river_job_state, 1, now() - interval '1 hour', now() - interval '1 hour')`, args, j[0], j[2])
		require.NoError(t, err)
	}
	require.NoError(t, pgx.BeginFunc(t.Context(), d.Pool, func(tx pgx.Tx) error { return db.FreeFeedJob(t.Context(), tx, "jail") }))
	rows, err := d.Pool.Query(t.Context(), `select concat_ws(' ', kind, args->>'source', state, case when scheduled_at > now() - interval '30 minutes' then 'now' end) from river_job order by id`)
	require.NoError(t, err)
	said, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"feed jail available now", "feed court running", "feed jail retryable", "match jail running"}, said)
}

func TestStatementsAreUnderstoodAndUsed(t *testing.T) {
	t.Parallel()
	sqltest.Check(t, testdb.New(t).Pool, db.Statements())
}
