package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/roster"
	"rollcall/internal/testdb"
)

// desk runs commands on a database of the test.
type desk struct {
	*testing.T
	dir string
	env map[string]string
}

// does gives what a command prints, and its exit code.
func (o *desk) does(args ...string) (string, int) {
	o.Helper()
	var out, errs bytes.Buffer
	code := run(o.Context(), args, &out, &errs, func(name string) string { return o.env[name] })
	return out.String() + errs.String(), code
}

func (o *desk) file(name, text string) string {
	o.Helper()
	path := filepath.Join(o.dir, name)
	require.NoError(o, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestAnOperatorLooksAtAHeldSourceAndDecides(t *testing.T) {
	t.Parallel()
	o := &desk{T: t, dir: t.TempDir(), env: map[string]string{"ROLLCALL_DATABASE_URL": testdb.New(t).URL, "ROLLCALL_LOG_LEVEL": "error"}}
	o.env["ROLLCALL_DATA_DIR"] = o.dir
	document := o.file("my-county.yaml", fmt.Sprintf(roster.Document, "my-county"))
	said, code := o.does("sources", "enable", document)
	require.Zero(t, code, said)
	lists := func(n int) string { return o.file("roster.csv", string(roster.Rows("Fulton", 0, n, 0, 0))) }
	said, code = o.does("ingest", "--source", "my-county", "--file", lists(20), "--at", "2026-03-01T12:00:00Z")
	require.Zero(t, code, said)
	said, code = o.does("ingest", "--source", "my-county", "--file", lists(5), "--at", "2026-03-02T12:00:00Z")
	require.Equal(t, 1, code)
	require.Contains(t, said, "it shrank from 20 to 5 rows")

	said, code = o.does("sources", "show", "my-county", "--json")
	require.Zero(t, code, said)
	var shown struct {
		State string
		Held  struct {
			Run, Closed int
			Gone        []struct{ Name string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(said), &shown), said)
	require.Equal(t, []any{"held", 15, 15}, []any{shown.State, shown.Held.Closed, len(shown.Held.Gone)})
	said, _ = o.does("sources", "show", "my-county")
	require.Contains(t, said, shown.Held.Gone[0].Name)
	require.Contains(t, said, "To apply it: rollcall sources release my-county; if it is wrong: rollcall sources release my-county --discard")

	said, code = o.does("ingest", "--source", "my-county", "--file", lists(4), "--at", "2026-03-03T12:00:00Z")
	require.Equal(t, 1, code, said)
	said, _ = o.does("sources", "show", "my-county")
	require.Contains(t, said, fmt.Sprintf("The held snapshot of run %d would: new 0  changed 0  closed 15", shown.Held.Run), "the one that a release applies")
	said, code = o.does("sources", "show", "my-county", "--run", strconv.Itoa(shown.Held.Run+1))
	require.Zero(t, code, said)
	require.Contains(t, said, "closed 16")
	said, code = o.does("sources", "show", "my-county", "--run", "1")
	require.Equal(t, 1, code)
	require.Contains(t, said, "is ok: only what a held run would do is open")

	said, code = o.does("sources", "release", "my-county", "--undo", "1h")
	require.Zero(t, code, said)
	said, code = o.does("sources", "release", "my-county")
	require.Equal(t, 1, code, "the one that can be undone is not passed over")
	require.Contains(t, said, "or first: rollcall sources undo my-county:fulton")
	said, code = o.does("sources", "undo", "my-county:fulton")
	require.Zero(t, code, said)
	said, code = o.does("sources", "release", "my-county")
	require.Zero(t, code, said)
	require.Contains(t, said, "closed 15")
	require.Contains(t, said, "Released my-county: its held snapshot is applied")
	said, code = o.does("sources", "hold", "my-county", "--note", "the jail moves")
	require.Zero(t, code, said)
	said, _ = o.does("sources", "list")
	require.Regexp(t, `my-county +roster .* held`, strings.ReplaceAll(said, "\t", " "))
	said, code = o.does("sources", "release", "my-county")
	require.Zero(t, code, said)
	said, code = o.does("sources", "hold", "my-county", "--county", "fulton")
	require.Zero(t, code, said)
	require.Contains(t, said, "Holding my-county:fulton")
	said, code = o.does("sources", "release", "my-county", "--county", "cobb")
	require.Equal(t, 1, code)
	require.Contains(t, said, `there is no source "my-county:cobb"`)
	said, code = o.does("sources", "release", "my-county", "--county", "nowhere")
	require.Equal(t, 1, code, said)
	said, code = o.does("sources", "release", "my-county", "--county", "fulton")
	require.Zero(t, code, said)
	require.Contains(t, said, "Released my-county:fulton")
	said, code = o.does("ingest", "replay", "--quarantine", "my-county")
	require.Equal(t, 1, code)
	require.Contains(t, said, "nothing to replay")
}
