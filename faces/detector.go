package faces

import (
	"fmt"
	"image"
	"math"
	"slices"
)

const (
	detectorSide  = 320 // pixels of the square that is searched
	leastScore    = 0.5 // of a box that counts as a face
	mostOverlap   = 0.4 // of two boxes that are two faces
	boxValues     = 5   // x, y, width, height and score of a box
	detectorModel = "tiny_face_detector_model"
)

// anchors are the widths and heights of boxes, in cells, to which the detector's figures are relative.
var anchors = [][2]float64{{1.603231, 2.094468}, {6.041143, 7.080126}, {2.882459, 3.518061}, {4.266906, 5.178857}, {9.041765, 10.66308}}

// detector finds faces: a small YOLO whose convolutions are separable.
type detector struct {
	first  conv
	middle []separable
	last   conv
}

// newDetector reads the detector out of its weights.
func newDetector(w weights) (*detector, error) {
	r := &reader{all: w}
	d := &detector{first: r.conv("conv0"), last: r.conv("conv8")}
	for i := 1; i <= 5; i++ {
		d.middle = append(d.middle, r.separable(fmt.Sprintf("conv%d", i)))
	}
	return d, r.err()
}

// run returns the figures of each cell and anchor for an image of detectorSide.
func (d *detector) run(t tensor) tensor {
	out := d.first.apply(t.normalized([3]float32{117.001, 114.697, 97.404}), 1, valid).leaky().maxPool(2, 2, same)
	for i, l := range d.middle {
		stride := 2
		if i == len(d.middle)-1 {
			stride = 1
		}
		out = l.apply(out, 1).leaky().maxPool(2, stride, same)
	}
	return d.last.apply(out, 1, valid)
}

// box is where a face may be, as shares of the side of the square, and how sure the detector is.
type box struct{ x0, y0, x1, y1, score float64 }

// area returns the area of a box.
func (b box) area() float64 { return max(b.x1-b.x0, 0) * max(b.y1-b.y0, 0) }

// overlap returns which share of both boxes together they have in common.
func (b box) overlap(o box) float64 {
	common := box{x0: max(b.x0, o.x0), y0: max(b.y0, o.y0), x1: min(b.x1, o.x1), y1: min(b.y1, o.y1)}.area()
	return common / (b.area() + o.area() - common)
}

// boxes returns the faces that the figures of run show, the surest first.
func boxes(t tensor) []box {
	sigmoid := func(v float32) float64 { return 1 / (1 + math.Exp(-float64(v))) }
	cells := float64(t.w)
	var found []box
	for y := range t.h {
		for x := range t.w {
			for i, a := range anchors {
				v := t.at(y, x)[i*boxValues : (i+1)*boxValues]
				score := sigmoid(v[4])
				if score <= leastScore {
					continue
				}
				cx, cy := (float64(x)+sigmoid(v[0]))/cells, (float64(y)+sigmoid(v[1]))/cells
				w, h := math.Exp(float64(v[2]))*a[0]/cells, math.Exp(float64(v[3]))*a[1]/cells
				found = append(found, box{cx - w/2, cy - h/2, cx + w/2, cy + h/2, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b box) int { return cmpDown(a.score, b.score) })
	var kept []box
	for _, b := range found {
		if !slices.ContainsFunc(kept, func(k box) bool { return k.overlap(b) > mostOverlap }) {
			kept = append(kept, b)
		}
	}
	return kept
}

// cmpDown orders greater numbers first.
func cmpDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// find returns where the faces of a photograph are, in its pixels, the largest first.
func (d *detector) find(photo *image.RGBA) []image.Rectangle {
	side := max(photo.Rect.Dx(), photo.Rect.Dy())
	square := photo.Rect
	square.Max = square.Min.Add(image.Pt(side, side))
	var faces []image.Rectangle
	for _, b := range boxes(d.run(resized(photo, square, detectorSide))) {
		at := func(v float64) int { return int(v * float64(side)) }
		r := image.Rect(at(b.x0), at(b.y0), at(b.x1), at(b.y1)).Add(photo.Rect.Min).Intersect(photo.Rect)
		if !r.Empty() {
			faces = append(faces, r)
		}
	}
	slices.SortStableFunc(faces, func(a, b image.Rectangle) int { return b.Dx()*b.Dy() - a.Dx()*a.Dy() })
	return faces
}
