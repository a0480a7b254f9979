package source_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAHeldReplayOfThePastLetsItsSourceGoOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Exec(t, `update sources set last_complete = $1 where id = 'jail'`, b.Now)
	held := func() (held bool) {
		require.NoError(t, b.Pool.QueryRow(b.Ctx, `select held_since is not null from sources where id = 'jail'`).Scan(&held))
		return held
	}
	for _, c := range []struct {
		snapshot time.Time
		holds    bool
	}{{b.Now.Add(-time.Hour), false}, {b.Now, true}} {
		run, err := b.Store.BeginRun(b.Ctx, "jail", b.Now)
		require.NoError(t, err)
		require.NoError(t, b.Store.FinishRun(b.Ctx, run, "jail", models.RunEnd{State: models.RunHeld, At: b.Now, SnapshotAt: c.snapshot, Report: []byte("{}"), Note: "it shrank", Replay: true}))
		require.Equal(t, c.holds, held(), c.snapshot)
	}
}
