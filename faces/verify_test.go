//go:build !race

// The networks share nothing between goroutines, and the race detector makes their arithmetic twenty times slower.
// The ordinary test command runs these tests.

package faces_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"rollcall/faces"
	"rollcall/faces/facestest"
)

// scaled returns a copy of other size.
func scaled(photo image.Image, share float64) image.Image {
	b := photo.Bounds()
	to := image.NewRGBA(image.Rect(0, 0, int(float64(b.Dx())*share), int(float64(b.Dy())*share)))
	draw.CatmullRom.Scale(to, to.Rect, photo, b, draw.Src, nil)
	return to
}

// changes are what a photograph may go through between two systems.
var changes = map[string]func(t *testing.T, photo image.Image) image.Image{
	"encoded again, badly": func(t *testing.T, photo image.Image) image.Image {
		t.Helper()
		var b bytes.Buffer
		require.NoError(t, jpeg.Encode(&b, photo, &jpeg.Options{Quality: 40}))
		again, err := faces.Read(bytes.NewReader(b.Bytes()))
		require.NoError(t, err)
		return again
	},
	"smaller": func(_ *testing.T, photo image.Image) image.Image { return scaled(photo, 0.5) },
	"larger":  func(_ *testing.T, photo image.Image) image.Image { return scaled(photo, 1.7) },
	"grey": func(_ *testing.T, photo image.Image) image.Image {
		to := image.NewGray(photo.Bounds())
		draw.Draw(to, to.Rect, photo, photo.Bounds().Min, draw.Src)
		return to
	},
	"mirrored": func(_ *testing.T, photo image.Image) image.Image {
		b := photo.Bounds()
		to := image.NewRGBA(b)
		draw.BiLinear.Transform(to, f64.Aff3{-1, 0, float64(b.Max.X + b.Min.X), 0, 1, 0}, photo, b, draw.Src, nil)
		return to
	},
	"turned by ten degrees": func(_ *testing.T, photo image.Image) image.Image {
		b := photo.Bounds()
		to := image.NewRGBA(b)
		sin, cos := math.Sincos(math.Pi / 18)
		x, y := float64(b.Dx())/2, float64(b.Dy())/2
		draw.BiLinear.Transform(to, f64.Aff3{cos, -sin, x - cos*x + sin*y, sin, cos, y - sin*x - cos*y}, photo, b, draw.Src, nil)
		return to
	},
	"a part of a larger picture": func(_ *testing.T, photo image.Image) image.Image {
		b := photo.Bounds()
		to := image.NewRGBA(image.Rect(0, 0, b.Dx()*3/2, b.Dy()*3/2))
		draw.Draw(to, to.Rect, image.NewUniform(color.Gray{90}), image.Point{}, draw.Src)
		draw.Draw(to, b.Sub(b.Min).Add(image.Pt(b.Dx()/3, b.Dy()/4)), photo, b.Min, draw.Src)
		return to
	},
}

func TestAPhotographMatchesItselfWhateverItWentThrough(t *testing.T) {
	t.Parallel()
	v, photo := loaded(t), facestest.Portraits(t)["b"]
	for name, change := range changes {
		got, err := v.Compare(t.Context(), photo, change(t, photo))
		require.NoError(t, err)
		require.Equal(t, faces.Match, got.State, "%s: %.3f %s", name, got.Distance, got.Reason)
		require.Empty(t, got.Reason)
	}
}

func TestPhotographsOfTwoPeopleDoNotMatch(t *testing.T) {
	t.Parallel()
	v, photos := loaded(t), facestest.Portraits(t)
	for pair, want := range map[[2]string]faces.State{{"b", "d"}: faces.Different, {"f", "g"}: faces.Different, {"d", "f"}: faces.Inconclusive} {
		got, err := v.Compare(t.Context(), photos[pair[0]], photos[pair[1]])
		require.NoError(t, err)
		require.Equal(t, want, got.State, "%s: %.3f %s", pair, got.Distance, got.Reason)
		require.Equal(t, want == faces.Inconclusive, got.Reason != "", got.Reason)
	}
}

func TestPicturesThatCannotBeComparedAreInconclusiveWithTheReason(t *testing.T) {
	t.Parallel()
	v, samples := loaded(t), facestest.Samples(t)
	face := facestest.Portraits(t)["b"]
	grey := image.NewRGBA(image.Rect(0, 0, 300, 400))
	draw.Draw(grey, grey.Rect, image.NewUniform(color.Gray{90}), image.Point{}, draw.Src)
	for want, photo := range map[string]image.Image{
		"shows no face":            grey,
		"shows more than one face": samples["sample3"],
		"is empty":                 image.NewRGBA(image.Rectangle{}),
	} {
		got, err := v.Compare(t.Context(), face, photo)
		require.NoError(t, err)
		require.Equal(t, faces.Inconclusive, got.State)
		require.True(t, math.IsNaN(got.Distance))
		require.Contains(t, got.Reason, "the second photograph ")
		require.Contains(t, got.Reason, want)
	}
	got, err := v.Compare(t.Context(), grey, face)
	require.NoError(t, err)
	require.Contains(t, got.Reason, "the first photograph shows no face")
}

func TestAComparisonEndsWithItsContext(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := loaded(t).Compare(over, image.Black, image.White)
	require.ErrorIs(t, err, context.Canceled)
}
