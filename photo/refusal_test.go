package photo_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"image"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/photo"
)

// reason is that of a refusal.
func reason(tb testing.TB, err error) photo.Reason {
	tb.Helper()
	refused, ok := errors.AsType[*photo.Error](err)
	require.True(tb, ok, "%v", err)
	require.Contains(tb, photo.Reasons(), refused.Reason)
	require.NotEmpty(tb, refused.Detail)
	return refused.Reason
}

// deflated is a stream of zeros.
func deflated(tb testing.TB, size int) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write(make([]byte, size))
	require.NoError(tb, err)
	require.NoError(tb, w.Close())
	return b.Bytes()
}

// pngHeader is a PNG of a size whose picture is a stream.
func pngHeader(w, h uint32, stream []byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return bytes.Join([][]byte{[]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, 8, 6, 0, 0, 0)), chunk("IDAT", stream), chunk("IEND", nil)}, nil)
}

// interlaced states in the header of a PNG that the picture comes in seven passes.
func interlaced(file []byte) []byte {
	head := bytes.Clone(file[16 : 16+13])
	head[12] = 1
	return bytes.Join([][]byte{file[:8], chunk("IHDR", head), file[8+25:]}, nil)
}

// gifHeader is a GIF of a size without a frame.
func gifHeader(w, h int) []byte {
	return []byte{'G', 'I', 'F', '8', '9', 'a', byte(w), byte(w >> 8), byte(h), byte(h >> 8), 0x80, 0, 0, 0, 0, 0, 255, 255, 255}
}

