package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAHeldReplayOfThePastLetsItsSourceGoOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec(t, `update sources set last_complete = $1 where id = 'jail'`, b.now)
	held := func() (held bool) {
		require.NoError(t, b.pool.QueryRow(b.ctx, `select held_since is not null from sources where id = 'jail'`).Scan(&held))
		return held
	}
	for _, c := range []struct {
		snapshot time.Time
		holds    bool
	}{{b.now.Add(-time.Hour), false}, {b.now, true}} {
		run, err := b.store.BeginRun(b.ctx, "jail", b.now)
		require.NoError(t, err)
		require.NoError(t, b.store.FinishRun(b.ctx, run, "jail", models.RunEnd{State: models.RunHeld, At: b.now, SnapshotAt: c.snapshot, Report: []byte("{}"), Note: "it shrank", Replay: true}))
		require.Equal(t, c.holds, held(), c.snapshot)
	}
}
