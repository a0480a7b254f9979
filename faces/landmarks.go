package faces

import (
	"fmt"
	"image"
)

const (
	landmarksSide  = 112 // pixels of the square around a face
	landmarks      = 68  // points
	landmarksModel = "face_landmark_68_model"
)

// point is a place in a photograph, in pixels.
type point struct{ x, y float64 }

// pointer finds the landmarks of a face: blocks of separable convolutions whose outputs are added up.
type pointer struct {
	first  conv
	blocks [4][]separable // the first block lacks its first layer, which is first
	last   conv
}

// newPointer reads the network of landmarks out of its weights.
func newPointer(w weights) (*pointer, error) {
	r := &reader{all: w}
	p := &pointer{first: r.conv("dense0/conv0")}
	for b := range p.blocks {
		for i := range 4 {
			if b > 0 || i > 0 {
				p.blocks[b] = append(p.blocks[b], r.separable(fmt.Sprintf("dense%d/conv%d", b, i)))
			}
		}
	}
	fc := r.take("fc/weights", 2)
	p.last = conv{1, fc.shape[0], fc.shape[1], fc.v, r.take("fc/bias", 1).v}
	return p, r.err()
}

// colours is the mean of the colours that landmarks and descriptors were trained with.
var colours = [3]float32{122.782, 117.001, 104.298}

// run returns x and y of each landmark, as shares of the side of the square image.
func (p *pointer) run(t tensor) []float32 {
	out := block(p.first.apply(t.normalized(colours), 2, same).relu(), p.blocks[0])
	for _, b := range p.blocks[1:] {
		out = block(b[0].apply(out, 2).relu(), b[1:])
	}
	return p.last.full(out.avgPool(7, 2))
}

// block feeds the sum of all outputs so far to each next layer, and returns the sum of all.
func block(sum tensor, layers []separable) tensor {
	// The first sum is not cut again: it has no negative values.
	total := sum
	for _, l := range layers {
		total = total.plus(l.apply(total.plus().relu(), 1))
	}
	return total.relu()
}

// find returns the landmarks of a face in the pixels of its photograph.
func (p *pointer) find(photo *image.RGBA, face image.Rectangle) [landmarks]point {
	// The square has the middle of the face in its middle.
	side := max(face.Dx(), face.Dy())
	corner := face.Min.Sub(image.Pt((side-face.Dx())/2, (side-face.Dy())/2))
	square := image.Rectangle{corner, corner.Add(image.Pt(side, side))}
	var points [landmarks]point
	v := p.run(resized(inside(photo, face), square, landmarksSide))
	for i := range points {
		points[i] = point{float64(corner.X) + float64(v[2*i])*float64(side), float64(corner.Y) + float64(v[2*i+1])*float64(side)}
	}
	return points
}
