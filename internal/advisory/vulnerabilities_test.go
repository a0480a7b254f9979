package advisory_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// program calls net/url.Parse, and nothing else that a database of these tests knows.
const program = `package main

import (
	"net/url"
	"os"
)

func main() {
	if _, err := url.Parse(os.Args[0]); err != nil {
		os.Exit(1)
	}
}
`

// entry is an invented vulnerability of one function of net/url, in every version (https://go.dev/doc/security/vuln/database).
const entry = `{"schema_version": "1.3.1", "id": "GO-2099-0001", "modified": "2026-01-01T00:00:00Z", "published": "2026-01-01T00:00:00Z",
"summary": "An invented one", "details": "An invented one.", "affected": [{"package": {"name": "stdlib", "ecosystem": "Go"},
"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}], "ecosystem_specific": {"imports": [{"path": "net/url", "symbols": ["%s"]}]}}],
"database_specific": {"url": "https://pkg.go.dev/vuln/GO-2099-0001"}}`

// repository is a module with CI's script and a database; function is the one that the database knows as vulnerable.
func repository(t *testing.T, function string) (root string) {
	t.Helper()
	root = t.TempDir()
	script, err := os.ReadFile("../../.ci/vulnerabilities")
	require.NoError(t, err)
	const at = `"modified": "2026-01-01T00:00:00Z"`
	for path, text := range map[string]string{
		".ci/vulnerabilities": string(script), "go.mod": "module example.org/tried\n\ngo 1.26\n", "main.go": program,
		"db/index/db.json":        "{" + at + "}",
		"db/index/modules.json":   `[{"path": "stdlib", "vulns": [{"id": "GO-2099-0001", ` + at + `}]}]`,
		"db/index/vulns.json":     `[{"id": "GO-2099-0001", ` + at + `}]`,
		"db/ID/GO-2099-0001.json": fmt.Sprintf(entry, function),
	} {
		path = filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
	}
	return root
}

// look runs CI's script in a repository with a database, and returns its exit code.
func look(t *testing.T, root, database string) (code int, out string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, ".ci", "vulnerabilities"))
	cmd.Env = append(os.Environ(), "GOVULNDB=file://"+database, "GOWORK=off")
	text, err := cmd.CombinedOutput()
	if err != nil {
		require.NotNil(t, cmd.ProcessState, "%v", err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

func TestAVulnerabilityThatIsCalledFailsCIAndNoOtherDoes(t *testing.T) {
	t.Parallel()
	root := repository(t, "Parse")
	code, out := look(t, root, filepath.Join(root, "nowhere"))
	require.Zero(t, code, out)
	require.Contains(t, out, "cannot be reached from here, so known vulnerabilities were not looked for")

	tool := exec.CommandContext(t.Context(), "go", "install", "golang.org/x/vuln/cmd/govulncheck@v1.1.4")
	tool.Env = append(os.Environ(), "GOBIN="+filepath.Join(root, ".bin"), "GOFLAGS=-mod=mod")
	if text, err := tool.CombinedOutput(); err != nil && os.Getenv("CI") == "" {
		t.Skipf("govulncheck cannot be installed: %s", text)
	}

	t.Log("found")
	code, out = look(t, root, filepath.Join(root, "db"))
	require.Equal(t, 3, code, out)
	require.Contains(t, out, "GO-2099-0001")
	require.Contains(t, out, "main.go:9:24: tried.main calls url.Parse")

	t.Log("known, and not called: nothing found")
	root = repository(t, "JoinPath")
	code, out = look(t, root, filepath.Join(root, "db"))
	require.Zero(t, code, out)
	require.NotContains(t, out, "calls url.")
	require.Contains(t, out, "No vulnerabilities found")
}
