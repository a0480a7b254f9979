package cmdtest

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/pg"
)

// Output collects what a command prints and lets a test wait for a text in it. It is safe for concurrent use.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
	// grew has room for one value: a reader that is slow needs to know only that there is more.
	grew chan struct{}
}

// NewOutput returns an empty output.
func NewOutput() *Output { return &Output{grew: make(chan struct{}, 1)} }

// Write implements io.Writer.
func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.grew <- struct{}{}:
	default:
	}
	return o.text.Write(b)
}

// String returns all that was printed.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Await returns all that was printed once it contains a text. The test fails when the command ends before, or
// after five minutes. ended is the channel of the process.
func (o *Output) Await(t *testing.T, text string, ended <-chan int) string {
	t.Helper()
	deadline := time.After(5 * time.Minute)
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.grew:
		case code := <-ended:
			t.Fatalf("ended with %d before it said %q:\n%s", code, text, o)
		case <-deadline:
			t.Fatalf("did not say %q:\n%s", text, o)
		}
	}
	return o.String()
}

// Environment returns the variables of a rollcall in a directory of its own, with an embedded database. Both
// are removed after the test.
func Environment(t *testing.T) Variables {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	t.Cleanup(func() { require.NoError(t, pg.Remove(context.Background(), dir)) })
	return Variables{"ROLLCALL_DATA_DIR": dir, "ROLLCALL_LOG_LEVEL": "warn"}
}

// Process is a command that runs until it is interrupted.
type Process struct {
	Stdout, Stderr *Output
	// Interrupt ends the command's context, as Ctrl-C does.
	Interrupt context.CancelFunc
	// Ended receives the exit code, once.
	Ended chan int
}

// Start begins a command and returns at once. The command ends with the test at the latest.
func Start(t *testing.T, run Program, env Variables, args ...string) *Process {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	p := &Process{Stdout: NewOutput(), Stderr: NewOutput(), Interrupt: cancel, Ended: make(chan int, 1)}
	go func() { p.Ended <- run(ctx, args, p.Stdout, p.Stderr, env) }()
	return p
}

// Stop interrupts the command and waits until it has ended, which must be a success.
func (p *Process) Stop(t *testing.T) {
	t.Helper()
	p.Interrupt()
	require.Equal(t, 0, <-p.Ended, "stderr:\n%s", p.Stderr)
}
