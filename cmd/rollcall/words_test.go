package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
)

func TestWordsForWhatOthersWriteAsFlags(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	for _, same := range [][2]string{
		{"help", "--help"}, {"help account create", "account create --help"}, {"version", "--version"}, {"bench", "bench --help"},
	} {
		require.Equal(t, x.OK(strings.Fields(same[1])...), x.OK(strings.Fields(same[0])...), same[0])
	}
}

func TestAUsageErrorNamesTheCommandThatWasMeant(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"account create --bogus": "Try: rollcall account create --help",
		"account":                "Try: rollcall account --help",
		"nonsense":               "Try: rollcall --help",
	} {
		var stdout, stderr strings.Builder
		require.Equal(t, 2, run(t.Context(), strings.Fields(args), &stdout, &stderr, func(string) string { return "" }))
		require.Contains(t, stderr.String(), want)
	}
}

func TestUsageLinesFitATerminalAndRequireNoEitherOr(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
	for _, c := range []string{"account create", "deliveries replay", "ingest replay"} {
		usage, _, _ := strings.Cut(x.OK(append(strings.Fields(c), "--help")...), "\n")
		require.LessOrEqual(t, len(usage), 80, usage)
		require.NotRegexp(t, "--(id|webhook|run|quarantine)", usage)
	}
	for args, want := range map[string]string{
		"deliveries replay --account acct_x":   "give --id or --webhook",
		"ingest replay":                        "give --run or --quarantine",
		"ingest replay --run 1 --quarantine x": "can't be used together",
	} {
		code, _ := x.Run(strings.Fields(args)...)
		require.Equal(t, 2, code)
		require.Contains(t, x.Stderr, want)
	}
}

func TestCompletionKnowsTheCommands(t *testing.T) {
	t.Parallel()
	x := terminalOn(t, "postgres://nobody@127.0.0.1:1/none")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		out := x.OK("completion", shell)
		for _, word := range []string{"sources", "retire", "--quarantine", "rate-limit"} {
			require.Contains(t, out, word, shell)
		}
	}
}

func TestSettingsThatNobodyMeant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, variable, value, want string }{
		{"account list", "ROLLCALL_LIST_INDEX", "maybe", "ROLLCALL_LIST_INDEX takes on or off"},
		{"demo --port 99999", "ROLLCALL_DATA_DIR", t.TempDir(), "--port takes 0 to 65535, not 99999"},
	} {
		var stdout, stderr strings.Builder
		code := run(t.Context(), strings.Fields(c.args), &stdout, &stderr, func(name string) string {
			if name == c.variable {
				return c.value
			}
			return ""
		})
		require.NotZero(t, code)
		require.Contains(t, stderr.String(), c.want)
	}
}

func TestLinksAreThoseOfTheServiceThatRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg, err := service.ReadConfig(func(name string) string { return map[string]string{"ROLLCALL_DATA_DIR": dir}[name] })
	require.NoError(t, err)
	require.Equal(t, "http://localhost:8080/v1", (&service.App{Config: cfg}).PublicURL(), "nothing ran here")
	require.NoError(t, os.WriteFile(dir+"/base-url", []byte("http://localhost:18511/v1\n"), 0o600))
	require.Equal(t, "http://localhost:18511/v1", (&service.App{Config: cfg}).PublicURL())
	require.NoError(t, os.WriteFile(dir+"/base-url", []byte("damaged"), 0o600))
	require.Equal(t, "http://localhost:8080/v1", (&service.App{Config: cfg}).PublicURL())
	set, err := service.ReadConfig(func(name string) string {
		return map[string]string{"ROLLCALL_DATA_DIR": dir, "ROLLCALL_BASE_URL": "https://records.example/v1"}[name]
	})
	require.NoError(t, err)
	require.Equal(t, "https://records.example/v1", (&service.App{Config: set}).PublicURL(), "the environment decides")
}
