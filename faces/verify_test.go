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
	v, samples := loaded(t), facestest.Samples(t)
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, sample := range []string{"sample1", "sample2", "sample3", "sample4", "sample5", "sample6"} {
				got, err := v.Compare(context.Background(), samples[sample], change(t, samples[sample]))
				require.NoError(t, err)
				t.Logf("%s: %s at %.3f %s", sample, got.State, got.Distance, got.Reason)
			}
		})
	}
}
