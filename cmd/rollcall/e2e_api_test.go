package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"
)

// apiLog keeps what a serving process says and tells its address once it serves.
type apiLog struct {
	mu   sync.Mutex
	text bytes.Buffer
	up   chan string
}

// Write implements io.Writer.
func (l *apiLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	if m := regexp.MustCompile(`msg"?[=:]"?serving"? .*address=(\S+)|"serving".*"address":"([^"]+)"`).FindStringSubmatch(l.text.String()); m != nil && l.up != nil {
		l.up <- m[1] + m[2]
		l.up = nil
	}
	return len(p), nil
}

// serve starts a rollcall serve process without jobs and gives the base address of its API.
func (f *field) serve() string {
	f.t.Helper()
	up := make(chan string, 1)
	said := &apiLog{up: up}
	cmd := exec.CommandContext(f.t.Context(), f.binary, "serve", "--no-jobs", "--addr", "127.0.0.1:0")
	cmd.Env = append(slices.Clone(f.env), "ROLLCALL_METRICS_ADDR=off")
	cmd.Stderr, cmd.Stdout = said, said
	require.NoError(f.t, cmd.Start())
	f.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	select {
	case address := <-up:
		return "http://" + address + "/v1"
	case <-time.After(time.Minute):
		said.mu.Lock()
		defer said.mu.Unlock()
		require.Fail(f.t, "the API does not serve", said.text.String())
		return ""
	}
}

// printed runs rollcall with --json and gives a member of what it prints.
func (f *field) printed(member string, args ...string) string {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), f.binary, append(args, "--json")...)
	cmd.Env = f.env
	out, err := cmd.Output()
	require.NoError(f.t, err, "%s", out)
	var said map[string]any
	require.NoError(f.t, json.Unmarshal(out, &said), "%s", out)
	text, isText := said[member].(string)
	require.True(f.t, isText, "%s", out)
	return text
}

// ask sends a request to the API with the account's key and gives the id in the answer. While the database comes back the
// API is unavailable, as any caller may see it: then it asks again.
func (f *field) ask(method, path, body string, status int) (id string) {
	f.t.Helper()
	var text []byte
	got := 0
	client := &http.Client{Timeout: time.Minute}
	require.Eventually(f.t, func() bool {
		r, err := http.NewRequestWithContext(f.t.Context(), method, f.base+path, strings.NewReader(body))
		if err != nil {
			return false
		}
		r.Header.Set("Authorization", "Bearer "+f.key)
		r.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(r)
		if err != nil {
			return false
		}
		defer func() { _ = resp.Body.Close() }()
		got = resp.StatusCode
		text, err = io.ReadAll(resp.Body)
		return err == nil && got != http.StatusServiceUnavailable
	}, time.Minute, 100*time.Millisecond)
	require.Equal(f.t, status, got, "%s", text)
	var said struct{ ID string }
	if len(text) > 0 {
		require.NoError(f.t, json.Unmarshal(text, &said), "%s", text)
	}
	return said.ID
}

// subscribe makes an account, a key, a registration and a watcher for each name, as a customer does: accounts and secrets
// by the command line, the rest over /v1. It gives the secret and the watchers.
func (f *field) subscribe(url string, names []string) (secret string, watchers []string) {
	f.t.Helper()
	f.account = f.printed("id", "account", "create", "--name", "Desk", "--email", "desk@example.org", "--plan", "enterprise")
	f.key = f.printed("key", "key", "create", "--account", f.account, "--label", "end to end")
	f.base = f.serve()
	f.ask(http.MethodPost, "/webhooks", `{"url": "`+url+`", "events": ["booking", "release", "bond_change"]}`, http.StatusCreated)
	for _, name := range names {
		watchers = append(watchers, f.ask(http.MethodPost, "/alerts", `{"name": "`+name+`"}`, http.StatusCreated))
	}
	return f.printed("secret", "webhook", "secret", "show", "--account", f.account), watchers
}
