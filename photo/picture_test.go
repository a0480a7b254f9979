package photo_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/photo"
)

// decoded is a kept picture. It fails the test unless the bytes are JPEG with nothing but a picture.
func decoded(tb testing.TB, b []byte, w, h int) image.Image {
	tb.Helper()
	for i := 2; b[i+1] != 0xda; i += 2 + int(binary.BigEndian.Uint16(b[i+2:])) {
		require.Contains(tb, []byte{0xdb, 0xc0, 0xc4}, b[i+1], "segments of tables and of the frame, and no metadata")
	}
	m, err := jpeg.Decode(bytes.NewReader(b))
	require.NoError(tb, err)
	require.Equal(tb, image.Rect(0, 0, w, h), m.Bounds())
	return m
}

// sane fails the test unless a picture keeps what its type promises.
func sane(tb testing.TB, p *photo.Picture) (large, small image.Image) {
	tb.Helper()
	sum := sha256.Sum256(p.Large)
	require.Equal(tb, hex.EncodeToString(sum[:]), p.Hash)
	require.LessOrEqual(tb, max(p.Width, p.Height), photo.LargeSide)
	require.LessOrEqual(tb, max(p.SmallWidth, p.SmallHeight), photo.SmallSide)
	return decoded(tb, p.Large, p.Width, p.Height), decoded(tb, p.Small, p.SmallWidth, p.SmallHeight)
}

// near fails the test unless a picture has a colour at a place, which is in thousandths of its sides.
func near(t *testing.T, m image.Image, x, y int, want color.RGBA, text string) {
	t.Helper()
	x, y = m.Bounds().Dx()*x/1000, m.Bounds().Dy()*y/1000
	got, ok := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
	require.True(t, ok)
	const off = 12
	for _, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
		require.LessOrEqual(t, max(d, -d), off, "%s: %v at %d, %d, and not %v", text, got, x, y, want)
	}
}

// areQuarters fails the test unless both sizes show the quarters upright.
func areQuarters(t *testing.T, p *photo.Picture) {
	t.Helper()
	large, small := sane(t, p)
	for _, m := range []image.Image{large, small} {
		near(t, m, 250, 250, red, "above on the left")
		near(t, m, 750, 250, green, "above on the right")
		near(t, m, 250, 750, blue, "below on the left")
		near(t, m, 750, 750, white, "below on the right")
	}
}

func TestPicturesOfEachFormatAreKept(t *testing.T) {
	t.Parallel()
	m := quarters(320, 400)
	deep := image.NewNRGBA64(m.Rect)
	draw.Draw(deep, deep.Rect, m, image.Point{}, draw.Src)
	few := image.NewPaletted(m.Rect, color.Palette{red, green, blue, white})
	draw.Draw(few, few.Rect, m, image.Point{}, draw.Src)
	for name, file := range map[string][]byte{
		"JPEG":                       jpegOf(t, m),
		"JPEG, progressive":          flatJPEG{w: 320, h: 400, components: 3, adobe: 0, progressive: true, scans: 1, value: quarterInk(false)}.bytes(),
		"PNG":                        pngOf(t, m),
		"PNG of 16 bits":             pngOf(t, deep),
		"PNG of a palette":           pngOf(t, few),
		"PNG and an archive":         append(pngOf(t, m), "PK\x03\x04 an archive that follows the picture"...),
		"PNG with a bomb of a text":  afterHeader(pngOf(t, m), chunk("zTXt", append([]byte("k\x00\x00"), deflated(t, 16<<20)...)), chunk("iCCP", append([]byte("p\x00\x00"), deflated(t, 16<<20)...))),
		"GIF":                        gifOf(t, m, 1),
		"BMP":                        bmpOf(t, m),
		"JPEG and a page after it":   append(jpegOf(t, m), "<script>alert(1)</script>"...),
		"JPEG that begins with text": withEXIF(jpegOf(t, m), []byte("<html>")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := photo.Read(file)
			require.NoError(t, err)
			areQuarters(t, p)
			require.Equal(t, []int{320, 400, 192, 240}, []int{p.Width, p.Height, p.SmallWidth, p.SmallHeight})
			require.NotContains(t, string(p.Large), "archive")
			require.NotContains(t, string(p.Large), "script")
			again, err := photo.Read(file)
			require.NoError(t, err)
			require.Equal(t, p, again, "the same bytes make the same picture")
		})
	}
}

func TestALosslessWebPIsKept(t *testing.T) {
	t.Parallel()
	p, err := photo.Read(webpOf(200, 100, false))
	require.NoError(t, err)
	large, _ := sane(t, p)
	near(t, large, 250, 500, color.RGBA{200, 30, 30, 255}, "on the left")
	near(t, large, 750, 500, color.RGBA{30, 30, 180, 255}, "on the right")
	require.Empty(t, p.Mended)
}

