package faces

import "math"

const (
	chipSide        = 150 // pixels of the aligned square
	descriptorSize  = 128
	descriptorModel = "face_recognition_model"
)

// describer makes descriptors: a residual network of 29 convolutions.
type describer struct {
	first  conv
	blocks []residual
	last   conv
}

// residual is two convolutions whose output is added to their input. A block that goes down halves the image.
type residual struct {
	one, two conv
	down     bool
}

// newDescriber reads the network out of its weights.
func newDescriber(w weights) (*describer, error) {
	r := &reader{all: w}
	d := &describer{first: r.scaled("conv32_down")}
	add := func(name string, down bool) {
		d.blocks = append(d.blocks, residual{r.scaled(name + "/conv1"), r.scaled(name + "/conv2"), down})
	}
	for _, name := range []string{
		"conv32_1", "conv32_2", "conv32_3", "conv64_down", "conv64_1", "conv64_2", "conv64_3",
		"conv128_down", "conv128_1", "conv128_2", "conv256_down", "conv256_1", "conv256_2", "conv256_down_out",
	} {
		add(name, len(name) > 9)
	}
	fc := r.take("fc", 2)
	d.last = conv{1, fc.shape[0], fc.shape[1], fc.v, make([]float32, fc.shape[1])}
	return d, r.err()
}

// apply returns what the block makes of its input.
func (b residual) apply(t tensor) tensor {
	if !b.down {
		return b.two.apply(b.one.apply(t, 1, same).relu(), 1, same).plus(t).relu()
	}
	out := b.two.apply(b.one.apply(t, 2, valid).relu(), 1, same)
	small := t.avgPool(2, 2)
	h, w, c := max(out.h, small.h), max(out.w, small.w), max(out.c, small.c)
	return small.grown(h, w, c).plus(out.grown(h, w, c)).relu()
}

// run returns the descriptor of an aligned image of chipSide.
func (d *describer) run(t tensor) []float32 {
	out := d.first.apply(t.normalized(colours), 2, valid).relu().maxPool(3, 2, valid)
	for _, b := range d.blocks {
		out = b.apply(out)
	}
	mean := zeros(1, 1, out.c)
	for y := range out.h {
		for x := range out.w {
			for i, v := range out.at(y, x) {
				mean.v[i] += v / float32(out.h*out.w)
			}
		}
	}
	return d.last.full(mean)
}

// describe returns the descriptor of an aligned image, which does not depend on whether it is mirrored.
func (d *describer) describe(t tensor) []float32 {
	v := d.run(t)
	for i, m := range d.run(t.mirrored()) {
		v[i] = (v[i] + m) / 2
	}
	return v
}

// distance returns how far apart two descriptors are.
func distance(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return math.Sqrt(sum)
}
