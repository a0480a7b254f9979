package day

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// integrator is a program of another module.
const integrator = `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"rollcall/client"
)

func main() {
	c := client.New(os.Getenv("ROLLCALL_URL"), os.Getenv("ROLLCALL_KEY"))
	for booking, err := range c.AllRoster(context.Background(), client.RosterFilter{County: "clarke"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(booking.Name)
	}
}
`

// moduleDay uses the Go client from another module, by the command of docs/clients.md, and then from its vendor directory
// alone. Nothing is downloaded.
func moduleDay(t *testing.T, o *office) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "docs/clients.md"))
	require.NoError(t, err)
	edit := regexp.MustCompile(`(?m)^go mod edit .*$`).FindString(string(text))
	require.Contains(t, edit, "=../rollcall", "docs/clients.md says how to get the client")
	root, err := filepath.Abs(repository)
	require.NoError(t, err)
	parent := t.TempDir()
	clone, dir := filepath.Join(parent, "rollcall"), filepath.Join(parent, "integrator")
	require.NoError(t, os.Symlink(root, clone))
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(integrator), 0o600))
	_, key := o.account("neighbour")
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "ROLLCALL_URL="+o.base, "ROLLCALL_KEY="+key, "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%v\n%s", args, out)
		return string(out)
	}
	run("go", "mod", "init", "example.org/integrator")
	run(strings.Fields(edit)...)
	require.ElementsMatch(t, names(), strings.Split(strings.TrimSpace(run("go", "run", ".")), "\n"))
	run("go", "mod", "vendor")
	require.NoError(t, os.Remove(clone))
	require.ElementsMatch(t, names(), strings.Split(strings.TrimSpace(run("go", "run", ".")), "\n"), "the clone is not needed")
}
