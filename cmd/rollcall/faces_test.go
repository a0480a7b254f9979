//go:build !race

// The race detector makes the arithmetic of the networks twenty times slower; the ordinary test command runs these.
package main

import (
	"bytes"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/faces/facestest"
)

func TestAnOperatorInstallsAndMeasuresTheVerifier(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := func(name string) string {
		if name == "ROLLCALL_DATA_DIR" {
			return filepath.Join(dir, "data")
		}
		return ""
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	photos := facestest.Portraits(t)
	for _, name := range []string{"b", "d"} {
		f, err := os.Create(file(name + ".jpg"))
		require.NoError(t, err)
		require.NoError(t, jpeg.Encode(f, photos[name], nil))
		require.NoError(t, f.Close())
	}
	rollcall := func(code int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, said bytes.Buffer
		require.Equal(t, code, run(t.Context(), args, &out, &said, env), "%v: %s", args, &said)
		return out.String(), said.String()
	}
	_, said := rollcall(1, "faces", "compare", file("b.jpg"), file("d.jpg"))
	require.Contains(t, said, "run rollcall faces install")
	out, _ := rollcall(0, "faces", "install", "--from", facestest.Archive(t))
	require.Contains(t, out, "The weights are in "+filepath.Join(dir, "data", "faces"))
	out, _ = rollcall(0, "faces", "compare", "--json", file("b.jpg"), file("d.jpg"))
	require.Regexp(t, `"state": "different",\s+"distance": 0\.[6-9]`, out)

	require.NoError(t, os.WriteFile(file("pairs.csv"), []byte("first,second,same\nb.jpg,b.jpg,true\n"), 0o600))
	out, _ = rollcall(0, "faces", "measure", file("pairs.csv"))
	require.Regexp(t, `all\s+one person\s+1\s+1\s+0\s+0\s+0`, out)
	require.NoError(t, os.WriteFile(file("page.jpg"), []byte("<html>sign in</html>"), 0o600))
	_, said = rollcall(1, "faces", "compare", file("b.jpg"), file("page.jpg"))
	require.Contains(t, said, "page.jpg: no photograph")
}
