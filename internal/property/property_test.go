package property_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/internal/race"
)

// inner names the property that a process of this test's own tries.
const inner = "ROLLCALL_TEST_PROPERTY"

func TestTrialsAreFewUnlessMoreAreAskedFor(t *testing.T) {
	t.Parallel()
	ordinary := "7 trials"
	if race.On {
		ordinary = "3 trials"
	}
	for name, c := range map[string]struct {
		env, said string
	}{
		"a few by default":            {"", ordinary},
		"all of those that are asked": {property.All + "=31", "31 trials"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := try(t, "sound", c.env)
			require.NoError(t, err, out)
			require.Contains(t, out, c.said)
		})
	}
}

func TestATrialThatFailsIsMadeAsSmallAsItGets(t *testing.T) {
	t.Parallel()
	out, err := try(t, "false", "")
	require.Error(t, err)
	require.Contains(t, out, "draw n: 500", "the smallest number that is false")
	require.NotContains(t, out, "flaky")
}

// try runs a property in a process of its own, and gives what it says.
func try(t *testing.T, which, env string) (string, error) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program, "-test.run", "^TestInner$", "-test.v", "-rapid.nofailfile", "-rapid.seed=1")
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, property.All+"=") }), inner+"="+which)
	if env != "" {
		cmd.Env = append(cmd.Env, env)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestInner(t *testing.T) {
	t.Parallel()
	which := os.Getenv(inner)
	if which == "" {
		t.Skip("is run by the other tests")
	}
	made := 0
	property.Check(t, 7, func(r *rapid.T) {
		made++
		n := rapid.IntRange(0, 1_000_000).Draw(r, "n")
		if which == "false" {
			require.Less(r, n, 500)
		}
	})
	t.Logf("%d trials", made)
}
