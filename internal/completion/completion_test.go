package completion_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"rollcall/internal/completion"
)

// line is a small command line.
type line struct {
	Account struct {
		Create struct {
			Name string `help:"The customer's name."`
		} `cmd:"" help:"Make one."`
		List struct{} `cmd:"" help:"List them."`
		Old  struct{} `cmd:"" hidden:""`
	} `cmd:"" help:"Accounts."`
	Serve struct{} `cmd:"" help:"Serve."`
}

func script(t *testing.T, shell string) string {
	t.Helper()
	k, err := kong.New(&line{}, kong.Name("rollcall"))
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, completion.Write(&out, shell, k.Model.Node))
	return out.String()
}

// ask runs a shell, which must be there where CI is set.
func ask(t *testing.T, shell, text string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(shell); err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs "+shell)
		t.Skip(shell + " is not installed: .ci/install has it")
	}
	c := exec.CommandContext(t.Context(), shell, args...)
	c.Stdin = strings.NewReader(text)
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestBash(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"rollcall ":                      "account serve --help",
		"rollcall ac":                    "account",
		"rollcall account ":              "create list --help",
		"rollcall account create --":     "--name --help",
		"rollcall account list --help x": "",
	} {
		words := strings.Split(typed, " ")
		call := script(t, "bash") + "COMP_WORDS=(" + typed + ")\n"
		if strings.HasSuffix(typed, " ") {
			call = script(t, "bash") + "COMP_WORDS=(" + typed + " '')\n"
		}
		call += "COMP_CWORD=" + string(rune('0'+len(words)-1)) + "\n_rollcall\necho \"${COMPREPLY[*]}\"\n"
		require.Equal(t, want, strings.TrimSpace(ask(t, "bash", call, "--norc")), typed)
	}
}

func TestFish(t *testing.T) {
	t.Parallel()
	got := ask(t, "fish", script(t, "fish")+"complete -C 'rollcall account create --'\ncomplete -C 'rollcall ac'\n", "--no-config")
	require.Contains(t, got, "--name\tThe customer’s name.")
	require.Contains(t, got, "account\tAccounts.")
	require.NotContains(t, got, "serve")
}

// zsh completes only for a terminal, so it reads the script and runs the function with another compadd.
func TestZsh(t *testing.T) {
	t.Parallel()
	got := ask(t, "zsh", "compdef() {}\ncompadd() { print -l -- $names }\n"+script(t, "zsh")+
		"words=(rollcall account ''); CURRENT=3; _rollcall\n", "--no-rcs")
	require.Equal(t, "create\nlist\n--help", strings.TrimSpace(got))
}
