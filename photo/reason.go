package photo

import (
	"errors"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
	"strings"

	"golang.org/x/image/bmp"
)

// Reason is why bytes are refused: a word that is counted and shown to operators. The words do not change.
type Reason string

// The reasons.
const (
	// Empty is no byte at all.
	Empty Reason = "empty"
	// TooManyBytes is a file above MostBytes.
	TooManyBytes Reason = "too_many_bytes"
	// WebPage is a page for a browser: usually that of a sign-in.
	WebPage Reason = "web_page"
	// SVG is a drawing that can hold scripts and addresses.
	SVG Reason = "svg"
	// OtherFormat is a picture in a format that is not read, such as TIFF or HEIC.
	OtherFormat Reason = "other_format"
	// NotAnImage is anything else that does not begin as a picture.
	NotAnImage Reason = "not_an_image"
	// TooManyPixels is a header that states more than MostPixels.
	TooManyPixels Reason = "too_many_pixels"
	// TooSmall is a picture with a side below LeastSide.
	TooSmall Reason = "too_small"
	// Banner is a picture whose sides differ by more than MostRatio.
	Banner Reason = "banner"
	// Frames is an animation of too many frames, or an animated WebP.
	Frames Reason = "frames"
	// Scans is a JPEG that goes over its picture so often that decoding would take minutes.
	Scans Reason = "scans"
	// Truncated is a picture whose file ends too early.
	Truncated Reason = "truncated"
	// Unsupported is a kind of a known format that is not read, such as arithmetic coding in JPEG.
	Unsupported Reason = "unsupported"
	// Damaged is a picture that its decoder does not take for another reason.
	Damaged Reason = "damaged"
)

// Reasons lists all reasons, for counters that start at zero.
func Reasons() []Reason {
	return []Reason{Empty, TooManyBytes, WebPage, SVG, OtherFormat, NotAnImage, TooManyPixels, TooSmall, Banner, Frames, Scans, Truncated, Unsupported, Damaged}
}

// Mend is what was not right about a file of which a picture was made: a word that is counted. The words do not change.
type Mend string

// The mends.
const (
	// Metadata is EXIF, which may hold a position and a second picture. It is left out, as is all other metadata.
	Metadata Mend = "metadata"
	// Rotated is a picture that was turned upright, as its EXIF says.
	Rotated Mend = "rotated"
	// FirstFrame is an animation of which the first frame was taken.
	FirstFrame Mend = "first_frame"
	// Inks is a JPEG for printers (CMYK), whose colours were converted without a profile.
	Inks Mend = "inks"
	// Shrunk is a picture that was larger than LargeSide.
	Shrunk Mend = "shrunk"
)

// Mends lists all mends, for counters that start at zero.
func Mends() []Mend { return []Mend{Metadata, Rotated, FirstFrame, Inks, Shrunk} }

// Error is the refusal of bytes.
type Error struct {
	Reason Reason
	// Detail is a sentence for operators. It has no more of the bytes than sizes and names of formats.
	Detail string
}

// Error is the reason with its detail.
func (e *Error) Error() string { return "photograph refused: " + string(e.Reason) + ": " + e.Detail }

// isTruncated reports whether a decoder came to the end of its file too early. Not all of them wrap io's errors.
func isTruncated(err error) bool {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	return slices.ContainsFunc([]string{"EOF", "not enough", "short Huffman data"}, func(says string) bool { return strings.Contains(err.Error(), says) })
}

// isUnsupported reports whether a decoder knows what it read, and does not read it.
func isUnsupported(err error) bool {
	_, ofJPEG := errors.AsType[jpeg.UnsupportedError](err)
	_, ofPNG := errors.AsType[png.UnsupportedError](err)
	return ofJPEG || ofPNG || errors.Is(err, bmp.ErrUnsupported)
}
