package notifier

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// language is one of those that docs/webhooks.md has a snippet in.
type language struct {
	heading string
	snippet string      // the file the snippet goes to
	files   [][2]string // from testdata/receivers, to
	needs   []string
	build   []string // optional
	run     []string
	always  bool // CI has it: a machine of CI without it is a mistake
}

func languages() []language {
	return []language{
		{
			heading: "Go", snippet: "webhook/webhook.go", files: [][2]string{{"main.go.txt", "main.go"}},
			needs: []string{"go"}, run: []string{"go", "run", "."}, always: true,
		},
		{heading: "Node", snippet: "webhook.mjs", files: [][2]string{{"main.mjs", "main.mjs"}}, needs: []string{"node"}, run: []string{"node", "main.mjs"}, always: true},
		{heading: "Python", snippet: "webhook.py", files: [][2]string{{"main.py", "main.py"}}, needs: []string{"python3"}, run: []string{"python3", "main.py"}, always: true},
		{heading: "Ruby", snippet: "webhook.rb", files: [][2]string{{"main.rb", "main.rb"}}, needs: []string{"ruby"}, run: []string{"ruby", "main.rb"}},
		{heading: "PHP", snippet: "webhook.php", files: [][2]string{{"main.php", "main.php"}}, needs: []string{"php"}, run: []string{"php", "main.php"}},
		{
			heading: "Java", snippet: "Webhook.java", files: [][2]string{{"Main.java", "Main.java"}},
			needs: []string{"javac", "java"}, build: []string{"javac", "Main.java", "Webhook.java"}, run: []string{"java", "-cp", ".", "Main"},
		},
		{
			heading: "C#", snippet: "Webhook.cs", files: [][2]string{{"Main.cs", "Main.cs"}, {"main.csproj", "main.csproj"}},
			needs: []string{"dotnet"}, run: []string{"dotnet", "run"},
		},
	}
}

// TestSnippetsOfTheGuide runs the code that receivers copy out of docs/webhooks.md against every vector.
func TestSnippetsOfTheGuide(t *testing.T) {
	t.Parallel()
	cases := vectors(t)
	var input, want strings.Builder
	for _, v := range cases {
		input.WriteString(strconv.FormatInt(v.Now, 10))
		for _, field := range []string{
			v.Secret, v.Body, v.Headers["X-Service-Signature"], v.Headers["X-Service-Signature-Next"],
			v.Headers["webhook-id"], v.Headers["webhook-timestamp"], v.Headers["webhook-signature"],
		} {
			input.WriteString("\t" + base64.StdEncoding.EncodeToString([]byte(field)))
		}
		input.WriteString("\n")
		fmt.Fprintf(&want, "%v %v\n", v.Service, v.Standard)
	}
	for _, l := range languages() {
		t.Run(l.heading, func(t *testing.T) {
			t.Parallel()
			l.require(t)
			dir := l.lay(t)
			if l.build != nil {
				command(t, dir, "", l.build)
			}
			require.Equal(t, want.String(), command(t, dir, input.String(), l.run))
		})
	}
}

// require skips, in so many words, where the language is not on the machine.
func (l language) require(t *testing.T) {
	t.Helper()
	for _, program := range l.needs {
		if _, err := exec.LookPath(program); err != nil {
			if l.always && os.Getenv("CI") == "true" {
				t.Fatalf("CI has no %s, so the %s snippet of docs/webhooks.md is not tried", program, l.heading)
			}
			t.Skipf("no %s on this machine: the %s snippet of docs/webhooks.md is not tried", program, l.heading)
		}
	}
}

// lay puts snippet and program into a directory of their own.
func (l language) lay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, b []byte) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, b, 0o600))
	}
	write(l.snippet, []byte(block(t, "### In "+l.heading+"\n")))
	write("go.mod", []byte("module receiver\n\ngo 1.24\n"))
	for _, f := range l.files {
		b, err := os.ReadFile(filepath.Join("testdata", "receivers", f[0]))
		require.NoError(t, err)
		write(f[1], b)
	}
	return dir
}

func command(t *testing.T, dir, input string, args []string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), args[0], args[1:]...)
	c.Dir, c.Stdin = dir, strings.NewReader(input)
	c.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "DOTNET_CLI_TELEMETRY_OPTOUT=1", "DOTNET_NOLOGO=1")
	var complaint bytes.Buffer
	c.Stderr = &complaint
	out, err := c.Output()
	require.NoError(t, err, complaint.String())
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// guide is the text of docs/webhooks.md.
func guide(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "docs", "webhooks.md"))
	require.NoError(t, err)
	return string(b)
}

// block is the first fenced block after a line of the guide.
func block(t *testing.T, after string) string {
	t.Helper()
	_, rest, ok := strings.Cut(guide(t), "\n"+after)
	require.True(t, ok, "the guide has a line %q", after)
	m := regexp.MustCompile("(?s)```\\w+\n(.*?)```\n").FindStringSubmatch(rest)
	require.NotNil(t, m)
	return m[1]
}

// The payloads, the vector and the numbers in the guide are those of the code.
func TestTheGuideTellsTheTruth(t *testing.T) {
	t.Parallel()
	text := guide(t)
	for heading, event := range map[string]Event{"### Payload version 1\n": happened(models.EventBooking), "### Payload version 2\n": happened(models.EventRetraction)} {
		version := PayloadV1
		if event.Kind == models.EventRetraction {
			version = PayloadV2
		}
		body, err := event.Body(version)
		require.NoError(t, err)
		var shown bytes.Buffer
		require.NoError(t, json.Compact(&shown, []byte(block(t, heading))))
		require.Equal(t, string(body), shown.String(), heading)
	}

	first := vectors(t)[0]
	require.Equal(t, first.Body+"\n", block(t, "Body, "+strconv.Itoa(len(first.Body))+" bytes in UTF-8 on one line without a line break at its end:\n"))
	for name, value := range first.Headers {
		require.Contains(t, text, "| "+name+" | `"+value+"` |")
	}
	require.Contains(t, text, "| secret | `"+first.Secret+"` |")
	require.Contains(t, text, "Nineteen cases")
	require.Len(t, vectors(t), 19)
}
