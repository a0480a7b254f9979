package simulator

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// restart continues a world from a file, some time after it was saved.
func restart(t *testing.T, path string, at time.Time) bundle {
	t.Helper()
	state, err := Load(path)
	require.NoError(t, err)
	require.NotNil(t, state)
	c := &clock{at: at}
	sim, err := New(Options{Seed: 99, Now: c.now, Resume: state})
	require.NoError(t, err)
	return bundle{sim, c}
}

func TestAWorldGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "simulator.json")
	first := setup(t, Options{Seed: 2, People: 2000, Pace: time.Second})
	first.clock.forward(20 * time.Minute)
	before := custody(first)
	require.NoError(t, first.Save(path))

	at := first.clock.now()
	require.Equal(t, before, custody(restart(t, path, at)), "at once")

	next := restart(t, path, at.Add(14*time.Hour))
	after := custody(next)
	stayed := 0
	for key, was := range before {
		if is, ok := after[key]; ok {
			stayed++
			require.Equal(t, was.Person, is.Person)
		}
	}
	require.Less(t, stayed, len(before), "some things happen over night")
	require.Greater(t, stayed, len(before)*9/10, "most people are still there in the morning")

	next.clock.forward(time.Minute)
	require.InDelta(t, 20, next.Step(), 2, "then life goes on at the default pace")
	require.NoError(t, next.Save(path))
	third := restart(t, path, next.clock.now())
	require.Equal(t, custody(next), custody(third), "a third start")
}

func TestACrashTakesNothingBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "simulator.json")
	first := setup(t, Options{Seed: 2, People: 2000, Pace: time.Second})
	first.clock.forward(10 * time.Minute)
	require.NoError(t, first.Save(path))
	first.clock.forward(50 * time.Second)
	shown := custody(first)

	again := restart(t, path, first.clock.now())
	require.Equal(t, shown, custody(again))
}

func TestStatesThatCanNotBeRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "simulator.json")
	state, err := Load(path)
	require.NoError(t, err)
	require.Nil(t, state, "a first start")
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	_, err = Load(path)
	require.ErrorContains(t, err, "simulator.json")
}

func TestAClockThatGoesBackChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, Options{Seed: 2, People: 500, Pace: time.Second})
	b.clock.forward(time.Minute)
	before := custody(b)
	b.clock.forward(-time.Hour)
	require.Equal(t, before, custody(b))
	require.Zero(t, b.Step())
}
