package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/htmltest"
)

const readerPassword = "river lamp orange desk"

// reader is somebody's browser, without a screen: it keeps cookies and follows no redirect.
type reader struct {
	t      *testing.T
	root   string
	client *http.Client
}

// joined gives a reader who followed an invitation, chose a password and is signed in by it.
func joined(t *testing.T, root, door string) *reader {
	t.Helper()
	r := stranger(t, root)
	resp := r.submit(door, "password", readerPassword, "again", readerPassword)
	require.Equal(t, http.StatusSeeOther, resp.StatusCode)
	return r
}

// signed gives another browser in which somebody signed in.
func signed(t *testing.T, root, email string) *reader {
	t.Helper()
	r := stranger(t, root)
	resp := r.submit("/sign-in", "email", email, "password", readerPassword)
	require.Equal(t, http.StatusSeeOther, resp.StatusCode)
	return r
}

// stranger gives a reader whom nobody knows.
func stranger(t *testing.T, root string) *reader {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(client.CloseIdleConnections)
	return &reader{t: t, root: root, client: client}
}

// send makes a request with headers, in pairs of name and value, and gives the answer unread.
func (r *reader) send(method, path, body string, headers ...string) *http.Response {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.root+path, strings.NewReader(body))
	require.NoError(r.t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := r.client.Do(req)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// submit sends a form, as a page of the service does.
func (r *reader) submit(path string, fields ...string) *http.Response {
	r.t.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return r.send(http.MethodPost, path, values.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", r.root, "Sec-Fetch-Site", "same-origin")
}

// ask sends a GraphQL document as a page of the service does, with more headers, and gives the answer unread.
func (r *reader) ask(document string, headers ...string) *http.Response {
	r.t.Helper()
	body, err := json.Marshal(map[string]string{"query": document})
	require.NoError(r.t, err)
	return r.send(http.MethodPost, "/graphql", string(body), append([]string{"Content-Type", "application/json"}, headers...)...)
}

// answered asks and reads what has to be a whole answer, of the status 200.
func (r *reader) answered(document string, headers ...string) string {
	r.t.Helper()
	resp := r.ask(document, headers...)
	text := all(r.t, resp)
	require.Equal(r.t, http.StatusOK, resp.StatusCode, text)
	return text
}

// all reads an answer to its end.
func all(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return htmltest.Joined(string(b))
	}
	return string(b)
}
