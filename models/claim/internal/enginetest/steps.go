// Package enginetest checks what families hand to package engine. It is for tests only.
package enginetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/claim/internal/engine"
)

// Steps fails the test unless each step of a family, between those that all families share, needs only what an earlier
// step makes, makes what no other step makes, says why it is there, and the run is noted at the end.
func Steps(t *testing.T, family []engine.Step) {
	t.Helper()
	made := map[string]bool{engine.Staged: true}
	for _, s := range engine.Frame(family) {
		require.NotEmpty(t, s.Why, s.Name)
		require.NotNil(t, s.Do, s.Name)
		for _, need := range s.Needs {
			require.True(t, made[need], "%s needs %s", s.Name, need)
		}
		for _, m := range s.Makes {
			require.False(t, made[m], "%s makes %s a second time: which step is needed is open", s.Name, m)
			made[m] = true
		}
	}
	require.True(t, made[engine.Noted], "the run is noted")
}
