package photo_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"
)

var (
	red   = color.RGBA{200, 30, 30, 255}
	green = color.RGBA{30, 160, 40, 255}
	blue  = color.RGBA{30, 40, 180, 255}
	white = color.RGBA{255, 255, 255, 255}
)

// quarters draws a picture whose quarters have four colours: red and green above, blue and white below.
func quarters(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i, colour := range []color.RGBA{red, green, blue, white} {
		left, top := i%2*(w+1)/2, i/2*(h+1)/2
		draw.Draw(m, image.Rect(left, top, w, h), image.NewUniform(colour), image.Point{}, draw.Src)
	}
	return m
}

// jpegOf, pngOf, bmpOf and gifOf are files of a picture.
func jpegOf(tb testing.TB, m image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, jpeg.Encode(&b, m, nil))
	return b.Bytes()
}

func pngOf(tb testing.TB, m image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, png.Encode(&b, m))
	return b.Bytes()
}

func bmpOf(tb testing.TB, m image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, bmp.Encode(&b, m))
	return b.Bytes()
}

// gifOf has the picture as its first frame, and black ones after it.
func gifOf(tb testing.TB, m image.Image, frames int) []byte {
	tb.Helper()
	palette := color.Palette{red, green, blue, white, color.Black}
	file := &gif.GIF{}
	for i := range frames {
		frame := image.NewPaletted(m.Bounds(), palette)
		for y := range frame.Rect.Dy() {
			for x := range frame.Rect.Dx() {
				frame.Set(x, y, color.Black)
				if i == 0 {
					frame.Set(x, y, m.At(x, y))
				}
			}
		}
		if i > 0 {
			frame.Rect, frame.Pix = image.Rect(0, 0, 1, 1), frame.Pix[:1]
		}
		file.Image, file.Delay = append(file.Image, frame), append(file.Delay, 10)
	}
	var b bytes.Buffer
	require.NoError(tb, gif.EncodeAll(&b, file))
	return b.Bytes()
}

// chunk is one of a PNG.
func chunk(name string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, name...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// afterHeader puts chunks behind the header of a PNG.
func afterHeader(file []byte, chunks ...[]byte) []byte {
	const header = 8 + 25
	return bytes.Join([][]byte{file[:header], bytes.Join(chunks, nil), file[header:]}, nil)
}

// exif is EXIF with an orientation between other tags, and with a position.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	b := []byte("MM\x00*")
	if order.String() == "LittleEndian" {
		b = []byte("II*\x00")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 3)
	entry := func(tag, kind uint16, count uint32, value uint16) {
		b = order.AppendUint16(order.AppendUint16(b, tag), kind)
		b = order.AppendUint32(b, count)
		b = order.AppendUint16(order.AppendUint16(b, value), 0)
	}
	entry(0x0103, 3, 1, 6)
	entry(0x0112, 3, 1, orientation)
	entry(0x8825, 4, 1, 50) // where the position stands
	return append(b, "\x00\x00\x00\x00 33 57 30 N 83 22 39 W"...)
}

// withEXIF puts EXIF into a JPEG.
func withEXIF(file, exif []byte) []byte {
	body := append([]byte("Exif\x00\x00"), exif...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2))
	return bytes.Join([][]byte{file[:2], segment, body, file[2:]}, nil)
}

// turned is the picture that its orientation turns upright.
func turned(upright *image.RGBA, orientation int) *image.RGBA {
	w, h := upright.Rect.Dx(), upright.Rect.Dy()
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	m := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			// Where the pixel lies in the file: EXIF 2.32, table of Orientation, "the 0th row is at the ... of the visual image".
			at := [...]image.Point{1: {x, y}, 2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y}, 5: {y, x}, 6: {y, w - 1 - x}, 7: {h - 1 - y, w - 1 - x}, 8: {h - 1 - y, x}}[orientation]
			m.SetRGBA(at.X, at.Y, upright.RGBAAt(x, y))
		}
	}
	return m
}

// flatJPEG writes JPEG as Go's encoder does not: blocks of one value each, with any number of components, sequential or
// progressive, in any number of scans. value returns that of a component in the block at x, y.
type flatJPEG struct {
	w, h, components int
	adobe            int // the transformation that Adobe's marker names, or -1 for no marker
	progressive      bool
	scans            int // of progressive files: those after the first one refine nothing
	value            func(component, x, y int) uint8
}

