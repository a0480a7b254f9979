package faces

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// random fills a slice with numbers between -1 and 1.
func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = r.Float32()*2 - 1
	}
	return v
}

// plain is a convolution as it is defined, one value at a time.
func plain(l conv, t tensor, stride, h, w, beforeY, beforeX int) tensor {
	out := zeros(h, w, l.out)
	for y := range h {
		for x := range w {
			for o := range l.out {
				sum := l.bias[o]
				for dy := range l.size {
					for dx := range l.size {
						sy, sx := y*stride+dy-beforeY, x*stride+dx-beforeX
						if sy < 0 || sx < 0 || sy >= t.h || sx >= t.w {
							continue
						}
						for i, v := range t.at(sy, sx) {
							sum += v * l.filters[((dy*l.size+dx)*l.in+i)*l.out+o]
						}
					}
				}
				out.at(y, x)[o] = sum
			}
		}
	}
	return out
}

func TestAConvolutionIsWhatItsDefinitionSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		n := func(least, most int, of string) int { return rapid.IntRange(least, most).Draw(rt, of) }
		size, stride := n(1, 3, "size"), n(1, 2, "stride")
		in, out := n(1, 4, "channels in"), n(1, 6, "channels out")
		im := zeros(n(3, 9, "height"), n(3, 9, "width"), in)
		im.v = random(r, len(im.v))
		l := conv{size, in, out, random(r, size*size*in*out), random(r, out)}
		for _, p := range []padding{valid, same} {
			h, y := p.windows(im.h, size, stride)
			w, x := p.windows(im.w, size, stride)
			want, got := plain(l, im, stride, h, w, y, x), l.apply(im, stride, p)
			require.Equal(rt, [3]int{h, w, out}, [3]int{got.h, got.w, got.c})
			require.InDeltaSlice(rt, want.v, got.v, 1e-4)
		}
	})
}

func TestWindowsLieAsTheNetworksWereTrained(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p                                    padding
		n, size, stride, wantCount, wantFrom int
	}{
		{valid, 150, 7, 2, 72, 0},
		{same, 112, 3, 2, 56, 0}, // what is missing is at the end
		{same, 113, 3, 2, 57, 1},
		{same, 10, 2, 1, 10, 0},
		{same, 35, 3, 1, 35, 1},
	} {
		count, from := c.p.windows(c.n, c.size, c.stride)
		require.Equal(t, [2]int{c.wantCount, c.wantFrom}, [2]int{count, from}, "%+v", c)
	}
}

func TestPoolsTakeTheGreatestAndTheMean(t *testing.T) {
	t.Parallel()
	im := tensor{3, 3, 1, []float32{-1, -2, -3, -4, -5, -6, -7, -8, -9}}
	require.Equal(t, []float32{-1, -3, -7, -9}, im.maxPool(2, 2, same).v, "what lies outside is not a zero")
	require.Equal(t, []float32{-1}, im.maxPool(2, 2, valid).v)
	require.Equal(t, []float32{-3, -4, -6, -7}, im.avgPool(2, 1).v)
}

func TestOfBoxesThatOverlapTheSurestStays(t *testing.T) {
	t.Parallel()
	cells := zeros(4, 4, len(anchors)*boxValues)
	for i := range cells.v {
		cells.v[i] = -10
	}
	set := func(y, x, anchor int, score float32) { // a box in the middle of its cell
		copy(cells.at(y, x)[anchor*boxValues:], []float32{0, 0, 0, 0, score})
	}
	set(1, 1, 0, 1)
	set(1, 1, 2, 2)
	set(3, 3, 0, 0.5)
	set(0, 3, 0, -0.1) // below the least score
	got := boxes(cells)
	require.Len(t, got, 3, "a box of 1.6 cells in one of 2.9 cells is less than 0.4 of it")
	require.InDelta(t, 0.88, got[0].score, 0.01)
	set(1, 1, 3, 3) // 4.3 cells: it covers the one of 2.9
	got = boxes(cells)
	require.InDelta(t, 0.95, got[0].score, 0.01)
	require.Len(t, got, 3, "the one of 2.9 cells went")
}
