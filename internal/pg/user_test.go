//go:build unix

package pg

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrdinaryUser runs the other tests once more as user nobody when this process is root: what a server may do and
// where it lies depends on that.
func TestOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("these tests already run as an ordinary user")
	}
	nobody := account{uid: 65534, gid: 65534, name: "nobody", drop: true}
	home := dataDir(t)
	require.NoError(t, nobody.give(home))
	program := copyOfThisProgram(t)

	cmd := exec.CommandContext(t.Context(), program, "-test.v",
		"-test.run", "Kill|Owner|Join|Socket|LongPath|Planted|Remove|Fetched", "-test.skip", "Root")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home+"/.cache", "TMPDIR="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "--- PASS: TestServerSurvivesEveryKill")
	require.NotContains(t, string(out), "--- SKIP: TestServerSurvivesEveryKill")
}

// copyOfThisProgram lies where every user can run it; the go command builds tests in a closed directory.
func copyOfThisProgram(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	text, err := os.ReadFile(program)
	require.NoError(t, err)
	open := filepath.Join(dataDir(t), "pg.test")
	syscall.ForkLock.RLock() // a process that another test begins would hold the file open for writing: "text file busy"
	err = os.WriteFile(open, text, 0o600)
	syscall.ForkLock.RUnlock()
	require.NoError(t, err)
	require.NoError(t, os.Chmod(open, 0o755))
	return open
}
