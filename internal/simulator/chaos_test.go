package simulator

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEveryFaultShowsInEveryShape(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 4, People: 400, Pace: time.Second, Rosters: oneOfEach()})
	b.clock.forward(time.Hour)
	for _, feed := range b.Feeds() {
		t.Run(feed.ID, func(t *testing.T) { //nolint:paralleltest // the faults of one feed are set in turn
			ask := func(faults ...Fault) string {
				require.NoError(t, b.SetChaos(Chaos{feed.ID: faults}))
				return b.fetch(t, feed.Method, feed.Path, firstBody(feed))
			}
			well := ask()
			require.Equal(t, well[:len(well)*3/5], ask(Truncated))
			require.Equal(t, captchaPage, ask(Captcha))
			require.NotEqual(t, well, ask(Late))
			require.NotEqual(t, well, ask(Layout))
			sorry := ask(ErrorAs200)
			require.NotEmpty(t, sorry)
			require.Less(t, len(sorry), len(well))
			require.Equal(t, well, ask(), "a feed heals")
		})
	}
}

func TestALateSnapshotIsWhatWasTrueThen(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 4, People: 4000, Pace: time.Second, Rosters: paged()[:1]})
	b.clock.forward(30 * time.Minute)
	then := zuercherRows(t, b, 0)
	b.clock.forward(LateBy)
	require.NotEqual(t, then, zuercherRows(t, b, 0))
	require.NoError(t, b.SetChaos(Chaos{"zuercher/bartow": {Late}}))
	require.Equal(t, then, zuercherRows(t, b, 0))
}

func TestDuplicatedPagesRepeatTheFirst(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 4, People: 4000, Still: true, Rosters: paged()[:1], Chaos: Chaos{"zuercher/bartow": {Duplicated}}})
	first, second := zuercherRows(t, b, 0), zuercherRows(t, b, 100)
	require.Equal(t, first, second)
	require.Greater(t, first.Count, 200)
}

func TestSomeChaosLeavesFeedsThatAreWell(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 4, Still: true})
	chaos := SomeChaos(b.Feeds())
	require.NoError(t, b.SetChaos(chaos))
	seen := map[Fault]bool{}
	for _, faults := range chaos {
		require.Len(t, faults, 1)
		seen[faults[0]] = true
	}
	require.Len(t, seen, 6)
	require.Less(t, len(chaos), len(b.Feeds())-4)
	text, err := json.Marshal(b.Feeds())
	require.NoError(t, err)
	require.JSONEq(t, string(text), b.fetch(t, "GET", "/", ""))
}
