package walk

import (
	"flag"
	"regexp"
	"strings"
	"testing"

	"rollcall/internal/cmdtest"
)

var door = flag.String("door", "", "address that a running demo printed as Dashboard; without it a demo is started")

func TestMain(m *testing.M) { cmdtest.Main(m) }

// newTerminal is where a walk gives commands, with the program that people run.
func newTerminal(t *testing.T) *cmdtest.Terminal {
	t.Helper()
	return cmdtest.New(t, cmdtest.Built(t))
}

var doorPattern = regexp.MustCompile(`Dashboard +(\S+)(/enter/\S+)`)

// startDemo starts a demo with more arguments. root is its address, and path is what signs in.
func startDemo(t *testing.T, env cmdtest.Variables, more ...string) (root, path string, stop func()) {
	t.Helper()
	p := cmdtest.Start(t, cmdtest.Built(t), env, append([]string{"demo", "--port", "0"}, more...)...)
	found := doorPattern.FindStringSubmatch(p.Stdout.Await(t, "Ctrl-C stops", p.Ended))
	return found[1], found[2], func() { p.Stop(t) }
}

// demoDoor is the demo of -door, or one that is started.
func demoDoor(t *testing.T, more ...string) (root, path string, stop func()) {
	t.Helper()
	if *door == "" {
		return startDemo(t, cmdtest.Environment(t), more...)
	}
	root, _, _ = strings.Cut(*door, "/enter/")
	return root, strings.TrimPrefix(*door, root), func() {}
}
