package walk

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// The pictures of the README: go test ./web/walk -run PicturesOfTheReadme -pictures "$PWD/docs/images" [-door ADDRESS].
var pictures = flag.String("pictures", "", "directory that TestPicturesOfTheReadme writes its pictures to")

// pictureSize is the most that one of them may weigh in the repository, in bytes.
const pictureSize = 150_000

func TestPicturesOfTheReadme(t *testing.T) {
	t.Parallel()
	if *pictures == "" {
		t.Skip("no -pictures DIR: no pictures are taken")
	}
	root, door, stop := demoDoor(t)
	defer stop()
	b := newTab(t, root)
	entersWithAlerts(b, door)
	var found struct {
		Roster struct {
			Freshness struct{ Stale []string }
			Records   []struct {
				ID       string
				County   struct{ Slug string }
				Dob      *string
				Charges  []string
				GdcMatch *struct{ Confidence string }
			}
		}
	}
	b.ask(`{ roster(limit: 200, filter: {status: BOOKED}) { freshness { stale } records { id county { slug } dob charges gdcMatch { confidence } } } }`, &found)
	booking, most := "", 0
	for _, r := range found.Roster.Records { // the one with the most to see
		if r.Dob != nil && r.GdcMatch != nil && len(r.Charges) > most && !slices.Contains(found.Roster.Freshness.Stale, r.County.Slug) {
			booking, most = r.ID, len(r.Charges)
		}
	}
	require.NotEmpty(t, booking)
	for _, page := range []struct {
		name, path string
		height     int64
	}{{"person", "/roster/" + booking, 1160}} {
		b.look(1280, "light")
		b.visit(page.path)
		b.do(chromedp.EmulateViewport(1280, page.height))
		whole, err := within(b.ctx, chromedp.CaptureScreenshot())
		require.NoError(t, err)
		small := paletted(t, whole)
		t.Logf("%s: %d bytes of %d", page.name, len(small), len(whole))
		require.Less(t, len(small), pictureSize, page.name)
		require.NoError(t, os.WriteFile(filepath.Join(*pictures, page.name+".png"), small, 0o600))
	}
}

// paletted is a picture with the 256 colours that it has most of: pages have few, but letters have many shades.
func paletted(t *testing.T, picture []byte) []byte {
	t.Helper()
	from, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	area := from.Bounds()
	whole := image.NewRGBA(area)
	draw.Draw(whole, area, from, area.Min, draw.Src)
	var out bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, inColors(whole, area, commonColors(whole))))
	return out.Bytes()
}

// commonColors are the 256 colors that most pixels of pictures have. Pages are flat: what is left out is the edge of a letter.
func commonColors(pictures ...*image.RGBA) color.Palette {
	count := map[color.RGBA]int{}
	for _, p := range pictures {
		for i := 0; i < len(p.Pix); i += 4 {
			count[color.RGBA{p.Pix[i], p.Pix[i+1], p.Pix[i+2], 0xff}]++
		}
	}
	most := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int { return cmp.Compare(count[b], count[a]) })
	var out color.Palette
	for _, c := range most[:min(len(most), 256)] {
		out = append(out, c)
	}
	return out
}

// inColors is a part of a picture in the nearest of some colors.
func inColors(picture *image.RGBA, area image.Rectangle, colors color.Palette) *image.Paletted {
	part := image.NewPaletted(area, colors)
	nearest := map[color.RGBA]uint8{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := picture.RGBAAt(x, y)
			at, known := nearest[c]
			if !known {
				at = uint8(colors.Index(c))
				nearest[c] = at
			}
			part.SetColorIndex(x, y, at)
		}
	}
	return part
}

// entersWithAlerts signs in by a door, and waits until an alert was sent: the pictures show one.
func entersWithAlerts(b *tab, door string) {
	b.visit(door)
	b.visit("/deliveries")
	b.until(`document.querySelector("[data-delivery] .chip.good")`)
}
