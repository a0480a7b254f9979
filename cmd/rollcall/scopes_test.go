package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// scopeDoors are one address of each subject, and the scope that opens it.
var scopeDoors = []struct{ scope, path, field string }{
	{"read", "/roster", "{ roster { total } }"},
	{"read", "/courts", "{ courts { total } }"},
	{"read", "/corrections", "{ corrections { total } }"},
	{"read", "/counties", "{ counties { slug } }"},
	{"read", "/sources", "{ sources { id } }"},
	{"read", "/usage", "{ usage { limit } }"},
	{"alerts", "/alerts", "{ alerts { total } }"},
	{"alerts", "", "{ alertEvents { id } }"},
	{"alerts", "", "{ eventCursor }"},
	{"alerts", "", "{ hits { hits { id } } }"},
	{"alerts", "", `mutation { markHit(hitId: "none", read: true) { id } }`},
	{"alerts", "", `mutation { assignHit(hitId: "none") { id } }`},
	{"alerts", "", `mutation { createAlert(input: {name: "Tess Marlowe"}) { id } }`},
	{"alerts", "", `mutation { importAlerts(csv: "name\nTess Marlowe\n") { created } }`},
	{"alerts", "", `mutation { changeAlerts(label: "none", input: {paused: true}) }`},
	{"alerts", "", `mutation { deleteAlerts(label: "none") }`},
	{"alerts", "/alerts?label=desk", "{ alertLabels { label } }"},
	{"webhooks", "/webhooks", "{ webhooks { id } }"},
	{"webhooks", "", "{ deliveries { deliveries { id } } }"},
	{"webhooks", "", "{ backlog { delayed } }"},
	{"admin", "", `mutation { createCalendarFeed(caseId: "case-none") { url } }`},
}

func TestAKeyOpensItsScopesAlone(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, _ := x.Serve("Desk")
	account := x.FirstAccount()
	x.OK("account", "set", account, "--rate-limit", "0")
	for scopes, opened := range map[string]string{
		"": "read alerts webhooks admin", "read": "read", "alerts": "read alerts", "Webhooks": "read webhooks", "alerts,admin": "read alerts admin",
	} {
		args := []string{"key", "create", "--account", account, "--label", "of " + scopes, "--json"}
		if scopes != "" {
			args = append(args, "--scope", scopes)
		}
		key, _ := x.Fields(args...)["key"].(string)
		for _, door := range scopeDoors {
			want := strings.Contains(opened, door.scope)
			if door.path != "" {
				status, body := cmdtest.Ask(t, root+"/v1"+door.path, key)
				require.Equal(t, want, status == http.StatusOK, "%s of %q: %v", door.path, scopes, body)
				if !want {
					require.Equal(t, http.StatusForbidden, status)
					require.Equal(t, "forbidden", body["error"])
					require.Contains(t, body["message"], "use a key with the scope "+door.scope)
				}
			}
			said := askGraphQL(t, root, key, door.field)
			require.NotContains(t, said, "GRAPHQL_VALIDATION_FAILED")
			refused := strings.Contains(said, "use a key with the scope "+door.scope)
			require.Equal(t, want, !refused, "%s of %q", door.field, scopes)
		}
	}
	t.Log("a key without the scope is told so before what else is wrong (DECISIONS)")
	for scope, mayNot := range map[string]bool{"read": true, "alerts,webhooks": false} {
		key, _ := x.Fields("key", "create", "--account", account, "--label", "order", "--scope", scope, "--json")["key"].(string)
		for _, path := range []string{"/alerts?limit=many", "/alerts/none/none", "/hits/none/feedback", "/webhooks/none/none", "/deliveries/none/redeliver"} {
			status, body := cmdtest.Ask(t, root+"/v1"+path, key)
			require.Equal(t, mayNot, status == http.StatusForbidden, "%s: %v", path, body)
			require.GreaterOrEqual(t, status, 400)
		}
	}
	listed := x.OK("key", "list")
	require.Contains(t, listed, "everything")
	require.Contains(t, listed, "read, alerts, admin")
	code, _ := x.Run("key", "create", "--account", account, "--label", "wrong", "--scope", "write")
	require.NotZero(t, code)
	require.Contains(t, x.Stderr, "read, alerts, webhooks or admin")
	code, _ = x.Run("key", "create", "--account", account, "--label", "of a variable that is not set", "--scope", "")
	require.NotZero(t, code)
	require.Contains(t, x.Stderr, "scope")
	require.NotContains(t, x.OK("key", "list"), "variable")
}

// What a wide key was told once is not told to a narrow one that repeats the request.
func TestAKeptAnswerIsNotToldToANarrowerKey(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, _ := x.Serve("Desk")
	account := x.FirstAccount()
	post := func(scopes ...string) (status int, body string) {
		args := []string{"key", "create", "--account", account, "--label", "k", "--json"}
		for _, s := range scopes {
			args = append(args, "--scope", s)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, root+"/v1/alerts", strings.NewReader(`{"name": "Wren Quillfeather"}`))
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+text(t, x.Fields(args...)["key"]))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "one")
		answer, err := http.DefaultClient.Do(r) //nolint:forbidigo // a client as anybody has it
		require.NoError(t, err)
		defer func() { _ = answer.Body.Close() }()
		b, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(b)
	}
	status, first := post()
	require.Equal(t, http.StatusCreated, status, first)
	status, again := post()
	require.Equal(t, http.StatusCreated, status)
	require.Equal(t, first, again, "another key that may do as much")
	for _, scope := range []string{"read", "webhooks"} {
		status, said := post(scope)
		require.NotEqual(t, http.StatusCreated, status)
		require.NotContains(t, said, "Quillfeather")
	}
}

func TestATestKeyOpensInventedRecordsAlone(t *testing.T) {
	t.Parallel()
	for _, invented := range []bool{false, true} {
		x := newTerminal(t)
		x.Invented = invented
		root, _ := x.Serve("Desk")
		key, _ := x.Fields("key", "create", "--account", x.FirstAccount(), "--label", "tests", "--test", "--json")["key"].(string)
		require.True(t, strings.HasPrefix(key, "rc_test_"))
		require.Contains(t, x.Stderr, "a test key works with rollcall demo alone")
		status, body := cmdtest.Ask(t, root+"/v1/roster", key)
		said := askGraphQL(t, root, key, "{ roster { total } }")
		if invented {
			require.Equal(t, http.StatusOK, status)
			require.Contains(t, said, `"total":0`)
			continue
		}
		require.Equal(t, http.StatusForbidden, status)
		require.Contains(t, body["message"], "use a live key")
		require.Contains(t, said, "use a live key")
	}
}

// askGraphQL returns the text of the answer to an operation.
func askGraphQL(t *testing.T, root, key, query string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, root+"/graphql", bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	return all(t, resp)
}
