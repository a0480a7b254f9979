package walk

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// moving is the file of the README's moving picture: go test ./web/walk -run MovingPicture -moving docs/images/hit.gif.
var moving = flag.String("moving", "", "file that TestMovingPicture writes the README's moving picture to")

// mostMoving is how large the picture may be, in bytes.
const mostMoving = 1_000_000

// TestMovingPicture makes the moving picture of the README: a name is searched, its booking read, an alert begun, and a hit comes in.
func TestMovingPicture(t *testing.T) {
	t.Parallel()
	if *moving == "" {
		t.Skip("no -moving FILE: the moving picture is not made")
	}
	root, door, stop := demoDoor(t)
	defer stop()
	b := newTab(t, root)
	entersWithAlerts(b, door)
	b.look(1000, "light")
	b.do(chromedp.EmulateViewport(1000, 640))
	f := film{b: b}

	b.visit("/search")
	f.take(700 * time.Millisecond)
	for _, part := range []string{"sm", "it", "h"} {
		b.do(chromedp.SendKeys(chromedp.CSS("#q"), part))
		f.take(200 * time.Millisecond)
	}
	b.until(`document.querySelector("#groups .result mark")`)
	f.take(1600 * time.Millisecond)
	b.click("#groups .result")
	b.until(`location.pathname.startsWith("/roster/")`)
	b.settled()
	f.take(2200 * time.Millisecond)
	b.click("a[href^='/alerts/new']")
	b.until(`location.pathname === "/alerts/new"`)
	b.settled()
	f.take(1800 * time.Millisecond)
	b.visit("/activity")
	f.take(900 * time.Millisecond)
	b.until(`document.querySelector("#feed .fresh details.data")`)
	f.take(1600 * time.Millisecond)
	b.click("#feed .fresh details.data summary")
	f.take(3 * time.Second)

	out := f.gif()
	require.Less(t, len(out), mostMoving)
	require.NoError(t, os.WriteFile(*moving, out, 0o600))
	t.Logf("%d pictures, %d bytes", len(f.pictures), len(out))
}

// film is a row of pictures of a tab, each with how long it is shown.
type film struct {
	b        *tab
	pictures []*image.RGBA
	shown    []time.Duration
}

// take adds a picture of what a reader sees now.
func (f *film) take(shown time.Duration) {
	f.b.t.Helper()
	raw, err := within(f.b.ctx, chromedp.CaptureScreenshot())
	require.NoError(f.b.t, err)
	of, err := png.Decode(bytes.NewReader(raw))
	require.NoError(f.b.t, err)
	picture := image.NewRGBA(of.Bounds())
	draw.Draw(picture, picture.Bounds(), of, of.Bounds().Min, draw.Src)
	f.pictures, f.shown = append(f.pictures, picture), append(f.shown, shown)
}

// gif writes the film. Of each picture but the first it holds only the rectangle that differs from the one before.
func (f *film) gif() []byte {
	colors := commonColors(f.pictures...)
	out := &gif.GIF{}
	for i, picture := range f.pictures {
		area := picture.Bounds()
		if i > 0 {
			area = differing(f.pictures[i-1], picture)
		}
		out.Image, out.Delay, out.Disposal = append(out.Image, inColors(picture, area, colors)), append(out.Delay, int(f.shown[i]/(10*time.Millisecond))), append(out.Disposal, gif.DisposalNone)
	}
	var file bytes.Buffer
	require.NoError(f.b.t, gif.EncodeAll(&file, out))
	return file.Bytes()
}

// differing is the smallest rectangle that holds all pixels in which two pictures of one size differ; one pixel where none does.
func differing(a, b *image.RGBA) image.Rectangle {
	var area image.Rectangle
	for y := range b.Rect.Dy() {
		for x := range b.Rect.Dx() {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				area = area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if area.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return area
}
