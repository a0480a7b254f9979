// Package facestest brings the published weights and sample pictures to tests. No face lies in this repository: the
// samples are those of the npm package, read from its archive. It is for tests only.
package facestest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"image"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/faces"
)

// Archive returns the archive of the weights. Where it cannot be fetched the test is skipped with one line, also where CI is
// true: that the package registry does not answer is no fault of the program.
func Archive(t *testing.T) string {
	t.Helper()
	archive, err := kept()
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n") // npm writes several
		t.Skip("NOT TESTED: the verifier of photographs, because its weights cannot be fetched: " + why)
	}
	return archive
}

// kept is the archive in this user's cache. It is fetched there by npm once. A failure is remembered, so that npm waits for its
// registry once in a test binary.
var kept = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	file := filepath.Join(cache, "rollcall", "faces.tgz")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(filepath.Dir(file), "fetch") // beside the file that it becomes
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	archive, err := faces.Fetch(context.Background(), dir)
	if err != nil {
		return "", err
	}
	return file, os.Rename(archive, file) // whole: another binary may be doing the same
})

// Weights installs the weights into a directory of the test and returns it.
func Weights(t *testing.T) string {
	t.Helper()
	archive, dir := Archive(t), t.TempDir()
	require.NoError(t, faces.Install(archive, dir))
	return dir
}

// Samples returns the sample pictures of the archive by name: sample1 to sample6.
func Samples(t *testing.T) map[string]image.Image {
	t.Helper()
	f, err := os.Open(Archive(t))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	zipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	samples := map[string]image.Image{}
	for entries := tar.NewReader(zipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			require.Len(t, samples, 6)
			return samples
		}
		require.NoError(t, err)
		if name, ok := strings.CutSuffix(path.Base(entry.Name), ".jpg"); ok && path.Dir(entry.Name) == "package/demo" {
			b, err := io.ReadAll(entries)
			require.NoError(t, err)
			samples[name], err = faces.Read(bytes.NewReader(b))
			require.NoError(t, err)
		}
	}
}

// portraits are where faces that look ahead are in the samples, in pixels.
var portraits = map[string]struct {
	sample string
	face   image.Rectangle
}{
	"a": {"sample3", image.Rect(1014, 242, 1346, 553)}, "b": {"sample3", image.Rect(519, 336, 861, 621)},
	"c": {"sample3", image.Rect(1455, 323, 1746, 591)}, "d": {"sample5", image.Rect(279, 878, 649, 1213)},
	"e": {"sample5", image.Rect(1022, 210, 1329, 497)}, "f": {"sample6", image.Rect(174, 519, 491, 799)},
	"g": {"sample6", image.Rect(1440, 306, 1746, 579)}, "h": {"sample6", image.Rect(1089, 313, 1395, 583)},
}

// Portraits returns pictures of one face each, cut from the samples, of eight people.
func Portraits(t *testing.T) map[string]image.Image {
	t.Helper()
	samples, cut := Samples(t), map[string]image.Image{}
	for name, p := range portraits {
		whole, ok := samples[p.sample].(interface {
			SubImage(r image.Rectangle) image.Image
		})
		require.True(t, ok)
		cut[name] = whole.SubImage(p.face.Inset(-p.face.Dx() / 2))
	}
	return cut
}