func (f flatJPEG) bytes() []byte {
	b := []byte{0xff, 0xd8}
	segment := func(marker byte, body ...byte) {
		b = append(binary.BigEndian.AppendUint16(append(b, 0xff, marker), uint16(len(body)+2)), body...)
	}
	if f.adobe >= 0 {
		segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), byte(f.adobe))...)
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{8}, 64)...)...) // so that a value of a block is what its mean is
	frame := []byte{8, byte(f.h >> 8), byte(f.h), byte(f.w >> 8), byte(f.w), byte(f.components)}
	scan := []byte{byte(f.components)}
	for c := range f.components {
		frame = append(frame, byte(c+1), 0x11, 0)
		scan = append(scan, byte(c+1), 0)
	}
	marker := byte(0xc0)
	if f.progressive {
		marker = 0xc2
	}
	segment(marker, frame...)
	// Twelve codes of 4 bits for the lengths of differences; for the rest one code of 1 bit, the end of a block.
	segment(0xc4, append([]byte{0x00, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)...)
	segment(0xc4, append([]byte{0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0)...)
	end := byte(63)
	if f.progressive {
		end = 0
	}
	segment(0xda, append(scan, 0, end, 0)...)
	b = append(b, f.blocks()...)
	for range f.scans - 1 { // more scans: a run of ended blocks that lacks its bits is enough to be counted
		segment(0xda, 1, 1, 0, 1, 63, 0)
		b = append(b, 0)
	}
	return append(b, 0xff, 0xd9)
}

// blocks is the data of the first scan.
func (f flatJPEG) blocks() []byte {
	w := bits{high: true}
	last := make([]int, f.components)
	for y := range (f.h + 7) / 8 {
		for x := range (f.w + 7) / 8 {
			for c := range f.components {
				value := int(f.value(c, x, y)) - 128
				diff := value - last[c]
				last[c] = value
				size := 0
				for v := max(diff, -diff); v > 0; v >>= 1 {
					size++
				}
				w.put(uint32(size), 4)
				if diff < 0 {
					diff += 1<<size - 1
				}
				w.put(uint32(diff), size)
				if !f.progressive {
					w.put(0, 1)
				}
			}
		}
	}
	for len(w.b) == 0 || w.n%8 != 0 {
		w.put(1, 1)
	}
	return bytes.ReplaceAll(w.b, []byte{0xff}, []byte{0xff, 0})
}

// bits are written from the highest or from the lowest of a byte on.
type bits struct {
	b    []byte
	n    int
	high bool
}

func (w *bits) put(v uint32, count int) {
	for i := range count {
		if w.n%8 == 0 {
			w.b = append(w.b, 0)
		}
		from, to := i, w.n%8
		if w.high {
			from, to = count-1-i, 7-w.n%8
		}
		w.b[len(w.b)-1] |= byte(v>>from&1) << to
		w.n++
	}
}

// webpOf is a lossless WebP of two halves, red on the left and blue on the right, or of one red if that is asked for:
// then any size takes 25 bytes.
func webpOf(w, h int, one bool) []byte {
	o := &bits{}
	o.put(0x2f, 8)
	o.put(uint32(w-1), 14)
	o.put(uint32(h-1), 14)
	o.put(0, 1+3) // no alpha, version 0
	o.put(0, 1)   // no transformation
	o.put(0, 1)   // no cache of colours
	o.put(0, 1)   // one group of codes
	code := func(symbols ...uint32) {
		o.put(1, 1) // a simple code
		o.put(uint32(len(symbols)-1), 1)
		o.put(1, 1)
		for _, s := range symbols {
			o.put(s, 8)
		}
	}
	if one {
		code(30)
		code(200)
		code(30)
	} else {
		code(30)
		code(30, 200)
		code(30, 180)
	}
	code(255)
	code(0)
	if !one {
		for range h {
			for x := range w {
				right := uint32(2 * x / w)
				o.put(1-right, 1)
				o.put(right, 1)
			}
		}
	}
	return riff(piece("VP8L", o.b))
}

// riff is a WebP of chunks.
func riff(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

// piece is a chunk of a WebP.
func piece(name string, data []byte) []byte {
	b := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(data))), data...)
	if len(data)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

// canvas is the chunk VP8X of a size with flags.
func canvas(w, h int, flags byte) []byte {
	return []byte{flags, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), byte((w - 1) >> 16), byte(h - 1), byte((h - 1) >> 8), byte((h - 1) >> 16)}
}
