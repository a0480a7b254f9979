package cmdtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/internal/testdb"
)

// Terminal runs commands on a database of its own, as a user would. Every failure of a helper fails its test.
// It belongs to one test and is not safe for concurrent use, but several terminals may run in parallel.
type Terminal struct {
	// T is failed by the helpers. Program is what they run: in this process, or as one of its own (Built).
	T       *testing.T
	Program Program
	// URL is that of the database.
	URL string
	// Data is the directory ROLLCALL_DATA_DIR. It is removed after the test.
	Data string

	// Stderr is what the last command printed there.
	Stderr string
	// API is what Serve made; nil before.
	API *service.API
	// Invented makes Serve a service of invented records, as a demo is.
	Invented bool
	// Log takes the log of the service at debug; nil discards it.
	Log io.Writer
}

// New returns a terminal on an empty database.
func New(t *testing.T, run Program) *Terminal {
	t.Helper()
	return On(t, run, testdb.New(t).URL)
}

// On returns a terminal on the database at url, for tests in which several programs share one.
func On(t *testing.T, run Program, url string) *Terminal {
	t.Helper()
	return &Terminal{T: t, Program: run, URL: url, Data: t.TempDir()}
}

// Run returns the exit code and the standard output of a command. Any exit code is fine.
func (x *Terminal) Run(args ...string) (code int, stdout string) {
	x.T.Helper()
	var out, errOut bytes.Buffer
	code = x.Program(x.T.Context(), args, &out, &errOut, Variables{"ROLLCALL_DATABASE_URL": x.URL, "ROLLCALL_DATA_DIR": x.Data})
	x.Stderr = errOut.String()
	return code, out.String()
}

// OK runs a command that has to succeed, and returns its standard output.
func (x *Terminal) OK(args ...string) string {
	x.T.Helper()
	code, out := x.Run(args...)
	require.Zero(x.T, code, "%v: %s", args, x.Stderr)
	return out
}

// Fields runs a command that has to succeed and returns the JSON object that it prints. Numbers are float64.
func (x *Terminal) Fields(args ...string) map[string]any {
	x.T.Helper()
	var v map[string]any
	require.NoError(x.T, json.Unmarshal([]byte(x.OK(args...)), &v))
	return v
}

// Items is Fields for a list, which must not be null.
func (x *Terminal) Items(args ...string) []map[string]any {
	x.T.Helper()
	var v []map[string]any
	require.NoError(x.T, json.Unmarshal([]byte(x.OK(args...)), &v))
	require.NotNil(x.T, v, "a list is never null")
	return v
}

// FirstAccount returns the id of the account that was made first.
func (x *Terminal) FirstAccount() string {
	x.T.Helper()
	return x.text(x.Items("account", "list", "--json")[0], "id")
}

// Invited returns the path of an invitation to an account. more has further arguments of the command, such as a
// role. Only the path is returned: a test serves at another address than the command knows.
func (x *Terminal) Invited(account, email string, more ...string) string {
	x.T.Helper()
	return x.Link(append([]string{"account", "invite", "--account", account, "--email", email}, more...)...)
}

// Link returns the path of the address that a command makes.
func (x *Terminal) Link(args ...string) string {
	x.T.Helper()
	u, err := url.Parse(x.text(x.Fields(append(args, "--json")...), "url"))
	require.NoError(x.T, err)
	return u.Path
}

// text returns a member of an object that has to be a text.
func (x *Terminal) text(object map[string]any, member string) string {
	x.T.Helper()
	text, ok := object[member].(string)
	require.True(x.T, ok, "%v", object)
	return text
}
