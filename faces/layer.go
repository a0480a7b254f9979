package faces

import "slices"

// conv is a convolution: each output channel is a weighted sum over a window of all input channels, plus a bias.
type conv struct {
	size, in, out int
	filters       []float32 // size x size x in rows of out weights
	bias          []float32 // out
}

// apply returns the convolution of an image.
func (l conv) apply(t tensor, stride int, p padding) tensor {
	h, beforeY := p.windows(t.h, l.size, stride)
	w, beforeX := p.windows(t.w, l.size, stride)
	out := zeros(h, w, l.out)
	row := l.size * l.size * l.in
	// The windows of one row of places become the rows of a matrix, which is multiplied by the filters.
	patches := make([]float32, w*row)
	for y := range h {
		clear(patches)
		for x := range w {
			patch := patches[x*row : (x+1)*row]
			t.window(y, x, l.size, stride, beforeY, beforeX, func(cell int, from []float32) {
				copy(patch[cell*l.in:], from)
			})
		}
		line := out.v[y*w*l.out : (y+1)*w*l.out]
		for x := range w {
			copy(line[x*l.out:], l.bias)
		}
		multiply(line, patches, l.filters, w, row, l.out)
	}
	return out
}

// multiply adds the product of a (m x k) and b (k x n) to c (m x n). Four rows of a at once share the reading of b.
func multiply(c, a, b []float32, m, k, n int) {
	i := 0
	for ; i+4 <= m; i += 4 {
		c0, c1, c2, c3 := c[i*n:(i+1)*n], c[(i+1)*n:(i+2)*n], c[(i+2)*n:(i+3)*n], c[(i+3)*n:(i+4)*n]
		for j := range k {
			a0, a1, a2, a3 := a[i*k+j], a[(i+1)*k+j], a[(i+2)*k+j], a[(i+3)*k+j]
			if a0 == 0 && a1 == 0 && a2 == 0 && a3 == 0 {
				continue
			}
			c1, c2, c3 := c1[:len(c0)], c2[:len(c0)], c3[:len(c0)]
			for x, v := range b[j*n : j*n+len(c0)] {
				c0[x] += a0 * v
				c1[x] += a1 * v
				c2[x] += a2 * v
				c3[x] += a3 * v
			}
		}
	}
	for ; i < m; i++ {
		to := c[i*n : (i+1)*n]
		for j := range k {
			f := a[i*k+j]
			for x, v := range b[j*n : (j+1)*n] {
				to[x] += f * v
			}
		}
	}
}

// separable is a convolution in two steps: a window over each channel alone, then a weighted sum of the channels.
type separable struct {
	depthwise []float32 // 3 x 3 x channels
	pointwise conv      // of size 1
}

// apply returns the convolution of an image.
func (l separable) apply(t tensor, stride int) tensor {
	const size = 3
	h, beforeY := same.windows(t.h, size, stride)
	w, beforeX := same.windows(t.w, size, stride)
	mid := zeros(h, w, t.c)
	for y := range h {
		for x := range w {
			to := mid.at(y, x)
			t.window(y, x, size, stride, beforeY, beforeX, func(cell int, from []float32) {
				for i, f := range l.depthwise[cell*t.c : (cell+1)*t.c] {
					to[i] += from[i] * f
				}
			})
		}
	}
	return l.pointwise.apply(mid, 1, valid)
}

// full returns a fully connected layer: a weighted sum of all values of an image.
func (l conv) full(t tensor) []float32 {
	out := slices.Clone(l.bias)
	multiply(out, t.v, l.filters, 1, len(t.v), l.out)
	return out
}
