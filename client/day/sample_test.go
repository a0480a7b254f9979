package day

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/sample"
)

// sampleDay runs every program of docs/samples.md. A language that is not there is skipped in a line, and fails in CI.
func sampleDay(t *testing.T, o *office) {
	t.Helper()
	_, key := o.account("sampler")
	for _, l := range sample.Languages() {
		t.Run(l.Name, func(t *testing.T) {
			program, err := exec.LookPath(l.Run[0])
			if err != nil {
				require.Empty(t, os.Getenv("CI"), "CI needs %s for docs/samples.md", l.Run[0])
				t.Skipf("no %s on this machine: the samples in %s are not tried", l.Run[0], l.Name)
			}
			for _, r := range sample.Requests() {
				if r.Follow {
					r.Path = "/roster?limit=3" // of more bookings, so that each list has several pages
				}
				text, err := l.Program(r)
				require.NoError(t, err)
				dir := t.TempDir()
				require.NoError(t, os.WriteFile(filepath.Join(dir, l.File), []byte(text), 0o600))
				c := exec.CommandContext(t.Context(), program, append(l.Run[1:], l.File)...)
				c.Dir, c.Env = dir, append(os.Environ(), "ROLLCALL_URL="+o.base, "ROLLCALL_KEY="+key, "GO111MODULE=off")
				out, err := c.CombinedOutput()
				require.NoError(t, err, "%s in %s:\n%s\n%s", r.Title, l.Name, text, out)
				require.Contains(t, string(out), r.Answer, "%s in %s", r.Title, l.Name)
				if r.Follow {
					for _, name := range names() {
						require.Contains(t, string(out), `"name":"`+name+`"`, "all pages in %s", l.Name)
					}
				}
			}
		})
	}
}
