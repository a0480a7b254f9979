package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/service"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// terminal runs commands on a database of its own, as a user would.
type terminal struct {
	t      *testing.T
	url    string
	data   string
	stderr string       // of the last command
	routes chi.Routes   // of the service, where one serves
	api    *service.API // of the service
	log    io.Writer    // of the service, at debug; nil: nowhere
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	return &terminal{t: t, url: testdb.New(t).URL, data: t.TempDir()}
}

// run gives the exit code and the standard output of a command.
func (x *terminal) run(args ...string) (code int, stdout string) {
	x.t.Helper()
	var out, errOut bytes.Buffer
	settings := map[string]string{"ROLLCALL_DATABASE_URL": x.url, "ROLLCALL_DATA_DIR": x.data}
	code = run(x.t.Context(), args, &out, &errOut, func(name string) string { return settings[name] })
	x.stderr = errOut.String()
	return code, out.String()
}

// ok runs a command that has to succeed.
func (x *terminal) ok(args ...string) string {
	x.t.Helper()
	code, out := x.run(args...)
	require.Zero(x.t, code, "%v: %s", args, x.stderr)
	return out
}

// fields runs a command that has to succeed and gives the JSON object that it prints.
func (x *terminal) fields(args ...string) map[string]any {
	x.t.Helper()
	var v map[string]any
	require.NoError(x.t, json.Unmarshal([]byte(x.ok(args...)), &v))
	return v
}

// items is fields for a list.
func (x *terminal) items(args ...string) []map[string]any {
	x.t.Helper()
	var v []map[string]any
	require.NoError(x.t, json.Unmarshal([]byte(x.ok(args...)), &v))
	require.NotNil(x.t, v, "a list is never null")
	return v
}

// account makes an account and gives its id.
func (x *terminal) account(plan string) string {
	x.t.Helper()
	id, isText := x.fields("account", "create", "--name", "News Desk", "--email", plan+"@example.org", "--plan", plan, "--json")["id"].(string)
	require.True(x.t, isText)
	return id
}

func TestAccountCommands(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	require.Empty(t, x.items("account", "list", "--json"))

	made := x.fields("account", "create", "--name", "News Desk", "--email", "desk@example.org", "--plan", "Enterprise", "--json")
	require.NotEmpty(t, made["id"])
	require.Equal(t, []any{"News Desk", "desk@example.org", "enterprise", float64(models.DefaultRateLimit)},
		[]any{made["name"], made["email"], made["plan"], made["rate_limit"]})
	id, isText := made["id"].(string)
	require.True(t, isText)
	require.Contains(t, x.ok("account", "create", "--name", "Clinic", "--email", "clinic@example.org", "--plan", "free", "--rate-limit", "0"), "unlimited")

	changed := x.fields("account", "set", id, "--rate-limit", "0", "--json")
	require.Equal(t, []any{"News Desk", "enterprise", 0.0}, []any{changed["name"], changed["plan"], changed["rate_limit"]}, "what is not given stays")
	x.ok("account", "set", id, "--plan", "pro", "--name", "Late Desk", "--email", "late@example.org")
	listed := x.items("account", "list", "--json")
	require.Len(t, listed, 2)
	require.Equal(t, []any{"Late Desk", "late@example.org", "pro", 0.0},
		[]any{listed[0]["name"], listed[0]["email"], listed[0]["plan"], listed[0]["rate_limit"]})
	require.Contains(t, x.ok("account", "list"), "late@example.org")
}

func TestKeyCommands(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	require.Empty(t, x.items("key", "list", "--json"))

	made := x.fields("key", "create", "--account", account, "--label", "production", "--expires", "90d", "--json")
	require.Len(t, made, 2)
	text, isText := made["key"].(string)
	require.True(t, isText)
	key, wellFormed := auth.ParseKey(text)
	require.True(t, wellFormed)
	id, isText := made["id"].(string)
	require.True(t, isText)

	store, err := store.Open(t.Context(), x.url, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	caller, err := auth.NewKeyring(store, time.Now).Lookup(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, account, caller.Account.ID)

	listed := x.items("key", "list", "--account", account, "--json")
	require.Len(t, listed, 1)
	require.Equal(t, []any{id, account, "production", text[:12], nil, nil},
		[]any{listed[0]["id"], listed[0]["account_id"], listed[0]["label"], listed[0]["prefix"], listed[0]["last_used"], listed[0]["revoked_at"]})
	require.NotNil(t, listed[0]["expires_at"])
	require.NotContains(t, x.ok("key", "list"), text)

	x.ok("key", "revoke", id, "--after", "1h")
	_, err = auth.NewKeyring(store, time.Now).Lookup(t.Context(), key)
	require.NoError(t, err, "an overlap")
	require.NotEmpty(t, x.fields("key", "revoke", id, "--json")["revoked_at"])
	_, err = auth.NewKeyring(store, time.Now).Lookup(t.Context(), key)
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(err))
}

func TestAKeyOfAPlanWithoutAPIAccessIsMadeWithAWarning(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	out := x.ok("key", "create", "--account", x.account("free"), "--label", "trial")
	require.Contains(t, x.stderr, "403")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	_, wellFormed := auth.ParseKey(lines[len(lines)-1])
	require.True(t, wellFormed)
}

func TestMistakesInCommandsAreToldAndExitUnsuccessfully(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"an unknown plan":               {[]string{"account", "create", "--name", "A", "--email", "a@example.org", "--plan", "gold"}, "free, pro, enterprise"},
		"no e-mail address":             {[]string{"account", "create", "--name", "A", "--email", "a", "--plan", "free"}, "email"},
		"an address that is taken":      {[]string{"account", "create", "--name", "A", "--email", "Enterprise@example.org", "--plan", "free"}, "exists"},
		"a negative limit":              {[]string{"account", "create", "--name", "A", "--email", "a@example.org", "--plan", "free", "--rate-limit=-1"}, "rate limit"},
		"a limit that is no number":     {[]string{"account", "set", account, "--rate-limit", "many"}, "rate-limit"},
		"nothing to change":             {[]string{"account", "set", account}, "nothing to change"},
		"an unknown account":            {[]string{"account", "set", "acct_x", "--plan", "pro"}, "account list"},
		"a key of an unknown account":   {[]string{"key", "create", "--account", "acct_x", "--label", "a"}, "account list"},
		"keys of an unknown account":    {[]string{"key", "list", "--account", "acct_x"}, "account list"},
		"a key without label":           {[]string{"key", "create", "--account", account}, "--label"},
		"an expiry that is no duration": {[]string{"key", "create", "--account", account, "--label", "a", "--expires", "soon"}, "90d"},
		"an expiry in the past":         {[]string{"key", "create", "--account", account, "--label", "a", "--expires=-1h"}, "90d"},
		"revoking an unknown key":       {[]string{"key", "revoke", "key_x"}, "key list"},
		"no subcommand":                 {[]string{"key"}, "create"},
	} {
		code, out := x.run(c.args...)
		require.NotZero(t, code, name)
		require.Empty(t, out, name)
		require.Contains(t, x.stderr, c.says, name)
	}
	require.Empty(t, x.items("key", "list", "--json"), "nothing was made by mistake")
}
