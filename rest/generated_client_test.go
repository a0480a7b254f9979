package rest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/rest"
)

// oapiRuntime is the module that clients of oapi-codegen import. .ci/tools pins the generator.
const oapiRuntime = "github.com/oapi-codegen/runtime@v1.6.0"

// A document may be valid and still have no Go client: parameters and schemas of one name become one Go type.
func TestAGoClientIsGeneratedAndCompiles(t *testing.T) {
	t.Parallel()
	generator, err := filepath.Abs("../.bin/oapi-codegen")
	require.NoError(t, err)
	if _, err := os.Stat(generator); err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs .bin/oapi-codegen: .ci/tools builds it")
		t.Skip("oapi-codegen is not built: .ci/tools builds it")
	}
	dir := t.TempDir()
	text, err := rest.OpenAPI("https://records.example/v1")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "openapi.json"), text, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod")
		out, err := cmd.CombinedOutput()
		if os.Getenv("CI") == "" && offlineGo.Match(out) {
			t.Skip("the module proxy cannot be reached: .ci/run compiles the client")
		}
		require.NoError(t, err, "%s %v\n%s", name, args, out)
		return string(out)
	}
	run("go", "mod", "init", "example.invalid/generated")
	run(generator, "-generate", "types,client", "-package", "generated", "-o", "generated.go", "openapi.json")
	run("go", "get", oapiRuntime)
	run("go", "build", "./...")
	require.Contains(t, run("go", "doc", "-all", "RosterFields"), "BondAmount *float64", "a float32 loses cents")
}
