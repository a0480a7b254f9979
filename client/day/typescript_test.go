package day

import (
	"bytes"
	"context"
	"net"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// repository is the root of this one, as a test of this package sees it.
const repository = "../.."

// offline is what npm prints when it cannot reach the registry.
var offline = regexp.MustCompile(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH`)

// typeScriptDay installs the package in a directory of its own, compares the generated types with openapi.yaml, and runs
// the package's tests, of which one is the day's work.
func typeScriptDay(t *testing.T, o *office) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	dir := install(ctx, t, filepath.Join(root, "clients/typescript"))
	npm(ctx, t, dir, nil, "exec", "--", "openapi-typescript", filepath.Join(root, "rest/openapi.yaml"), "-o", "generated.ts")
	want, err := os.ReadFile(filepath.Join(dir, "generated.ts"))
	require.NoError(t, err)
	have, err := os.ReadFile(filepath.Join(dir, "src/openapi.ts"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, have), "src/openapi.ts is not up to date: npm ci && npm run generate in clients/typescript")

	npm(ctx, t, dir, []string{"ROLLCALL_VECTORS=" + filepath.Join(root, "docs/vectors.json")}, "test")

	account, key := o.account("typist")
	port := freePort(t)
	hook := o.receive(httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: "127.0.0.1:" + port}))
	cmd := exec.CommandContext(ctx, "node", "--test", "test/day.test.mjs")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ROLLCALL_BASE_URL="+o.base, "ROLLCALL_KEY="+key, "ROLLCALL_DESK="+o.desk(account), "ROLLCALL_HOOK="+hook, "ROLLCALL_HOOK_PORT="+port)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "pass 1")
	require.NotContains(t, string(out), "# SKIP")
}

// install copies the package and installs what its lock file pins. Without npm or its registry the test skips.
func install(ctx context.Context, t *testing.T, from string) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs npm to test clients/typescript")
		t.Skip("npm is not installed: .ci/run tests clients/typescript")
	}
	dir = t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "tsconfig.json"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		require.NoError(t, err)
		require.NotContains(t, string(text), `"resolved"`, "a lock file names no registry")
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	for _, name := range []string{"src", "test"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(from, name))))
	}
	npm(ctx, t, dir, nil, "ci", "--no-audit", "--no-fund", "--prefer-offline")
	return dir
}

// npm runs npm in a directory.
func npm(ctx context.Context, t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil && os.Getenv("CI") == "" && offline.Match(out) {
		t.Skip("npm's registry cannot be reached: .ci/run tests clients/typescript")
	}
	require.NoError(t, err, "npm %v\n%s", args, out)
}

// freePort returns a port of this machine that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port
}
