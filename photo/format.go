package photo

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/webp"
)

// format is a kind of picture that is read.
type format struct {
	name   string
	begins func(b []byte) bool
	config func(r io.Reader) (image.Config, error)
	decode func(r io.Reader) (image.Image, error)
	// walk goes over the parts of a file without decoding any, and refuses what its decoder should not see.
	walk func(b []byte) (parts, error)
}

// parts are what a walk finds.
type parts struct {
	exif        []byte // the first EXIF, from its TIFF header on; or nil
	frames      int
	progressive bool // it comes in several passes
}

// formats lists what is read.
func formats() []*format {
	return []*format{
		{"JPEG", starts("\xff\xd8\xff"), jpeg.DecodeConfig, jpeg.Decode, walkJPEG},
		{"PNG", starts("\x89PNG\r\n\x1a\n"), png.DecodeConfig, png.Decode, walkPNG},
		{"GIF", starts("GIF8"), gif.DecodeConfig, gif.Decode, walkGIF},
		{"WebP", func(b []byte) bool { return has(b, 0, "RIFF") && has(b, 8, "WEBP") }, webp.DecodeConfig, webp.Decode, walkWebP},
		{"BMP", func(b []byte) bool { return has(b, 0, "BM") && has(b, 6, "\x00\x00\x00\x00") }, bmp.DecodeConfig, bmp.Decode, walkNothing},
	}
}

// others are formats that are recognised and not read: a mark and where it stands.
var others = []struct {
	name string
	at   int
	mark string
}{
	{"TIFF", 0, "II*\x00"},
	{"TIFF", 0, "MM\x00*"},
	{"HEIC or AVIF", 4, "ftyp"},
	{"JPEG XL", 0, "\xff\x0a"},
	{"JPEG XL", 4, "JXL "},
	{"JPEG 2000", 4, "jP  "},
	{"PDF", 0, "%PDF-"},
	{"an icon", 0, "\x00\x00\x01\x00"},
}

// recognise returns the format of a file by how it begins. What servers call it does not count.
func recognise(b []byte) (*format, error) {
	switch {
	case len(b) == 0:
		return nil, refuse(Empty, "no byte came")
	case len(b) > MostBytes:
		return nil, refuse(TooManyBytes, "%d bytes, and at most %d are read", len(b), MostBytes)
	}
	for _, f := range formats() {
		if f.begins(b) {
			return f, nil
		}
	}
	for _, o := range others {
		if has(b, o.at, o.mark) {
			return nil, refuse(OtherFormat, "this is %s; JPEG, PNG, GIF, WebP and BMP are read", o.name)
		}
	}
	return nil, text(b)
}

// text is the refusal of what does not begin as a picture.
func text(b []byte) *Error {
	begin := strings.ToLower(string(b[:min(len(b), 4096)]))
	trimmed := strings.TrimLeft(strings.TrimPrefix(begin, "\xef\xbb\xbf"), " \t\r\n")
	page, drawing := strings.Index(begin, "<html"), strings.Index(begin, "<svg")
	switch {
	case !strings.HasPrefix(trimmed, "<"):
		return refuse(NotAnImage, "%d bytes that do not begin as a picture does", len(b))
	case drawing >= 0 && (page < 0 || drawing < page) && !strings.HasPrefix(trimmed, "<!doctype html"):
		return refuse(SVG, "this is SVG, which can hold scripts")
	case page >= 0 || strings.HasPrefix(trimmed, "<!doctype html"):
		return refuse(WebPage, "this is a page for a browser, perhaps that of a sign-in")
	}
	return refuse(NotAnImage, "this is XML or a part of a page")
}

// starts is a format that is known by its first bytes.
func starts(mark string) func(b []byte) bool {
	return func(b []byte) bool { return has(b, 0, mark) }
}

// has reports whether a mark stands at a place.
func has(b []byte, at int, mark string) bool {
	return len(b) >= at && bytes.HasPrefix(b[at:], []byte(mark))
}
