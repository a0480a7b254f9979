package web_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The modules have their types in comments and those of their operations from the schema, TypeScript's compiler finds no mistake in
// them, and Prettier has set them and the stylesheets. package.json pins the tools; npm run schema writes schema.d.ts anew, and npm
// run format sets the files.
func TestModulesFitTheirTypesAndAreFormatted(t *testing.T) {
	t.Parallel()
	tools := installed(t)
	for _, script := range []string{"types", "formatted"} {
		out, err := tools.run("npm", "run", script)
		require.NoError(t, err, out)
	}
	kept, err := os.ReadFile("schema.d.ts")
	require.NoError(t, err)
	require.Equal(t, string(kept), tools.read("web/schema.d.ts"), "schema.d.ts is not of graph/schema: run npm run schema in web")

	// A mistake in an operation would be found.
	tools.replace("web/static/counties.js", "state lagSeconds county { slug", "state lagSecond county { slug")
	tools.replace("web/static/counties.js", "[s.title, ", "[s.note, ")
	tools.replace("web/static/county.js", "{ slug, days: range, ", "{ slug, day: range, ")
	tools.replace("web/static/colleagues.js", "ask(becameQuery, { id }, ", "ask(becameQuery, {}, ")
	tools.replace("web/static/inbox.js", "const row = hit && ", "const row = ")
	tools.replace("graph/schema/alerts.graphqls", "  bornCompared: Boolean!", `  bornCompared: Boolean! @deprecated(reason: "It is for this test.")`)
	out, err := tools.run("npm", "run", "schema")
	require.NoError(t, err, out)
	out, err = tools.run("node_modules/.bin/gql.tada", "check")
	require.Error(t, err)
	require.Contains(t, out, `Cannot query field "lagSecond" on type "Source"`)
	require.Contains(t, out, `Cannot query field "bornCompared" on type "AlertHit"`, "it is deprecated")
	out, err = tools.run("node_modules/.bin/tsc", "-p", "tsconfig.json")
	require.Error(t, err)
	require.Contains(t, out, "Property 'note' does not exist on type", "it was not asked for")
	require.Contains(t, out, "'day' does not exist in type", "it is no variable")
	require.Contains(t, out, "'hit' is possibly 'null'", "it may have been withheld meanwhile")
	require.Contains(t, out, "Property 'id' is missing in type '{}'", "it is a variable that is needed")
}

// workshop is a directory with a copy of what the pages' tools read, and with the tools.
type workshop struct {
	t   *testing.T
	dir string
}

// installed copies the modules and what belongs to them, and installs the tools beside them. It skips where there is no npm.
func installed(t *testing.T) workshop {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		require.Empty(t, os.Getenv("CI"), "CI needs npm to check the modules of the pages")
		t.Skip("npm is not installed: the types and the format of web/static are not checked")
	}
	w := workshop{t, t.TempDir()}
	require.NoError(t, os.CopyFS(filepath.Join(w.dir, "graph", "schema"), os.DirFS("../graph/schema")))
	require.NoError(t, os.CopyFS(filepath.Join(w.dir, "web", "static"), os.DirFS("static")))
	for _, name := range []string{"package.json", "package-lock.json", "tsconfig.json", "schema.js", "gql.d.ts"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, "web", name), text, 0o600))
	}
	if out, err := w.run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"); err != nil {
		if os.Getenv("CI") == "" && regexp.MustCompile(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH`).MatchString(out) {
			t.Skip("npm's registry cannot be reached: the types and the format of web/static are not checked")
		}
		require.NoError(t, err, out)
	}
	return w
}

// run runs a program among the modules and returns what it says.
func (w workshop) run(name string, args ...string) (string, error) {
	c := exec.CommandContext(w.t.Context(), name, args...)
	c.Dir = filepath.Join(w.dir, "web")
	out, err := c.CombinedOutput()
	return string(out), err
}

func (w workshop) read(name string) string {
	text, err := os.ReadFile(filepath.Join(w.dir, name))
	require.NoError(w.t, err)
	return string(text)
}

// replace changes what stands once in a file.
func (w workshop) replace(name, from, to string) {
	text := w.read(name)
	require.Equal(w.t, 1, strings.Count(text, from), "%s has %q once", name, from)
	require.NoError(w.t, os.WriteFile(filepath.Join(w.dir, name), []byte(strings.Replace(text, from, to, 1)), 0o600))
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