// bmpHeader is a BMP of a size without a pixel.
func bmpHeader(w, h uint32) []byte {
	b := append([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00"), 54, 0, 0, 0, 40, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, w), h)
	return append(append(b, 1, 0, 24, 0), make([]byte, 24)...)
}

// resized lets the header of a JPEG state another size than it has.
func resized(file []byte, frame byte, w, h int) []byte {
	b := bytes.Clone(file)
	at := bytes.Index(b, []byte{0xff, frame}) + 5
	b[at], b[at+1], b[at+2], b[at+3] = byte(h>>8), byte(h), byte(w>>8), byte(w)
	return b
}

// flat is a picture of one value.
func flat(int, int, int) uint8 { return 9 }

// film is a GIF of many frames.
func film(tb testing.TB, frames int) []byte {
	tb.Helper()
	b := gifOf(tb, quarters(64, 64), 1)
	b = b[:len(b)-1]
	// A frame of one pixel: its place and size, then 2 bits a code: clear, 0, end.
	b = append(b, bytes.Repeat([]byte{0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0}, frames-1)...)
	return append(b, 0x3b)
}

var page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form method=post><input name=user><svg width=9></svg></form></body></html>"

// refusals are the bad input of a day: a case of each kind that the project names, and more.
func refusals(tb testing.TB) map[string]struct {
	file []byte
	want photo.Reason
} {
	tb.Helper()
	type refusal = struct {
		file []byte
		want photo.Reason
	}
	whole, lossless := jpegOf(tb, quarters(320, 400)), webpOf(200, 100, false)
	animated := riff(piece("VP8X", canvas(200, 100, 1<<1)), piece("ANIM", make([]byte, 6)), piece("ANMF", make([]byte, 24)))
	return map[string]refusal{
		"nothing":                               {nil, photo.Empty},
		"a word":                                {[]byte("404"), photo.NotAnImage},
		"JSON of an error":                      {[]byte(`{"error":"no such inmate"}`), photo.NotAnImage},
		"a program":                             {[]byte("\x7fELF\x02\x01\x01"), photo.NotAnImage},
		"XML of an error":                       {[]byte(`<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`), photo.NotAnImage},
		"base64 that nobody decoded":            {[]byte("/9j/4AAQSkZJRgABAQAAAQABAAD"), photo.NotAnImage},
		"50 MB":                                 {append(bytes.Clone(whole), make([]byte, 50<<20)...), photo.TooManyBytes},
		"one byte too many":                     {append(bytes.Clone(whole), make([]byte, photo.MostBytes+1-len(whole))...), photo.TooManyBytes},
		"the page of a sign-in":                 {[]byte(page), photo.WebPage},
		"a page after a mark and blanks":        {[]byte("\xef\xbb\xbf \r\n" + strings.ToLower(page)), photo.WebPage},
		"a page after a comment":                {[]byte("<!-- portal --><HTML>" + page), photo.WebPage},
		"SVG":                                   {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), photo.SVG},
		"SVG after a prologue":                  {[]byte("<?xml version='1.0'?>\n<!DOCTYPE svg PUBLIC 'x' 'y'>\n<SVG width='9'><foreignObject><html/></foreignObject></SVG>"), photo.SVG},
		"TIFF":                                  {[]byte("II*\x00\x08\x00\x00\x00"), photo.OtherFormat},
		"HEIC of a telephone":                   {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"), photo.OtherFormat},
		"PDF":                                   {[]byte("%PDF-1.7\n"), photo.OtherFormat},
		"PNG of 2^24 pixels on each side":       {pngHeader(1<<24, 1<<24, nil), photo.TooManyPixels},
		"PNG of 50,000 pixels on each side":     {pngHeader(50_000, 50_000, nil), photo.TooManyPixels},
		"JPEG of 65,535 pixels on each side":    {resized(whole, 0xc0, 65_535, 65_535), photo.TooManyPixels},
		"JPEG just above the pixels":            {resized(whole, 0xc0, 8000, 5001), photo.TooManyPixels},
		"progressive JPEG of 20 million pixels": {resized(flatJPEG{w: 64, h: 64, components: 4, adobe: 0, progressive: true, scans: 1, value: flat}.bytes(), 0xc2, 5000, 4000), photo.TooManyPixels},
		"interlaced PNG of 20 million pixels":   {interlaced(pngHeader(5000, 4000, nil)), photo.TooManyPixels},
		"GIF of 65,535 pixels on each side":     {gifHeader(65_535, 65_535), photo.TooManyPixels},
		"BMP of 60,000 pixels on each side":     {bmpHeader(60_000, 60_000), photo.TooManyPixels},
		"WebP of 16,384 pixels in 25 bytes":     {webpOf(16_384, 16_384, true), photo.TooManyPixels},
		"WebP with a larger canvas":             {riff(piece("VP8X", canvas(1<<24, 100, 0)), piece("VP8L", lossless[20:])), photo.TooManyPixels},
		"WebP with a smaller canvas":            {riff(piece("VP8X", canvas(50, 50, 0)), piece("VP8L", webpOf(16_384, 16_384, true)[20:])), photo.Damaged},
		"JPEG of 1 x 65,535 pixels":             {resized(whole, 0xc0, 1, 65_535), photo.TooSmall},
		"PNG of 65,535 x 1 pixels":              {pngHeader(65_535, 1, nil), photo.TooSmall},
		"a spacer":                              {gifOf(tb, quarters(1, 1), 1), photo.TooSmall},
		"an icon of 32 pixels":                  {pngOf(tb, quarters(32, 32)), photo.TooSmall},
		"one pixel too few":                     {pngOf(tb, quarters(39, 60)), photo.TooSmall},
		"a BMP without a size":                  {bmpHeader(0, 0), photo.TooSmall},
		"a banner":                              {pngOf(tb, quarters(468, 60)), photo.Banner},
		"a column":                              {pngOf(tb, quarters(60, 241)), photo.Banner},
		"a film":                                {film(tb, 201), photo.Frames},
		"an animated WebP":                      {animated, photo.Frames},
		"an animated PNG of 2^32 frames":        {afterHeader(pngOf(tb, quarters(64, 64)), chunk("acTL", bytes.Repeat([]byte{0xff}, 8))), photo.Frames},
		"a JPEG of 101 scans":                   {flatJPEG{w: 64, h: 64, components: 3, adobe: -1, progressive: true, scans: 101, value: flat}.bytes(), photo.Scans},
		"half a JPEG":                           {whole[:len(whole)/2], photo.Truncated},
		"a JPEG without its last bytes":         {whole[:len(whole)-3], photo.Truncated},
		"the header of a JPEG":                  {whole[:20], photo.Truncated},
		"half a PNG":                            {pngOf(tb, quarters(320, 400))[:300], photo.Truncated},
		"a PNG whose picture ends":              {pngHeader(400, 400, deflated(tb, 999)), photo.Truncated},
		"half a GIF":                            {gifOf(tb, quarters(320, 400), 1)[:900], photo.Truncated},
		"a GIF without a frame":                 {gifHeader(100, 100), photo.Truncated},
		"half a BMP":                            {bmpOf(tb, quarters(320, 400))[:9000], photo.Truncated},
		"half a WebP":                           {lossless[:len(lossless)/2], photo.Truncated},
		"a WebP that states 4 GB":               {[]byte("RIFF\xff\xff\xff\xffWEBPVP8 \xf0\xff\xff\x7f\x10\x00\x00\x9d\x01\x2a\x64\x00\x64\x00"), photo.Truncated},
		"a JPEG of arithmetic coding":           {bytes.Replace(whole, []byte{0xff, 0xc0}, []byte{0xff, 0xc9}, 1), photo.Unsupported},
		"a lossless JPEG":                       {bytes.Replace(whole, []byte{0xff, 0xc0}, []byte{0xff, 0xc3}, 1), photo.Unsupported},
		"a JPEG of 12 bits":                     {bytes.Replace(whole, []byte{0xff, 0xc0, 0, 17, 8}, []byte{0xff, 0xc0, 0, 17, 12}, 1), photo.Unsupported},
		"a BMP of 16 bits":                      {bytes.Replace(bmpHeader(100, 100), []byte{1, 0, 24}, []byte{1, 0, 16}, 1), photo.Unsupported},
		"a JPEG without tables":                 {bytes.Replace(whole, []byte{0xff, 0xc4}, []byte{0xff, 0xfe}, 1), photo.Damaged},
		"a PNG with a wrong sum":                {bytes.Replace(pngOf(tb, quarters(64, 64)), []byte("IEND\xae"), []byte("IEND\xaf"), 1), photo.Damaged},
		"a PNG with more pixels than it states": {pngHeader(40, 40, deflated(tb, 4<<20)), photo.Damaged},
		"a GIF with a code that does not exist": {append(gifHeader(100, 100), 0x2c, 0, 0, 0, 0, 100, 0, 100, 0, 0, 2, 1, 0xff, 0), photo.Damaged},
		"a frame outside its GIF":               {append(gifHeader(100, 100), 0x2c, 200, 0, 0, 0, 100, 0, 100, 0, 0), photo.Damaged},
		"a frame of one pixel in a large GIF":   {append(gifHeader(100, 100), 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0, 0x3b), photo.TooSmall},
	}
}

func TestBadInputIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	cases, seen := refusals(t), map[photo.Reason]bool{}
	for name, c := range cases {
		p, err := photo.Read(c.file)
		require.Nil(t, p, name)
		require.Equal(t, c.want, reason(t, err), "%s: %v", name, err)
		for _, theirs := range []string{"alert", "inmate", "Sign in", "AccessDenied"} {
			require.NotContains(t, err.Error(), theirs, "a refusal repeats nothing of the bytes")
		}
		seen[c.want] = true
	}
	for _, r := range photo.Reasons() {
		require.True(t, seen[r], "a case for %s", r)
	}
}

// What is refused by its header takes no memory for its pixels. No other test may run beside this one.
func TestAHeaderTakesNoMemory(t *testing.T) { //nolint:paralleltest // it measures what the process allocates
	for name, c := range refusals(t) {
		if !slices.Contains([]photo.Reason{photo.TooManyBytes, photo.TooManyPixels, photo.Banner, photo.Frames, photo.Scans, photo.WebPage}, c.want) && !strings.Contains(name, "4 GB") {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := photo.Read(c.file)
		runtime.ReadMemStats(&after)
		require.Error(t, err)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), name)
	}
}

