package faces

import (
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // photographs are JPEG, PNG or GIF
	_ "image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
)

const (
	mostBytes  = 8 << 20 // of a photograph that is read
	mostPixels = 40e6    // of a photograph that is decoded
	mostSide   = 1024    // pixels of a photograph that is looked at: larger ones are shrunk
)

// ErrPicture is returned for what is no photograph that can be compared.
var ErrPicture = errors.New("no photograph")

// Read decodes a JPEG or PNG of at most 8 MiB and 40 million pixels. Anything else is ErrPicture with the reason.
func Read(r io.ReadSeeker) (image.Image, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("read a photograph: %w", err)
	}
	if size > mostBytes {
		return nil, fmt.Errorf("%w: %d bytes, and %d are read", ErrPicture, size, mostBytes)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read a photograph: %w", err)
	}
	config, format, err := image.DecodeConfig(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPicture, err)
	}
	if float64(config.Width)*float64(config.Height) > mostPixels {
		return nil, fmt.Errorf("%w: %d x %d pixels, and %.0f in all are decoded", ErrPicture, config.Width, config.Height, float64(mostPixels))
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read a photograph: %w", err)
	}
	photo, _, err := image.Decode(r)
	if err != nil {
		return nil, fmt.Errorf("%w: this %s ends or is damaged: %w", ErrPicture, format, err)
	}
	return photo, nil
}

// working returns a copy to look at, no larger than mostSide. What is transparent is white in it.
func working(photo image.Image) *image.RGBA {
	from := photo.Bounds()
	w, h := from.Dx(), from.Dy()
	if side := max(w, h); side > mostSide {
		w, h = max(1, w*mostSide/side), max(1, h*mostSide/side)
	}
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(to, to.Rect, image.White, image.Point{}, draw.Src)
	draw.BiLinear.Scale(to, to.Rect, photo, from, draw.Over, nil)
	return to
}

// inside returns the part of a photograph below a face.
func inside(photo *image.RGBA, face image.Rectangle) *image.RGBA {
	part, _ := photo.SubImage(face).(*image.RGBA)
	return part
}

// resized returns a square of a photograph, scaled to a side. What lies outside the photograph is black.
func resized(photo *image.RGBA, square image.Rectangle, side int) tensor {
	scale := float64(side) / float64(square.Dx())
	return warped(photo, f64.Aff3{scale, 0, -scale * float64(square.Min.X), 0, scale, -scale * float64(square.Min.Y)}, side)
}

// warped returns the square into which a transformation takes a photograph. What lies outside is black.
func warped(photo *image.RGBA, to f64.Aff3, side int) tensor {
	square := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.BiLinear.Transform(square, to, photo, photo.Rect, draw.Src, nil)
	t := zeros(side, side, 3)
	for i := range side * side {
		for c := range 3 {
			t.v[3*i+c] = float32(square.Pix[4*i+c])
		}
	}
	return t
}

// mean are the places of the outer and inner corners of the eyes and of the bottom of the nose in an aligned face
// of side 1, as dlib has them for its five landmarks. landmark names each of them among the 68.
var mean = [...]struct {
	landmark int
	point
}{
	{45, point{0.8595674595992, 0.2134981538014}},
	{42, point{0.6460604764104, 0.2289674387677}},
	{36, point{0.1205750620789, 0.2137274526848}},
	{39, point{0.3340850613712, 0.2290642403242}},
	{33, point{0.4901123135679, 0.6277975316475}},
}

// margin is how much of the aligned face is added on each side of it.
const margin = 0.25

// aligned returns the aligned square of a face: its landmarks are turned, scaled and moved onto the mean ones, by
// the least squares.
func aligned(photo *image.RGBA, marks [landmarks]point) tensor {
	const n = float64(len(mean))
	var from, to point // centres
	goal := func(p point) point {
		return point{(margin + p.x) / (1 + 2*margin) * chipSide, (margin + p.y) / (1 + 2*margin) * chipSide}
	}
	for _, m := range mean {
		g := goal(m.point)
		from.x, from.y = from.x+marks[m.landmark].x/n, from.y+marks[m.landmark].y/n
		to.x, to.y = to.x+g.x/n, to.y+g.y/n
	}
	// With complex numbers: the goals are a times the landmarks, and a is the sum of products over the sum of squares.
	var re, im, squares float64
	for _, m := range mean {
		g, l := goal(m.point), marks[m.landmark]
		gx, gy, lx, ly := g.x-to.x, g.y-to.y, l.x-from.x, l.y-from.y
		re, im, squares = re+gx*lx+gy*ly, im+gy*lx-gx*ly, squares+lx*lx+ly*ly
	}
	re, im = re/squares, im/squares
	return warped(photo, f64.Aff3{re, -im, to.x - re*from.x + im*from.y, im, re, to.y - im*from.x - re*from.y}, chipSide)
}
