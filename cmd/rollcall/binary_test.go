package main

import (
	"context"
	"fmt"
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

// scratch is a directory for what several tests use. TestMain removes it.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "rollcall-shared-")
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// built is the program as people run it, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	at := filepath.Join(scratch, "rollcall")
	out, err := exec.Command("go", "build", "-o", at, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return at, nil
})

// binary is where the program is, for tests that kill it or need it to be quick.
func binary(t *testing.T) string {
	t.Helper()
	at, err := built()
	require.NoError(t, err)
	return at
}

// variables are the environment of a rollcall.
type variables map[string]string

func (v variables) get(name string) string { return v[name] }

// apart starts a command as a process of its own. Walks in a browser do, which look at what the pages do: in the process of
// the tests the demo's ingest would run under the race detector for as long as they walk, which costs several times what the
// browser does. The detector sees the same code at work in TestDemo, whose jails change five times a second, in the walks over
// terminal.served, and in the tests of every room.
func apart(t *testing.T, env variables, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	p := &process{stdout: newOutput(), stderr: newOutput(), interrupt: cancel, ended: make(chan int, 1)}
	cmd := exec.CommandContext(ctx, binary(t), args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	cmd.Stdout, cmd.Stderr = p.stdout, p.stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "ROLLCALL_") })
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	require.NoError(t, cmd.Start())
	go func() {
		_ = cmd.Wait() // the exit code tells
		p.ended <- cmd.ProcessState.ExitCode()
	}()
	return p
}
