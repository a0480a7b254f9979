// Package photo makes the picture that is kept out of bytes of unknown origin: it decodes them within bounds, turns the
// picture upright, shrinks it and encodes it anew as JPEG. So nothing of the original file is kept: no position, no name
// of a camera, no smaller picture of what was cut away, nothing that follows the picture in its file.
//
// It is pure: no network, no clock, no disk. Where pictures are kept is the business of photo/vault, whether they may
// be kept that of its callers.
package photo

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
)

// The bounds of what is read and of what is made.
const (
	// MostBytes is how large a file may be.
	MostBytes = 12 << 20
	// MostPixels is how many pixels a file may state. Decoding takes 2 bytes of memory for each of a usual JPEG, and 8 of a
	// PNG of 16 bits.
	MostPixels = 40_000_000
	// MostProgressive is how many pixels a progressive JPEG or an interlaced PNG may state: decoding takes up to 24 bytes for
	// each of them. So one picture takes at most 400 MB for a moment, and callers read one at a time.
	MostProgressive = 16_000_000
	// LeastSide is how many pixels the shorter side must have: smaller ones are spacers and icons.
	LeastSide = 40
	// MostRatio is how many times as long as the shorter side the longer one may be: longer ones are banners.
	MostRatio = 4
	// LargeSide and SmallSide are how many pixels the longer side of a Picture has at most.
	LargeSide = 1200
	SmallSide = 240

	largeQuality = 85 // of JPEG, of 100
	smallQuality = 80
)

// Picture is a photograph as it is kept, in two sizes. Equal pixels make equal pictures. Another version of Go may
// encode the same pixels to other bytes, and so to another Hash.
type Picture struct {
	// Large and Small are JPEG without any metadata. Neither is ever larger than the original was.
	Large []byte
	Small []byte

	// Width and Height are those of Large in pixels, SmallWidth and SmallHeight those of Small.
	Width       int
	Height      int
	SmallWidth  int
	SmallHeight int

	// Hash is the SHA-256 of Large in 64 lower-case hexadecimal digits.
	Hash string
	// Mended lists what was not right about the file, for counters; usually nothing.
	Mended []Mend
}

// Read makes a Picture of a JPEG, PNG, GIF (of its first frame), WebP or BMP. The error is always an *Error, which says
// why the bytes are refused. It reads no more than the header of a picture with too many pixels, and it never panics.
func Read(b []byte) (p *Picture, err error) {
	defer func() {
		if r := recover(); r != nil { // in a decoder: these bytes are of people who try
			p, err = nil, refuse(Damaged, "its decoder stopped: %v", r)
		}
	}()
	f, err := recognise(b)
	if err != nil {
		return nil, err
	}
	h, err := f.inspect(b)
	if err != nil {
		return nil, err
	}
	photo, err := f.decode(bytes.NewReader(b))
	if err != nil {
		return nil, f.undecoded(err)
	}
	if err := bounded(photo.Bounds().Dx(), photo.Bounds().Dy(), MostPixels); err != nil { // a frame may be smaller than its header says
		return nil, err
	}
	return made(photo, h)
}

// bounded refuses a size.
func bounded(w, h, most int) error {
	short, long := min(w, h), max(w, h)
	switch {
	case short > 0 && long > most/short:
		return refuse(TooManyPixels, "%d x %d pixels, and at most %d in all are decoded", w, h, most)
	case short < LeastSide:
		return refuse(TooSmall, "%d x %d pixels, and each side needs %d", w, h, LeastSide)
	case long > MostRatio*short:
		return refuse(Banner, "%d x %d pixels: one side is more than %d times as long as the other", w, h, MostRatio)
	}
	return nil
}

// made encodes a decoded picture in both sizes.
func made(photo image.Image, h *header) (*Picture, error) {
	mended := h.mended
	w, ht := fit(photo.Bounds().Dx(), photo.Bounds().Dy(), LargeSide)
	if w < photo.Bounds().Dx() {
		mended = append(mended, Shrunk)
	}
	large := upright(shrink(photo, w, ht), h.orientation)
	sw, sh := fit(large.Rect.Dx(), large.Rect.Dy(), SmallSide)
	p := &Picture{Width: large.Rect.Dx(), Height: large.Rect.Dy(), SmallWidth: sw, SmallHeight: sh, Mended: mended}
	var err error
	if p.Large, err = encoded(large, largeQuality); err != nil {
		return nil, err
	}
	if p.Small, err = encoded(shrink(large, sw, sh), smallQuality); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(p.Large)
	p.Hash = hex.EncodeToString(sum[:])
	return p, nil
}

// fit returns the size of a picture whose longer side has at most side pixels.
func fit(w, h, side int) (int, int) {
	long := max(w, h)
	if long <= side {
		return w, h
	}
	return max(1, (w*side+long/2)/long), max(1, (h*side+long/2)/long)
}

// encoded writes a picture as JPEG.
func encoded(photo image.Image, quality int) ([]byte, error) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, photo, &jpeg.Options{Quality: quality}); err != nil {
		return nil, refuse(Damaged, "encode: %v", err)
	}
	return b.Bytes(), nil
}

// header is what a file says of itself before it is decoded.
type header struct {
	orientation int // of EXIF: 1 is upright
	mended      []Mend
}

// inspect reads the header of a file and refuses what should not be decoded.
func (f *format) inspect(b []byte) (*header, error) {
	config, err := f.config(bytes.NewReader(b))
	if err != nil {
		return nil, f.undecoded(err)
	}
	found, err := f.walk(b)
	if err != nil {
		return nil, err
	}
	most := MostPixels
	if found.progressive {
		most = MostProgressive
	}
	if err := bounded(config.Width, config.Height, most); err != nil {
		return nil, err
	}
	h := &header{orientation: 1}
	if found.exif != nil {
		h.mended = append(h.mended, Metadata)
		if h.orientation = orientation(found.exif); h.orientation != 1 {
			h.mended = append(h.mended, Rotated)
		}
	}
	if found.frames > 1 {
		h.mended = append(h.mended, FirstFrame)
	}
	if config.ColorModel == color.CMYKModel {
		h.mended = append(h.mended, Inks)
	}
	return h, nil
}

// undecoded is the refusal of a file that its decoder does not take.
func (f *format) undecoded(err error) *Error {
	switch {
	case isTruncated(err):
		return refuse(Truncated, "this %s ends before its picture does: %v", f.name, err)
	case isUnsupported(err):
		return refuse(Unsupported, "this kind of %s is not read: %v", f.name, err)
	}
	return refuse(Damaged, "this %s is damaged: %v", f.name, err)
}

// refuse returns an Error.
func refuse(reason Reason, detail string, args ...any) *Error {
	return &Error{Reason: reason, Detail: fmt.Sprintf(detail, args...)}
}
