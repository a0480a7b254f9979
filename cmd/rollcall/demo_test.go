package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/demo"
	"rollcall/internal/pg"
	"rollcall/internal/service"
)

// output collects what a command prints and lets a test wait for a text in it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	grew chan struct{}
}

func newOutput() *output { return &output{grew: make(chan struct{}, 1)} }

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.grew <- struct{}{}:
	default:
	}
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func (o *output) await(t *testing.T, text string, ended <-chan int) string {
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

// environment of a rollcall in a directory of its own, removed after the test.
func environment(t *testing.T) variables {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	t.Cleanup(func() { require.NoError(t, pg.Remove(context.Background(), dir)) })
	return variables{"ROLLCALL_DATA_DIR": dir, "ROLLCALL_LOG_LEVEL": "warn"}
}

// process is a command that runs until it is interrupted, in this test's process or in one of its own.
type process struct {
	stdout, stderr *output
	interrupt      context.CancelFunc
	ended          chan int
}

func start(t *testing.T, getenv func(string) string, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	p := &process{stdout: newOutput(), stderr: newOutput(), interrupt: cancel, ended: make(chan int, 1)}
	go func() { p.ended <- run(ctx, args, p.stdout, p.stderr, getenv) }()
	return p
}

func (p *process) stop(t *testing.T) {
	t.Helper()
	p.interrupt()
	require.Equal(t, 0, <-p.ended, "stderr:\n%s", p.stderr)
}

var (
	keyPattern  = regexp.MustCompile(`rc_live_\w+`)
	basePattern = regexp.MustCompile(`API +(\S+/v1)`)
	doorPattern = regexp.MustCompile(`Dashboard +(\S+/enter/\S+)`)
)

func get(t *testing.T, url, key string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	var body map[string]any
	require.NoError(t, json.Unmarshal(b, &body), "%s", b)
	return resp.StatusCode, body
}

// paste runs the curl lines that were printed.
func paste(t *testing.T, said string) {
	t.Helper()
	require.Equal(t, 3, strings.Count(said, "  curl "))
	if _, err := exec.LookPath("curl"); err != nil && os.Getenv("CI") != "true" {
		t.Skip("curl is not installed")
	}
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "curl ") {
			out, err := exec.CommandContext(t.Context(), "sh", "-c", line).Output()
			require.NoError(t, err, line)
			require.Regexp(t, `"total":[1-9]`, string(out), line)
		}
	}
}

// TestDemo has the machine to itself, as a newcomer has.
func TestDemo(t *testing.T) {
	env := environment(t)
	first := start(t, env.get, "demo", "--port", "0", "--pace", "200ms")
	said := first.stdout.await(t, "Ctrl-C stops", first.ended)
	key, base := keyPattern.FindString(said), basePattern.FindStringSubmatch(said)[1]

	t.Run("the printed lines work when pasted", func(t *testing.T) { paste(t, said) })

	t.Log("other commands join the running database")
	var accounts bytes.Buffer
	require.Equal(t, 0, run(t.Context(), []string{"account", "list", "--json"}, &accounts, first.stderr, env.get))
	require.Contains(t, accounts.String(), demo.Email)

	t.Log("verified webhooks are printed live")
	first.stdout.await(t, "  alert alrt_", first.ended)

	t.Log("jails change while it runs")
	since := time.Now().UTC().Format(time.RFC3339)
	require.Eventually(t, func() bool {
		status, body := get(t, base+"/roster?updated_since="+since, key)
		return status == http.StatusOK && body["total"] != float64(0)
	}, time.Minute, time.Second)

	_, released := get(t, base+"/roster?status=released&limit=1", key)
	record := regexp.MustCompile(`[a-z-]+-\d{4}-\d{6}`).FindString(fmt.Sprint(released))
	status, before := get(t, base+"/roster/"+record, key)
	require.Equal(t, http.StatusOK, status)
	first.stop(t)

	t.Log("a second start keeps the data and ends the first key")
	again := start(t, env.get, "demo", "--port", "0")
	said = again.stdout.await(t, "Ctrl-C stops", again.ended)
	second, base := keyPattern.FindString(said), basePattern.FindStringSubmatch(said)[1]
	status, _ = get(t, base+"/roster", key)
	require.Equal(t, http.StatusUnauthorized, status)
	status, after := get(t, base+"/roster/"+record, second)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, before["booking_date"], after["booking_date"])
	again.stop(t)
}

func TestTheDemoSaysThatThereAreNoFigures(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	a := &service.App{Config: service.Config{BaseURL: "http://localhost:8080/v1", MetricsAddr: "off"}, Stdout: &said}
	s := &service.Service{App: a}
	require.NoError(t, s.StartMetrics(t.Context()))
	demoCmd{}.welcome(a, s, auth.NewKey(), "http://localhost:8080/")
	require.Contains(t, said.String(), "Metrics    off (ROLLCALL_METRICS_ADDR)\n")
}