func TestGreyPicturesStayGrey(t *testing.T) {
	t.Parallel()
	m := image.NewGray(image.Rect(0, 0, 100, 120))
	draw.Draw(m, m.Rect, &image.Uniform{color.Gray{90}}, image.Point{}, draw.Src)
	for _, file := range [][]byte{jpegOf(t, m), pngOf(t, m)} {
		p, err := photo.Read(file)
		require.NoError(t, err)
		large, _ := sane(t, p)
		near(t, large, 500, 500, color.RGBA{90, 90, 90, 255}, "grey")
	}
}

func TestWhatIsTransparentIsWhite(t *testing.T) {
	t.Parallel()
	m := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	draw.Draw(m, image.Rect(0, 0, 50, 100), &image.Uniform{red}, image.Point{}, draw.Src)
	p, err := photo.Read(pngOf(t, m))
	require.NoError(t, err)
	large, _ := sane(t, p)
	near(t, large, 250, 500, red, "on the left")
	near(t, large, 750, 500, white, "on the right")
}

// quarterInk is the picture of quarters in inks of a printer, or in red, green and blue.
func quarterInk(inks bool) func(c, x, y int) uint8 {
	return func(c, x, y int) uint8 {
		at := [2][2]color.RGBA{{red, green}, {blue, white}}[2*y/50][2*x/40]
		if inks && c == 3 {
			return 255 // Adobe writes 255 for no ink
		}
		return [3]uint8{at.R, at.G, at.B}[c]
	}
}

// Adobe writes inks inverted: 255 is none. Or it takes what it has written for cyan, magenta and yellow from 255 and
// writes that as YCbCr, with black as it was: libjpeg's jccolor.c, cmyk_ycck_convert.
func TestInksOfPrintersHaveTheirColours(t *testing.T) {
	t.Parallel()
	f := flatJPEG{w: 320, h: 400, components: 4, adobe: 0, value: quarterInk(true)}
	for _, progressive := range []bool{false, true} {
		f.progressive, f.scans = progressive, 1
		p, err := photo.Read(f.bytes())
		require.NoError(t, err)
		areQuarters(t, p)
		require.Equal(t, []photo.Mend{photo.Inks}, p.Mended)
	}
	f.adobe = 2
	f.value = func(c, x, y int) uint8 {
		if c == 3 {
			return 255
		}
		at := [2][2]color.RGBA{{red, green}, {blue, white}}[2*y/50][2*x/40]
		luma, cb, cr := color.RGBToYCbCr(255-at.R, 255-at.G, 255-at.B)
		return [3]uint8{luma, cb, cr}[c]
	}
	p, err := photo.Read(f.bytes())
	require.NoError(t, err)
	areQuarters(t, p)

	f.value = func(c, _, _ int) uint8 { return [4]uint8{0, 128, 128, 64}[c] }
	p, err = photo.Read(f.bytes())
	require.NoError(t, err)
	large, _ := sane(t, p)
	near(t, large, 500, 500, color.RGBA{64, 64, 64, 255}, "black ink of three quarters")

	f.adobe = -1
	_, err = photo.Read(f.bytes())
	require.Equal(t, photo.Unsupported, reason(t, err), "without Adobe's marker nobody can say whether inks are inverted")
}

func TestPicturesAreTurnedUprightAndTheirPositionIsForgotten(t *testing.T) {
	t.Parallel()
	m := quarters(96, 120)
	for o := 1; o <= 8; o++ {
		for name, file := range map[string][]byte{
			"JPEG of Motorola": withEXIF(jpegOf(t, turned(m, o)), exif(binary.BigEndian, uint16(o))),
			"JPEG of Intel":    withEXIF(jpegOf(t, turned(m, o)), exif(binary.LittleEndian, uint16(o))),
			"PNG":              afterHeader(pngOf(t, turned(m, o)), chunk("eXIf", exif(binary.BigEndian, uint16(o)))),
		} {
			p, err := photo.Read(file)
			require.NoError(t, err)
			areQuarters(t, p)
			require.Equal(t, []int{96, 120, 96, 120}, []int{p.Width, p.Height, p.SmallWidth, p.SmallHeight}, "%s, %d", name, o)
			require.Contains(t, string(file), "33 57 30 N")
			require.NotContains(t, string(p.Large)+string(p.Small), "33 57 30 N")
			want := []photo.Mend{photo.Metadata, photo.Rotated}
			if o == 1 {
				want = want[:1]
			}
			require.Equal(t, want, p.Mended, "%s, %d", name, o)
		}
	}
	flags := byte(1 << 3) // EXIF
	lossless := webpOf(200, 100, false)[20:]
	p, err := photo.Read(riff(piece("VP8X", canvas(200, 100, flags)), piece("VP8L", lossless), piece("EXIF", exif(binary.LittleEndian, 6))))
	require.NoError(t, err)
	require.Equal(t, []int{100, 200}, []int{p.Width, p.Height})
	large, _ := sane(t, p)
	near(t, large, 500, 250, color.RGBA{200, 30, 30, 255}, "what was on the left is above")
}

