package havoc

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/testdb"
)

func TestMain(m *testing.M) { cmdtest.Main(m) }

// attack is a service with a few records, and what random requests to it are made of.
type attack struct {
	*rand.Rand
	t         *testing.T
	root, key string
	// texts are values that something is known by, and values that trouble parsers.
	texts []string
	// until ends the run.
	until, begun time.Time
	requests     int
	slowest      time.Duration
	// other is who asks meanwhile; leave ends that.
	other *beside
	leave context.CancelFunc
}

// begin starts a service with an account without a limit.
func begin(t *testing.T) *attack {
	t.Helper()
	env := cmdtest.Variables{
		"ROLLCALL_DATABASE_URL": testdb.New(t).URL, "ROLLCALL_DATA_DIR": t.TempDir(), "ROLLCALL_ADDR": "127.0.0.1:0", "ROLLCALL_METRICS_ADDR": "off", "ROLLCALL_LOG_LEVEL": "info",
	}
	p := cmdtest.Start(t, cmdtest.Built(t), env, "serve")
	t.Cleanup(func() { p.Interrupt(); <-p.Ended })
	said := p.Stderr.Await(t, "serving", p.Ended)
	address := regexp.MustCompile(`"address":"([^"]+)"|address=(\S+)`).FindStringSubmatch(said)
	require.NotNil(t, address, said)
	command := func(args ...string) (out map[string]any) {
		t.Helper()
		text, errOut := cmdtest.NewOutput(), cmdtest.NewOutput()
		require.Equal(t, 0, cmdtest.Built(t)(t.Context(), args, text, errOut, env), "%v\n%s", args, errOut)
		_ = json.Unmarshal([]byte(text.String()), &out)
		return out
	}
	now := time.Now()
	command("ingest", "--source", "common-csv", "--file", cmdtest.Snapshot(t, t.TempDir(), []string{"MOONSAIL, WREN", "QUILLFEATHER, ORLA", "FENWICKE, HORATIO"}, now.Add(-time.Hour), now.Add(-time.Minute), 1000))
	customer := func(name string) (key string) {
		account, isText := command("account", "create", "--name", name, "--email", name+"@example.org", "--plan", "enterprise", "--json")["id"].(string)
		require.True(t, isText)
		command("account", "set", account, "--rate-limit", "0")
		key, isText = command("key", "create", "--account", account, "--label", name, "--json")["key"].(string)
		require.True(t, isText)
		return key
	}
	key, beside, root := customer("havoc"), &beside{}, "http://"+address[1]+address[2]
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	go beside.watch(ctx, root, customer("beside"))

	seed, err := strconv.ParseUint(os.Getenv("ROLLCALL_HAVOC_SEED"), 10, 64)
	if err != nil {
		seed = rand.Uint64()
	}
	t.Logf("ROLLCALL_HAVOC_SEED=%d", seed)
	long, err := time.ParseDuration(os.Getenv("ROLLCALL_HAVOC"))
	if err != nil {
		long = time.Second
	}
	year := strconv.Itoa(now.Year())
	return &attack{
		Rand: rand.New(rand.NewPCG(seed, 0)), t: t, root: root, key: key, other: beside, leave: leave, begun: time.Now(), until: time.Now().Add(long),
		texts: []string{
			"clarke-" + year + "-000001", "clarke", "fulton", "Moonsail Wren", "moonsail", "26-CR/1", "1000412", "case-clarke-1", "gdc-1000412", "2026-02-29", year + "-01-01", year + "-01-01T00:00:00Z",
			"booked", "state", "offender", "strict", "booking", "", " ", "%", "\x00", "\ufffd", "é́", strings.Repeat("a ", 40), strings.Repeat("x", 301), "-1", "9223372036854775808", "1e400", "null", `"`, "'; --", "../..", "https://192.0.2.1/x", "a@example.org",
		},
	}
}

// more reports whether the run goes on.
func (a *attack) more() bool { return time.Now().Before(a.until) }

// oneOf returns one of some values.
func oneOf[T any](a *attack, list ...T) T { return list[a.IntN(len(list))] }

// send sends a request and returns the answer, which is no 5xx.
func (a *attack) send(method, path, body string, header http.Header) (*http.Request, *http.Response, []byte) {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), method, a.root+path, strings.NewReader(body))
	if err != nil {
		return nil, nil, nil // no client sends this
	}
	req.Header = header
	req.Header.Set("Authorization", "Bearer "+a.key)
	at := time.Now()
	res, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(req)
	require.NoError(a.t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(a.t, err)
	require.NoError(a.t, res.Body.Close())
	a.requests++
	a.slowest = max(a.slowest, time.Since(at))
	require.Less(a.t, res.StatusCode, http.StatusInternalServerError, "%s %s\n%s\n%s", method, path, body, text)
	require.False(a.t, bytes.Contains(text, []byte(`"code":"INTERNAL"`)), "%s\n%s", body, text)
	return req, res, text
}

// ends prints what was done, and asserts the slowest answer where that is asked for.
func (a *attack) ends() {
	a.t.Helper()
	a.t.Logf("%d requests in %s, the slowest answer took %s", a.requests, time.Since(a.begun).Round(time.Second), a.slowest.Round(time.Millisecond))
	a.leave()
	most, err := time.ParseDuration(os.Getenv("ROLLCALL_HAVOC_SLOWEST"))
	a.other.ends(a, err == nil)
	if err == nil {
		require.LessOrEqual(a.t, a.slowest, most)
	}
}

// keys returns the keys of a map in one order, so that a seed repeats a run.
func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
