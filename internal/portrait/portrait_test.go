package portrait_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/portrait"
	"rollcall/photo"
)

// seen decodes a portrait.
func seen(t *testing.T, b []byte) image.Image {
	t.Helper()
	require.Less(t, len(b), 25_000)
	m, err := jpeg.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 300, 375), m.Bounds())
	return m
}

// apart counts the places of a grid at which two portraits differ so that it can be seen.
func apart(a, b image.Image) (n int) {
	for y := 5; y < 375; y += 10 {
		for x := 5; x < 300; x += 10 {
			ar, ag, ab, _ := a.At(x, y).RGBA()
			br, bg, bb, _ := b.At(x, y).RGBA()
			if math.Abs(float64(ar)-float64(br))+math.Abs(float64(ag)-float64(bg))+math.Abs(float64(ab)-float64(bb)) > 0x1800 {
				n++
			}
		}
	}
	return n
}

func TestASeedHasOnePortraitAndAnotherSeedAnother(t *testing.T) {
	t.Parallel()
	var faces []image.Image
	for seed := range uint64(40) {
		b := portrait.Draw(seed)
		require.Equal(t, b, portrait.Draw(seed))
		faces = append(faces, seen(t, b))
		for other, face := range faces[:seed] {
			require.Greater(t, apart(face, faces[seed]), 10, "portraits %d and %d look alike", other, seed)
		}
	}
}

func TestManySeedsHaveManyPortraits(t *testing.T) {
	t.Parallel()
	drawn := map[string]bool{}
	const many = 120
	for seed := range uint64(many) {
		b := portrait.Draw(seed << 40) // as hashes are: all of their bits count
		require.Less(t, len(b), 25_000)
		drawn[string(b)] = true
	}
	require.Len(t, drawn, many)
}

func TestThePlaceholderIsAlwaysTheSame(t *testing.T) {
	t.Parallel()
	first := portrait.Placeholder()
	require.Equal(t, first, portrait.Placeholder())
	require.Greater(t, apart(seen(t, portrait.Placeholder()), seen(t, portrait.Draw(1))), 100)
}

func TestPortraitsAreKeptAsPhotographsAre(t *testing.T) {
	t.Parallel()
	for _, b := range [][]byte{portrait.Draw(1), portrait.Placeholder()} {
		p, err := photo.Read(b)
		require.NoError(t, err)
		require.Empty(t, p.Mended)
		require.Equal(t, []int{300, 375, 192, 240}, []int{p.Width, p.Height, p.SmallWidth, p.SmallHeight})
	}
}

func BenchmarkDraw(b *testing.B) {
	for seed := uint64(0); b.Loop(); seed++ {
		portrait.Draw(seed)
	}
}