func TestABrokenEXIFTurnsNothing(t *testing.T) {
	t.Parallel()
	whole := exif(binary.BigEndian, 6)
	for n := range whole[:8+2+2*12] {
		p, err := photo.Read(withEXIF(jpegOf(t, quarters(80, 80)), whole[:n]))
		require.NoError(t, err)
		require.NotContains(t, p.Mended, photo.Rotated, "of %d bytes", n)
	}
	for _, wrong := range []uint16{0, 9, 255} {
		p, err := photo.Read(withEXIF(jpegOf(t, quarters(80, 80)), exif(binary.BigEndian, wrong)))
		require.NoError(t, err)
		require.Equal(t, []photo.Mend{photo.Metadata}, p.Mended)
	}
}

func TestLargePicturesAreShrunkAndSmallOnesAreNotBlownUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ w, h, lw, lh, sw, sh int }{
		{1200, 1200, 1200, 1200, 240, 240},
		{1201, 1000, 1200, 999, 240, 200},
		{1500, 2000, 900, 1200, 180, 240},
		{2000, 500, 1200, 300, 240, 60},
		{90, 70, 90, 70, 90, 70},
		{40, 160, 40, 160, 40, 160},
	} {
		p, err := photo.Read(jpegOf(t, quarters(c.w, c.h)))
		require.NoError(t, err)
		areQuarters(t, p)
		require.Equal(t, []int{c.lw, c.lh, c.sw, c.sh}, []int{p.Width, p.Height, p.SmallWidth, p.SmallHeight})
		require.Equal(t, max(c.w, c.h) > photo.LargeSide, len(p.Mended) == 1 && p.Mended[0] == photo.Shrunk)
	}
}

func TestAShrunkPictureIsTheMeanOfItsAreas(t *testing.T) {
	t.Parallel()
	// Lines of one pixel, black and white: whoever takes single pixels gets one of both, and the mean is grey.
	m := image.NewGray(image.Rect(0, 0, 2400, 600))
	for y := range 600 {
		for x := range 2400 {
			m.SetGray(x, y, color.Gray{uint8(255 * (x % 2))})
		}
	}
	p, err := photo.Read(pngOf(t, m))
	require.NoError(t, err)
	large, small := sane(t, p)
	for _, x := range []int{100, 333, 501, 902} {
		near(t, large, x, 500, color.RGBA{128, 128, 128, 255}, "lines")
		near(t, small, x, 500, color.RGBA{128, 128, 128, 255}, "lines")
	}
}

func TestOfAnAnimationTheFirstFrameIsKept(t *testing.T) {
	t.Parallel()
	p, err := photo.Read(gifOf(t, quarters(120, 160), 30))
	require.NoError(t, err)
	areQuarters(t, p)
	require.Equal(t, []photo.Mend{photo.FirstFrame}, p.Mended)

	frames := binary.BigEndian.AppendUint32(nil, 12)
	p, err = photo.Read(afterHeader(pngOf(t, quarters(120, 160)), chunk("acTL", append(frames, 0, 0, 0, 0))))
	require.NoError(t, err)
	areQuarters(t, p)
	require.Equal(t, []photo.Mend{photo.FirstFrame}, p.Mended)
}

func TestEqualPixelsMakeEqualPictures(t *testing.T) {
	t.Parallel()
	m := quarters(150, 180)
	hashes := map[string]bool{}
	for i := range 3 {
		p, err := photo.Read(withEXIF(jpegOf(t, m), []byte(fmt.Sprint("taken at ", i))))
		require.NoError(t, err)
		hashes[p.Hash] = true
	}
	require.Len(t, hashes, 1, "a placeholder of all people has one hash, whatever its metadata say")
}

// BenchmarkRead is a booking photograph of 640 x 800 with noise, as cameras make it.
func BenchmarkRead(b *testing.B) {
	m := quarters(640, 800)
	state := uint32(1)
	for i := range m.Pix {
		state = state*1664525 + 1013904223
		if i%4 != 3 {
			m.Pix[i] = uint8(min(255, int(m.Pix[i])+int(state>>28)))
		}
	}
	file := jpegOf(b, m)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		if _, err := photo.Read(file); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pictures/s")
}