func TestEachCutOfAFileIsRefusedOrReadAndNeverPanics(t *testing.T) {
	t.Parallel()
	m := quarters(48, 64)
	files := [][]byte{
		jpegOf(t, m), pngOf(t, m), gifOf(t, m, 3), bmpOf(t, m), webpOf(48, 64, false),
		withEXIF(jpegOf(t, m), exif(binary.LittleEndian, 6)),
		riff(piece("VP8X", canvas(48, 64, 1<<3)), piece("VP8L", webpOf(48, 64, false)[20:]), piece("EXIF", exif(binary.LittleEndian, 6))),
	}
	for _, file := range files {
		step := max(1, len(file)/120)
		for n := 0; n < len(file); n += step {
			if _, err := photo.Read(file[:n]); err != nil {
				reason(t, err)
			}
			wrong := bytes.Clone(file)
			wrong[n] ^= 0x5a
			if p, err := photo.Read(wrong); err != nil {
				reason(t, err)
			} else {
				sane(t, p)
			}
		}
	}
}

// FuzzRead looks for bytes that panic, that are refused without a reason, or that make a picture that is none.
func FuzzRead(f *testing.F) {
	for _, c := range refusals(f) {
		if len(c.file) < 100_000 {
			f.Add(c.file)
		}
	}
	m := quarters(48, 64)
	for _, file := range [][]byte{jpegOf(f, m), pngOf(f, m), gifOf(f, m, 2), bmpOf(f, m), webpOf(48, 64, false), withEXIF(jpegOf(f, m), exif(binary.BigEndian, 8))} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if config, _, err := image.DecodeConfig(bytes.NewReader(b)); err == nil && config.Width*config.Height > 1<<20 && config.Width*config.Height < photo.MostPixels {
			t.Skip("a large picture takes seconds, and shows no more than a small one")
		}
		p, err := photo.Read(b)
		if err != nil {
			reason(t, err)
			return
		}
		sane(t, p)
		again, err := photo.Read(p.Large)
		require.NoError(t, err, "a picture that was kept can be read")
		require.Empty(t, again.Mended)
	})
}
