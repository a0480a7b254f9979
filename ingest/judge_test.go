package ingest_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

func TestWhatWasPublishedBeforeTheRuleIsJudgedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.runner.BaselineWindow = 365 * 24 * time.Hour
	tells, silent := twoFeeds(t)
	b.runSource(silent, "b.csv", bornList(`B1,"MOONSAIL, KARL",2026-01-05 23:55,$1.00,`, `B2,"THISTLEDOWN, PIP",2026-01-05 10:00,$1.00,`, `B3,"QUILLFEATHER, ORLA",2026-01-05 10:00,$1.00,`), day)
	b.runSource(tells, "a.csv", bornList(carl), day.Add(time.Hour))
	b.run("court-delta", "a.txt", caseLine("J-1", "THISTLEDOWN, PIP", "01/06/2026", "03/05/2010", "B2"), day.AddDate(0, 0, 1))
	asNow := []string{"MOONSAIL, KARL maybe juvenile", "THISTLEDOWN, PIP maybe juvenile", "QUILLFEATHER, ORLA public", "MOONSAIL, CARL juvenile"}
	require.ElementsMatch(t, asNow, b.hiding())

	t.Log("as a database is to which the rule comes later")
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set withheld = null, sealed_by = null, sealed_case = null where withheld = 'maybe juvenile'`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `delete from changes where kind = 'sealed'`)
	require.NoError(t, err)
	b.runSource(silent, "b.csv", bornList(`B1,"MOONSAIL, KARL",2026-01-05 23:55,$1.00,`, `B2,"THISTLEDOWN, PIP",2026-01-05 10:00,$1.00,`, `B3,"QUILLFEATHER, ORLA",2026-01-05 10:00,$1.00,`), day.AddDate(0, 0, 2))
	require.Equal(t, 1, one[int](b, `select count(*) from bookings where withheld is not null`), "rows that stay as they are say nothing")

	n, done, err := b.store.JudgePublished(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{1, false}, []any{n, done}, "a process that ends now leaves the rest")
	worker := &ingest.JudgeWorker{Store: b.store, Log: slog.New(slog.DiscardHandler)}
	require.NoError(t, worker.Work(t.Context(), nil))
	require.ElementsMatch(t, asNow, b.hiding())
	require.Equal(t, 2, one[int](b, `select count(*) from changes where kind = 'sealed'`), "whoever heard of them hears that they are sealed")
	require.Equal(t, 2, one[int](b, `select count(*) from bookings where sealed_by is not null or sealed_case is not null`))

	generation := one[int64](b, `select gen from generations where family = 'roster'`)
	require.NoError(t, worker.Work(t.Context(), nil))
	_, done, err = b.store.JudgePublished(t.Context())
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, generation, one[int64](b, `select gen from generations where family = 'roster'`), "once")
}
