package cmdtest

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/models/store"
)

// Serve serves over the terminal's database, without jobs, in the process of the test. root is the address of
// the service. door is the path where an operator of a new account comes in, who is its owner. set changes the
// settings of the service.
func (x *Terminal) Serve(name string, set ...func(*service.Config)) (root, door string) {
	t := x.T
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	root = "http://localhost:" + port
	store, err := store.Open(t.Context(), x.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	c := service.Config{BaseURL: root + "/v1", DataDir: x.Data, DatabaseURL: x.URL}
	for _, change := range set {
		change(&c)
	}
	app := &service.App{Config: c, Stdout: io.Discard, Stderr: io.Discard, Log: service.NewLogger(cmp.Or[io.Writer](x.Log, io.Discard), slog.LevelDebug)}
	app.Invented = x.Invented
	api, err := service.NewAPI(t.Context(), app, store)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, api.Close(context.WithoutCancel(t.Context()))) })
	x.API, server.Config.Handler = api, api.Handler
	server.Start()
	t.Cleanup(server.Close)

	account := x.text(x.Fields("account", "create", "--name", name, "--email", "desk@example.org", "--plan", "enterprise", "--json"), "id")
	return root, x.Invited(account, "ada@example.org", "--operator")
}

// Ask returns the status and the JSON of the response that an address of /v1 has for a key.
func Ask(t *testing.T, url, key string) (status int, body map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &body), "%s", b)
	return resp.StatusCode, body
}
