package graph_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// auditScript runs the audits of the GraphQL-over-HTTP specification and prints their outcome as JSON.
const auditScript = `
import { serverAudits } from "graphql-http";
const results = await Promise.all(serverAudits({ url: process.argv[2], fetchFn: fetch }).map((audit) => audit.fn()));
console.log(JSON.stringify(results.map(({ name, status, reason }) => ({ name, status, reason }))));
`

// TestAudits runs the server audits of the npm package graphql-http: every MUST and every SHOULD has to pass.
func TestAudits(t *testing.T) {
	t.Parallel()
	dir := npmFolder(t, "graphql-http@1.23.1", "graphql@16.11.0")
	script := filepath.Join(dir, "audit.mjs")
	require.NoError(t, os.WriteFile(script, []byte(auditScript), 0o600))
	b := setup(t, nil)
	out, err := exec.CommandContext(t.Context(), "node", script, b.url).Output()
	require.NoError(t, err, string(out))

	var results []struct{ Name, Status, Reason string }
	require.NoError(t, json.Unmarshal(out, &results))
	ran := map[string]int{}
	for _, r := range results {
		level, _, _ := strings.Cut(r.Name, " ")
		ran[level]++
		if level == "MUST" || level == "SHOULD" {
			require.Equal(t, "ok", r.Status, "%s: %s", r.Name, r.Reason)
		} else if r.Status != "ok" {
			t.Logf("%s: %s", r.Name, r.Reason)
		}
	}
	require.Equal(t, 13, ran["MUST"])
	require.Equal(t, 23, ran["SHOULD"])
}

// npmFolder gives a temporary folder with packages installed; CI has to have node, npm and a way to the packages.
func npmFolder(t *testing.T, packages ...string) string {
	t.Helper()
	missing := func(err error, what string) {
		if err == nil {
			return
		}
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "CI needs %s", what)
		}
		t.Skipf("not audited: %s: %v", what, err)
	}
	for _, tool := range []string{"node", "npm"} {
		_, err := exec.LookPath(tool)
		missing(err, tool)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	args := append([]string{"install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"}, packages...)
	install := exec.CommandContext(ctx, "npm", args...)
	install.Dir = dir
	_, err := install.Output()
	missing(err, "npm install of "+strings.Join(packages, " "))
	return dir
}
