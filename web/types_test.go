package web_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The modules have their types in comments, and TypeScript's compiler finds no mistake in them. It is the one that the client for
// TypeScript pins.
func TestModulesFitTheirTypes(t *testing.T) {
	t.Parallel()
	npm, err := exec.LookPath("npm")
	if err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs npm to check the modules of the pages")
		t.Skip("npm is not installed: the types of web/static are not checked")
	}
	config, err := filepath.Abs("tsconfig.json")
	require.NoError(t, err)
	dir := t.TempDir() // npm writes beside the lock
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("..", "clients", "typescript", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	install := exec.CommandContext(t.Context(), npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "" && regexp.MustCompile(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH`).Match(out) {
			t.Skip("npm's registry cannot be reached: the types of web/static are not checked")
		}
		require.NoError(t, err, string(out))
	}
	check := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules", ".bin", "tsc"), "-p", config)
	out, err := check.CombinedOutput()
	require.NoError(t, err, string(out))
}
