package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// No spelling of an address, no method and no header lets a request past the check of its key (decision 22).
func TestNoRequestPassesTheCheckOfItsKey(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	now := time.Now()
	x.OK("ingest", "--source", "common-csv", "--file", cmdtest.Snapshot(t, t.TempDir(), []string{"MOONSAIL, WREN"}, now.Add(-time.Hour), now.Add(-time.Minute), 1000))
	root, _ := x.Serve("Desk")
	account := x.FirstAccount()
	key, isText := x.Fields("key", "create", "--account", account, "--label", "tests", "--json")["key"].(string)
	require.True(t, isText)
	address := strings.TrimPrefix(root, "http://")
	// ask sends a request as it is written, and returns its status and body.
	ask := func(method, target string, headers ...string) (int, string) {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		defer func() { _ = c.Close() }()
		_, err = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n", method, target, address, strings.Join(append(headers, ""), "\r\n"))
		require.NoError(t, err)
		resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method}) //nolint:exhaustruct // it says whether there is a body
		require.NoError(t, err, "%s %q", method, target)
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(body)
	}
	status, body := ask(http.MethodGet, "/v1/roster", "Authorization: Bearer "+key)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "MOONSAIL")

	closed := func(method, target string, headers ...string) {
		t.Helper()
		status, body := ask(method, target, headers...)
		require.NotContains(t, body, "MOONSAIL", "%s %q %v", method, target, headers)
		if method == http.MethodOptions || method == "CONNECT" {
			return // it holds nothing
		}
		require.GreaterOrEqual(t, status, http.StatusMultipleChoices, "%s %q %v", method, target, headers)
	}
	for _, target := range []string{
		"/v1/roster", "/v1/roster/", "/v1//roster", "//v1/roster", "/./v1/roster", "/v1/./roster", "/v1/../v1/roster", "/docs/../v1/roster", "/static/../v1/roster", "/feeds/x/../../v1/roster",
		"/openapi.json/../v1/roster", "/%76%31/roster", "/v1/%72oster", "/v1%2froster", "/v1/roster%2f", "/v1/roster%00", "/v1/roster%20", "/v1/roster;x=1", "/v1/roster?key=" + key,
		"/v1/roster?access_token=" + key, "/v1/roster?Authorization=Bearer%20" + key, "/V1/ROSTER", "/v1/roster#/docs", `/v1\roster`, "/livez/../v1/roster", "/v1/courts", "/v1/none", root + "/v1/roster",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodTrace, "GETS", "get"} {
			closed(method, target)
		}
		closed(http.MethodPost, target, "X-HTTP-Method-Override: GET", "Content-Length: 0")
	}
	for _, headers := range [][]string{
		{"Authorization: " + key},
		{"Authorization: Basic " + key},
		{"Authorization: Bearer"},
		{"Authorization: Bearer " + key[:len(key)-1]},
		{"Authorization: Bearer " + strings.ToUpper(key)},
		{"Authorization: Bearer " + key, "Authorization: Bearer " + key},
		{"Authorization: Bearer " + key + ", Bearer " + key},
		{"Authorization: Bearer x", "Authorization: Bearer " + key},
		{"authorization: Bearer x", "AUTHORIZATION: Bearer " + key},
		{"Proxy-Authorization: Bearer " + key},
		{"X-Api-Key: " + key},
		{"X-Authorization: Bearer " + key},
		{"Cookie: Authorization=Bearer " + key},
		{"Cookie: rollcall_session=" + key},
		{"X-Forwarded-Authorization: Bearer " + key},
		{"Authorization: Bearer \"" + key + "\""},
		{"X-Original-URL: /docs"},
		{"X-Rewrite-URL: /livez"},
		{"X-Forwarded-For: 127.0.0.1"},
	} {
		for _, target := range []string{"/v1/roster", "/v1/courts", "/v1/usage", "/v1/none", "/graphql?query=%7Broster%7Brecords%7Bname%7D%7D%7D", "/feeds/x/events.atom"} {
			closed(http.MethodGet, target, headers...)
		}
	}
	x.OK("account", "set", account, "--plan", "free")
	for _, target := range []string{"/v1/roster", "/v1/usage", "/v1/none", "/graphql?query=%7Broster%7Brecords%7Bname%7D%7D%7D"} {
		require.Eventually(t, func() bool {
			status, _ := ask(http.MethodGet, target, "Authorization: Bearer "+key)
			return status == http.StatusForbidden
		}, time.Minute, 50*time.Millisecond, target)
	}
}
