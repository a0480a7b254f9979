// Package cmdtest runs rollcall in tests as its users do: single commands on a database of their own, processes
// that go on until they are interrupted, and the service. It tests nothing by itself, and it is for tests only.
package cmdtest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Variables are the environment of a rollcall. No others reach it.
type Variables map[string]string

// Get returns the value of a variable, or an empty text, as os.Getenv does.
func (v Variables) Get(name string) string { return v[name] }

// Program runs rollcall with arguments until it ends or ctx does, and returns its exit code. Tests run the same
// steps over the code of this process, which is quick to debug, and over the built binary.
type Program func(ctx context.Context, args []string, stdout, stderr io.Writer, env Variables) (code int)

// command is the package of the program.
const command = "rollcall/cmd/rollcall"

// scratch is the directory of what several tests of a package use. It outlives each of them.
var scratch struct {
	sync.Mutex
	dir string
}

// Main is the TestMain of a package that uses Binary: it removes what was built when all tests have ended.
func Main(m *testing.M) {
	m.Run()
	scratch.Lock()
	defer scratch.Unlock()
	if scratch.dir != "" {
		_ = os.RemoveAll(scratch.dir)
	}
}

// build makes the program once for all tests of a package. A failure is remembered, so that each test reports
// it.
var build = sync.OnceValues(func() (string, error) {
	scratch.Lock()
	defer scratch.Unlock()
	var err error
	if scratch.dir, err = os.MkdirTemp("", "rollcall-shared-"); err != nil {
		return "", fmt.Errorf("build the program: %w", err)
	}
	at := filepath.Join(scratch.dir, "rollcall")
	out, err := exec.Command("go", "build", "-o", at, command).CombinedOutput() //nolint:gosec // a directory of ours
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	// go test repeats a result until a file changes that the test has opened. It does not see what a compiler opens.
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", command).Output()
	if err != nil {
		return "", fmt.Errorf("find the program: %w", err)
	}
	if _, err = os.ReadDir(strings.TrimSpace(string(dir))); err != nil {
		return "", fmt.Errorf("find the program: %w", err)
	}
	return at, nil
})

// Binary returns the path of the program as people run it, for tests that kill it or need it to be quick.
func Binary(tb testing.TB) string {
	tb.Helper()
	at, err := build()
	require.NoError(tb, err)
	return at
}

// Built runs Binary, each time as a process of its own. Walks in a browser use it, because they look at what
// the pages do. In the process of the tests a demo's ingest would run under the race detector for as long as
// they walk, which costs several times what the browser does. The detector sees the same code at work in
// TestDemo of cmd/rollcall, whose jails change five times a second. It also sees it in the walks over
// Terminal.Serve, and in the tests of every package.
func Built(tb testing.TB) Program {
	tb.Helper()
	at := Binary(tb)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer, env Variables) int {
		cmd := exec.CommandContext(ctx, at, args...) //nolint:gosec // tests say the arguments
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = time.Minute
		cmd.Stdout, cmd.Stderr = stdout, stderr
		cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "ROLLCALL_") })
		for name, value := range env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		if err := cmd.Run(); cmd.ProcessState == nil {
			_, _ = fmt.Fprintln(stderr, err)
		}
		return cmd.ProcessState.ExitCode()
	}
}
