package faces_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/faces"
	"rollcall/faces/facestest"
)

func TestWeightsOfAnotherDigestAreRefused(t *testing.T) {
	t.Parallel()
	_, err := faces.Load(t.TempDir())
	require.ErrorIs(t, err, faces.ErrMissing)
	require.ErrorContains(t, err, "rollcall faces install")

	dir := facestest.Weights(t)
	name := filepath.Join(dir, "face_recognition_model.bin")
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	b[1000]++
	require.NoError(t, os.WriteFile(name, b, 0o600))
	_, err = faces.Load(dir)
	require.ErrorContains(t, err, "face_recognition_model.bin has the digest")

	require.NoError(t, faces.Install(facestest.Archive(t), dir), "installing again mends it")
	_, err = faces.Load(dir)
	require.NoError(t, err)
}

func TestAnArchiveThatIsNotTheMeasuredOneIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "other.tgz")
	require.ErrorContains(t, faces.Install(file, dir), "open the archive of weights")
	require.NoError(t, os.WriteFile(file, []byte("<html>sign in</html>"), 0o600))
	require.ErrorContains(t, faces.Install(file, dir), "other.tgz is not the archive of an npm package")
	whole, err := os.ReadFile(facestest.Archive(t))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, whole[:len(whole)/2], 0o600))
	require.ErrorContains(t, faces.Install(file, dir), "unexpected EOF")
}

func TestWhatIsNoPhotographIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	var picture bytes.Buffer
	require.NoError(t, jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 500, 500)), nil))
	var large bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&large, image.NewPaletted(image.Rect(0, 0, 8000, 8000), color.Palette{color.Black})))
	for want, text := range map[string]string{
		"unknown format":       "<html>sign in</html>",
		"ends or is damaged":   picture.String()[:picture.Len()-200],
		"bytes, and 8388608":   strings.Repeat("x", 9<<20),
		"8000 x 8000 pixels":   large.String(),
		"no photograph: image": "",
	} {
		_, err := faces.Read(strings.NewReader(text))
		require.ErrorIs(t, err, faces.ErrPicture)
		require.ErrorContains(t, err, want)
	}
	_, err := faces.Read(bytes.NewReader(picture.Bytes()))
	require.NoError(t, err)
}
