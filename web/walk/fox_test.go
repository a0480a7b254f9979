package walk

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/stretchr/testify/require"

	"rollcall/internal/race"
)

// Keys as WebDriver writes them.
const (
	arrowDown = "\ue015"
	enterKey  = "\ue007"
)

// fox is a page of a headless Firefox, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). It notes what the browser
// complains of.
type fox struct {
	t    *testing.T
	conn *websocket.Conn
	root string
	page string // context of the only tab
	last int    // id of the last command

	answers chan answered
	mu      sync.Mutex
	errors  []string
}

// answered is what Firefox says: the answer of a command, or an event.
type answered struct {
	ID      int
	Type    string
	Message string
	Method  string
	Result  json.RawMessage
	Params  struct{ Level, Text string }
}

// firefox is where the browser is; CI has to have it.
func firefox(t *testing.T) string {
	t.Helper()
	race.Skip(t, notWatched)
	at, err := exec.LookPath("firefox-esr")
	if err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "CI needs firefox-esr")
		t.Skip("firefox-esr is not installed: the pages are not tried in Firefox")
	}
	return at
}

// newFox starts a Firefox with a profile of its own.
func newFox(t *testing.T, root string) *fox {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), firefox(t), "--headless", "--no-remote", "--profile", t.TempDir(), "--remote-debugging-port", "0", "about:blank")
	cmd.WaitDelay = 5 * time.Second
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(said)
	var address string
	for address == "" && lines.Scan() {
		_, address, _ = strings.Cut(lines.Text(), "WebDriver BiDi listening on ")
	}
	go func() {
		for lines.Scan() { // Firefox would wait for a reader
		}
	}()
	require.NotEmpty(t, address, "Firefox does not listen")
	conn, _, err := websocket.Dial(t.Context(), address+"/session", nil)
	require.NoError(t, err)
	conn.SetReadLimit(32 << 20)
	f := &fox{t: t, conn: conn, root: root, answers: make(chan answered, 1)}
	go f.listen()
	f.call("session.new", `{"capabilities": {}}`, nil)
	f.call("session.subscribe", `{"events": ["log.entryAdded"]}`, nil)
	var tree struct{ Contexts []struct{ Context string } }
	f.call("browsingContext.getTree", `{}`, &tree)
	f.page = tree.Contexts[0].Context
	return f
}

func (f *fox) listen() {
	for {
		var m answered
		if err := wsjson.Read(context.Background(), f.conn, &m); err != nil {
			close(f.answers)
			return
		}
		switch {
		case m.Method == "":
			f.answers <- m
		case m.Params.Level == "error" || m.Params.Level == "warn":
			f.mu.Lock()
			f.errors = append(f.errors, m.Params.Text)
			f.mu.Unlock()
		}
	}
}

// call gives a command and reads its result. params are JSON.
func (f *fox) call(method, params string, into any) {
	f.t.Helper()
	require.Empty(f.t, f.tried(method, params, into), "%s %s", method, params)
}

// tried is call, and returns what Firefox refused it with.
func (f *fox) tried(method, params string, into any) string {
	f.t.Helper()
	f.last++
	require.NoError(f.t, wsjson.Write(f.t.Context(), f.conn, map[string]any{"id": f.last, "method": method, "params": json.RawMessage(params)}))
	select {
	case m, ok := <-f.answers:
		require.True(f.t, ok, "Firefox has ended")
		require.Equal(f.t, f.last, m.ID)
		if m.Type == "error" {
			return m.Message
		}
		if into != nil {
			require.NoError(f.t, json.Unmarshal(m.Result, into))
		}
		return ""
	case <-time.After(stepTime):
		require.Fail(f.t, "no answer", "%s %s", method, params)
		return ""
	}
}

// visit opens a path and waits until its records are shown.
func (f *fox) visit(path string) {
	f.t.Helper()
	f.call("browsingContext.navigate", `{"context": `+quoted(f.page)+`, "url": `+quoted(f.root+path)+`, "wait": "complete"}`, nil)
	f.until(settledPage)
}

// width sets that of the window.
func (f *fox) width(pixels int) {
	f.t.Helper()
	size, err := json.Marshal(map[string]int{"width": pixels, "height": 900})
	require.NoError(f.t, err)
	f.call("browsingContext.setViewport", `{"context": `+quoted(f.page)+`, "viewport": `+string(size)+`}`, nil)
}

// types presses keys, one after the other.
func (f *fox) types(keys string) {
	f.t.Helper()
	var actions []map[string]string
	for _, key := range keys {
		actions = append(actions, map[string]string{"type": "keyDown", "value": string(key)}, map[string]string{"type": "keyUp", "value": string(key)})
	}
	all, err := json.Marshal(actions)
	require.NoError(f.t, err)
	f.call("input.performActions", `{"context": `+quoted(f.page)+`, "actions": [{"type": "key", "id": "keyboard", "actions": `+string(all)+`}]}`, nil)
}

// text gives the value of an expression as text. Empty: it fails, as in a document that is being left.
func (f *fox) text(expression string) string {
	f.t.Helper()
	var got struct {
		Result struct{ Value string }
	}
	f.tried("script.evaluate", `{"expression": `+quoted("String("+expression+")")+`, "target": {"context": `+quoted(f.page)+`}, "awaitPromise": true}`, &got)
	return got.Result.Value
}

// until waits for an expression to be true, across documents.
func (f *fox) until(expression string) {
	f.t.Helper()
	tick, late := time.NewTicker(30*time.Millisecond), time.After(stepTime)
	defer tick.Stop()
	for f.text("!!("+expression+")") != "true" {
		select {
		case <-tick.C:
		case <-late:
			require.Fail(f.t, "not so", "%s\nat %s: %s\n%v", expression, f.text("location.href"), f.text("document.body.innerText"), f.problems())
		}
	}
}

// problems are what the browser has complained of since the last call.
func (f *fox) problems() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.errors
	f.errors = nil
	return all
}
