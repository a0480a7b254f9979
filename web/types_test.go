package web_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The modules have their types in comments, TypeScript's compiler finds no mistake in them, and Prettier has set them and the
// stylesheets. package.json pins both; npm run format sets them anew.
func TestModulesFitTheirTypesAndAreFormatted(t *testing.T) {
	t.Parallel()
	npm, err := exec.LookPath("npm")
	if err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs npm to check the modules of the pages")
		t.Skip("npm is not installed: the types and the format of web/static are not checked")
	}
	here, err := filepath.Abs(".")
	require.NoError(t, err)
	dir := t.TempDir() // npm writes beside the lock
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	install := exec.CommandContext(t.Context(), npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "" && regexp.MustCompile(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH`).Match(out) {
			t.Skip("npm's registry cannot be reached: the types and the format of web/static are not checked")
		}
		require.NoError(t, err, string(out))
	}
	for _, check := range [][]string{
		{"tsc", "-p", filepath.Join(here, "tsconfig.json")},
		{"prettier", "--check", "--config", filepath.Join(here, "package.json"), filepath.Join(here, "static", "*.js"), filepath.Join(here, "static", "*.css")},
	} {
		c := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules", ".bin", check[0]), check[1:]...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

func TestNoLineOfThePagesIsTooLongToReview(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"templates/*.html", "static/*.js", "static/*.css"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Empty(t, tooLong.FindString(string(text)), file)
		}
	}
}

// tooLong is a line of a template, a module or a stylesheet that nobody reads whole.
var tooLong = regexp.MustCompile(`(?m)^.{181,}$`)
