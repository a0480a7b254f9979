package fetch_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/fetch"
)

// step returns a source of one request.
func step(address string) *fetch.Spec {
	return &fetch.Spec{Kind: "http", Pause: time.Millisecond, Settings: map[string]string{"token": "SEKRET-TOKEN-55"}, Steps: []fetch.Step{{URL: address, Keep: true}}}
}

// fetches fetches a source with a client of its own.
func fetches(t *testing.T, s *fetch.Spec) error {
	t.Helper()
	client, err := s.NewClient()
	require.NoError(t, err)
	_, err = s.Get(t.Context(), client, bounds, t.TempDir(), time.Now(), fetch.Caller{})
	return err
}

func TestAnErrorNamesTheHostAndNoSetting(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://127.0.0.1:9/{token}/list?key={token}", "http://127.0.0.1:9/%zz{token}", "http://127.0.0.1:9/{token}\x7f"} {
		err := fetches(t, step(address))
		require.Error(t, err)
		require.NotContains(t, err.Error(), "SEKRET", address)
	}
	require.ErrorContains(t, fetches(t, step("http://127.0.0.1:9/{token}")), "ask 127.0.0.1:9: ")
}

// The machine's own name leads to an address of its own, which is not public.
func TestANameThatLeadsInsideIsNotAsked(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	name, err := os.Hostname()
	require.NoError(t, err)
	if found, err := net.DefaultResolver.LookupIPAddr(t.Context(), name); err != nil || len(found) == 0 {
		t.Skip("this machine's name does not resolve")
	}
	inside := "http://" + net.JoinHostPort(name, u.Port())
	require.ErrorContains(t, fetches(t, step(inside)), "transport.private allows it")
	require.Zero(t, asked)
	open := step(inside)
	open.Private = true
	if err := fetches(t, open); err != nil { // the name may lead to another address than the server's
		require.NotContains(t, err.Error(), "transport.private")
	}
	asked = 0
	for _, host := range []string{"127.0.0.1", "localhost"} {
		require.NoError(t, fetches(t, step("http://"+net.JoinHostPort(host, u.Port()))))
	}
	require.Equal(t, 2, asked, "what the document writes itself is allowed")
}

func TestNoProxyOfTheEnvironmentIsAskedUnlessTheDocumentSaysSo(t *testing.T) {
	t.Parallel()
	s := step("https://jail.example.invalid/")
	client, err := s.NewClient()
	require.NoError(t, err)
	plain, ok := client.Transport.(*http.Transport)
	require.True(t, ok)
	require.Nil(t, plain.Proxy)
	s.Proxy = true
	client, err = s.NewClient()
	require.NoError(t, err)
	proxied, ok := client.Transport.(*http.Transport)
	require.True(t, ok)
	require.NotNil(t, proxied.Proxy)
}

func TestARedirectNeverLeavesTLS(t *testing.T) {
	t.Parallel()
	s := step("https://jail.example.invalid/")
	client, err := s.NewClient()
	require.NoError(t, err)
	from := httptest.NewRequest(http.MethodGet, "https://jail.example.invalid/", nil)
	to := httptest.NewRequest(http.MethodGet, "http://jail.example.invalid/", nil)
	require.ErrorContains(t, client.CheckRedirect(to, []*http.Request{from}), "not encrypted")
	require.NoError(t, client.CheckRedirect(from, []*http.Request{to}))
}

func TestAFileThatBecameALinkOrAPipeIsNotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	s := &fetch.Spec{Kind: "folder", Folder: dir, Pattern: "csv$"}
	drop, err := s.Drop(t.Context(), fetch.Keys{})
	require.NoError(t, err)
	t.Cleanup(drop.Close)
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "link.csv")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.csv"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file.csv"), []byte("a"), 0o600))
	for name, ok := range map[string]bool{"link.csv": false, "pipe.csv": false, "file.csv": true} {
		to := filepath.Join(t.TempDir(), "copy")
		_, err := drop.Copy(t.Context(), name, to, 100)
		require.Equal(t, ok, err == nil, "%s: %v", name, err)
		require.Equal(t, ok, exists(to), name)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
