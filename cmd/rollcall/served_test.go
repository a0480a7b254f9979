package main

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"net/url"

	"github.com/chromedp/chromedp"
	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/models/store"
)

// served is the service over the terminal's database, without jobs. door is where an operator of a new account comes in, who
// is its owner. set changes the service's settings.
func (x *terminal) served(name string, set ...func(*service.Config)) (root, door string) {
	t := x.t
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	root = "http://localhost:" + port
	store, err := store.Open(t.Context(), x.url, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	c := service.Config{BaseURL: root + "/v1", DataDir: x.data, DatabaseURL: x.url}
	for _, change := range set {
		change(&c)
	}
	api, err := service.NewAPI(t.Context(), &service.App{Config: c, Stdout: io.Discard, Stderr: io.Discard, Log: service.NewLogger(cmp.Or[io.Writer](x.log, io.Discard), slog.LevelDebug)}, store)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, api.Close(context.WithoutCancel(t.Context()))) })
	routes, isRouter := api.Handler.(chi.Routes)
	require.True(t, isRouter)
	x.routes, x.api = routes, api
	server.Config.Handler = api.Handler
	server.Start()
	t.Cleanup(server.Close)

	account, ok := x.fields("account", "create", "--name", name, "--email", "desk@example.org", "--plan", "enterprise", "--json")["id"].(string)
	require.True(t, ok)
	link, ok := x.fields("account", "invite", "--account", account, "--email", "ada@example.org", "--operator", "--json")["url"].(string)
	require.True(t, ok)
	u, err := url.Parse(link)
	require.NoError(t, err)
	return root, u.Path
}

// joins follows an invitation and chooses a password.
func (b *tab) joins(door string) {
	b.t.Helper()
	b.visit(door)
	b.do(chromedp.SendKeys(chromedp.CSS("#password"), "river lamp orange desk"), chromedp.SendKeys(chromedp.CSS("#again"), "river lamp orange desk"))
	b.submit("main button")
}
