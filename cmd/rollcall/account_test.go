package main

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/cmdtest"
	"rollcall/models"
	"rollcall/models/store"
)

// terminal runs commands in the process of the tests.
type terminal struct{ *cmdtest.Terminal }

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	return &terminal{cmdtest.New(t, inProcess)}
}

// terminalOn is a terminal on a database that exists, or that no command needs.
func terminalOn(t *testing.T, url string) *terminal {
	t.Helper()
	return &terminal{cmdtest.On(t, inProcess, url)}
}

// inProcess is the program of this package, without a process.
func inProcess(ctx context.Context, args []string, stdout, stderr io.Writer, env cmdtest.Variables) int {
	return run(ctx, args, stdout, stderr, env.Get)
}

// account makes an account and gives its id.
func (x *terminal) account(plan string) string {
	x.T.Helper()
	id, isText := x.Fields("account", "create", "--name", "News Desk", "--email", plan+"@example.org", "--plan", plan, "--json")["id"].(string)
	require.True(x.T, isText)
	return id
}

func TestAccountCommands(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	require.Empty(t, x.Items("account", "list", "--json"))

	made := x.Fields("account", "create", "--name", "News Desk", "--email", "desk@example.org", "--plan", "Enterprise", "--json")
	require.NotEmpty(t, made["id"])
	require.Equal(t, []any{"News Desk", "desk@example.org", "enterprise", float64(models.DefaultRateLimit)},
		[]any{made["name"], made["email"], made["plan"], made["rate_limit"]})
	id, isText := made["id"].(string)
	require.True(t, isText)
	require.Contains(t, x.OK("account", "create", "--name", "Clinic", "--email", "clinic@example.org", "--plan", "free", "--rate-limit", "0"), "unlimited")

	suspended := x.Fields("account", "suspend", id, "--reason", "unpaid", "--json")
	require.Equal(t, "unpaid", suspended["suspended_reason"])
	require.Contains(t, x.OK("account", "list"), "enterprise, suspended")
	require.Contains(t, x.OK("account", "resume", id), "Resumed account "+id+": its alerts see")
	small := x.Items("account", "list", "--json")[1]["id"] // the older one first
	free, isText := small.(string)
	require.True(t, isText)
	require.NotEqual(t, id, free)
	x.OK("account", "suspend", free, "--reason", "unpaid")
	require.Equal(t, "Resumed account "+free+": its users can sign in. Plan free has no alerts.\n", x.OK("account", "resume", free))

	changed := x.Fields("account", "set", id, "--rate-limit", "0", "--json")
	require.Equal(t, []any{"News Desk", "enterprise", 0.0}, []any{changed["name"], changed["plan"], changed["rate_limit"]}, "what is not given stays")
	x.OK("account", "set", id, "--plan", "pro", "--name", "Late Desk", "--email", "late@example.org")
	listed := x.Items("account", "list", "--json")
	require.Len(t, listed, 2)
	require.Equal(t, []any{"Late Desk", "late@example.org", "pro", 0.0},
		[]any{listed[0]["name"], listed[0]["email"], listed[0]["plan"], listed[0]["rate_limit"]})
	require.Contains(t, x.OK("account", "list"), "late@example.org")
}

func TestKeyCommands(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	require.Empty(t, x.Items("key", "list", "--json"))

	made := x.Fields("key", "create", "--account", account, "--label", "production", "--expires", "90d", "--json")
	require.Len(t, made, 2)
	text, isText := made["key"].(string)
	require.True(t, isText)
	key, wellFormed := auth.ParseKey(text)
	require.True(t, wellFormed)
	id, isText := made["id"].(string)
	require.True(t, isText)

	store, err := store.Open(t.Context(), x.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	caller, err := auth.NewKeyring(store, time.Now).Lookup(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, account, caller.Account.ID)

	listed := x.Items("key", "list", "--account", account, "--json")
	require.Len(t, listed, 1)
	require.Equal(t, []any{id, account, "production", text[:12], nil, nil},
		[]any{listed[0]["id"], listed[0]["account_id"], listed[0]["label"], listed[0]["prefix"], listed[0]["last_used"], listed[0]["revoked_at"]})
	require.NotNil(t, listed[0]["expires_at"])
	require.NotContains(t, x.OK("key", "list"), text)

	x.OK("key", "revoke", id, "--after", "1h")
	_, err = auth.NewKeyring(store, time.Now).Lookup(t.Context(), key)
	require.NoError(t, err, "an overlap")
	require.NotEmpty(t, x.Fields("key", "revoke", id, "--json")["revoked_at"])
	_, err = auth.NewKeyring(store, time.Now).Lookup(t.Context(), key)
	require.Equal(t, models.CodeUnauthorized, models.CodeOf(err))
}

func TestKeysOfAMakerAreListedAndRevokedTogether(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	account := x.account("enterprise")
	store, err := store.Open(t.Context(), x.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	for i, by := range []string{"Ann@example.org", "ann@example.org", "bob@example.org"} {
		require.NoError(t, store.CreateKey(t.Context(), &models.APIKey{AccountID: account, Label: by, Prefix: "rc_live_abcd", SHA256: auth.HashToken(by), CreatedBy: by}), i)
	}
	x.OK("key", "create", "--account", account, "--label", "cron")
	labels := func(more ...string) (all []any) {
		t.Helper()
		for _, k := range x.Items(append([]string{"key", "list", "--account", account, "--json"}, more...)...) {
			if k["revoked_at"] == nil {
				all = append(all, k["created_by"])
			}
		}
		return all
	}
	require.ElementsMatch(t, []any{"command line", "Ann@example.org", "ann@example.org", "bob@example.org"}, labels())
	require.ElementsMatch(t, []any{"Ann@example.org", "ann@example.org"}, labels("--made-by", "ANN@example.org"))
	require.Contains(t, x.OK("key", "list"), "bob@example.org")

	require.Contains(t, x.OK("key", "revoke", "--account", account, "--made-by", "ann@example.org"), "2 keys that ann@example.org made ended.")
	require.ElementsMatch(t, []any{"command line", "bob@example.org"}, labels())
	require.Empty(t, x.Items("key", "revoke", "--account", account, "--made-by", "ann@example.org", "--json"), "none is in use")
	require.Len(t, x.Items("key", "revoke", "--account", account, "--made-by", "bob@example.org", "--json"), 1)
}

func TestAKeyOfAPlanWithoutAPIAccessIsMadeWithAWarning(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	out := x.OK("key", "create", "--account", x.account("free"), "--label", "trial")
	require.Contains(t, x.Stderr, "403")
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
		"revoking no key":               {[]string{"key", "revoke"}, "give the id of a key"},
		"revoking keys of nobody":       {[]string{"key", "revoke", "--account", account}, "give the id of a key"},
		"revoking a key and others":     {[]string{"key", "revoke", "key_x", "--account", account, "--made-by", "a@example.org"}, "give the id of a key"},
		"revoking of no account":        {[]string{"key", "revoke", "--account", "acct_x", "--made-by", "a@example.org"}, "account list"},
		"no subcommand":                 {[]string{"key"}, "create"},
	} {
		code, out := x.Run(c.args...)
		require.NotZero(t, code, name)
		require.Empty(t, out, name)
		require.Contains(t, x.Stderr, c.says, name)
	}
	require.Empty(t, x.Items("key", "list", "--json"), "nothing was made by mistake")
}
