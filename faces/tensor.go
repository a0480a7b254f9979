package faces

import "slices"

// tensor is an image or what a layer made of one: height x width x channels, channels innermost.
type tensor struct {
	h, w, c int
	v       []float32
}

// zeros makes a tensor of zeros.
func zeros(h, w, c int) tensor { return tensor{h, w, c, make([]float32, h*w*c)} }

// at returns the channels of one place. Writing to them changes the tensor.
func (t tensor) at(y, x int) []float32 {
	i := (y*t.w + x) * t.c
	return t.v[i : i+t.c : i+t.c]
}

// relu makes what is below zero zero, in place.
func (t tensor) relu() tensor {
	for i, v := range t.v {
		t.v[i] = max(v, 0)
	}
	return t
}

// leaky makes what is below zero a tenth of it, in place.
func (t tensor) leaky() tensor {
	for i, v := range t.v {
		t.v[i] = max(v, 0.1*v)
	}
	return t
}

// plus returns the sum of tensors of one shape.
func (t tensor) plus(others ...tensor) tensor {
	sum := tensor{t.h, t.w, t.c, slices.Clone(t.v)}
	for _, o := range others {
		for i, v := range o.v {
			sum.v[i] += v
		}
	}
	return sum
}

// normalized subtracts the mean of each colour, and divides by 255.
func (t tensor) normalized(mean [3]float32) tensor {
	out := zeros(t.h, t.w, t.c)
	for i, v := range t.v {
		out.v[i] = (v - mean[i%3]) / 255
	}
	return out
}

// mirrored returns the image with left and right exchanged.
func (t tensor) mirrored() tensor {
	out := zeros(t.h, t.w, t.c)
	for y := range t.h {
		for x := range t.w {
			copy(out.at(y, x), t.at(y, t.w-1-x))
		}
	}
	return out
}

// padding says what a window does at the edge of an image.
type padding bool

const (
	valid padding = false // windows lie inside the image
	same  padding = true  // as many windows as strides begin in the image; what is missing is zero, first at the end
)

// windows returns how many windows of a size fit along a side of n, and how far the first begins before it.
func (p padding) windows(n, size, stride int) (count, before int) {
	if p == valid {
		return (n-size)/stride + 1, 0
	}
	count = (n + stride - 1) / stride
	return count, max((count-1)*stride+size-n, 0) / 2
}

// window calls visit for each place of the image below the window of one output place.
func (t tensor) window(y, x, size, stride, beforeY, beforeX int, visit func(cell int, from []float32)) {
	for dy := range size {
		sy := y*stride + dy - beforeY
		if sy < 0 || sy >= t.h {
			continue
		}
		for dx := range size {
			if sx := x*stride + dx - beforeX; sx >= 0 && sx < t.w {
				visit(dy*size+dx, t.at(sy, sx))
			}
		}
	}
}

// maxPool returns the greatest value of each window. Places outside the image do not count.
func (t tensor) maxPool(size, stride int, p padding) tensor {
	h, beforeY := p.windows(t.h, size, stride)
	w, beforeX := p.windows(t.w, size, stride)
	out := zeros(h, w, t.c)
	for y := range h {
		for x := range w {
			to, first := out.at(y, x), true
			t.window(y, x, size, stride, beforeY, beforeX, func(_ int, from []float32) {
				for i, v := range from {
					if first || v > to[i] {
						to[i] = v
					}
				}
				first = false
			})
		}
	}
	return out
}

// avgPool returns the mean of each window that lies inside the image.
func (t tensor) avgPool(size, stride int) tensor {
	h, _ := valid.windows(t.h, size, stride)
	w, _ := valid.windows(t.w, size, stride)
	out := zeros(h, w, t.c)
	share := 1 / float32(size*size)
	for y := range h {
		for x := range w {
			to := out.at(y, x)
			t.window(y, x, size, stride, 0, 0, func(_ int, from []float32) {
				for i, v := range from {
					to[i] += v * share
				}
			})
		}
	}
	return out
}

// grown returns the tensor with zeros after its last row, column and channel, up to a shape that is no smaller.
func (t tensor) grown(h, w, c int) tensor {
	if t.h == h && t.w == w && t.c == c {
		return t
	}
	out := zeros(h, w, c)
	for y := range t.h {
		for x := range t.w {
			copy(out.at(y, x), t.at(y, x))
		}
	}
	return out
}
