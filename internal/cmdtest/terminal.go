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

// Terminal runs commands on a database of its own, as a user would.
type Terminal struct {
	T       *testing.T
	Program Program
	URL     string // of the database
	Data    string // the directory ROLLCALL_DATA_DIR

	Stderr string       // of the last command
	API    *service.API // that Serve made
	Log    io.Writer    // of the service, at debug; nil: nowhere
}

// New returns a terminal on an empty database.
func New(t *testing.T, run Program) *Terminal {
	t.Helper()
	return On(t, run, testdb.New(t).URL)
}

// On returns a terminal on the database at url.
func On(t *testing.T, run Program, url string) *Terminal {
	t.Helper()
	return &Terminal{T: t, Program: run, URL: url, Data: t.TempDir()}
}

// Run returns the exit code and the standard output of a command.
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

// Fields runs a command that has to succeed and returns the JSON object that it prints.
func (x *Terminal) Fields(args ...string) map[string]any {
	x.T.Helper()
	var v map[string]any
	require.NoError(x.T, json.Unmarshal([]byte(x.OK(args...)), &v))
	return v
}

// Items is Fields for a list.
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

// Invited returns the path of an invitation to an account. more are further arguments of the command, such as a role.
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

func (x *Terminal) text(object map[string]any, member string) string {
	x.T.Helper()
	text, ok := object[member].(string)
	require.True(x.T, ok, "%v", object)
	return text
}
