package letter

import "math"

// Chain is how the letters of names follow one another: the log-probability of each letter after the two before it.
type Chain struct {
	log [signs * signs * signs]float32
}

// signs are the letters, the end of a word, and anything else.
const (
	signs = 28
	other = signs - 1
)

// trust is how many names it takes until what follows two letters says more than what follows the second one.
const trust = 8

// sign numbers letters from 1.
func sign(c byte) int {
	if 'a' <= c && c <= 'z' {
		return int(c-'a') + 1
	}
	return other
}

// NewChain learns from names.
func NewChain(names func(yield func(string) bool)) *Chain {
	c := &Chain{}
	var two [signs * signs]float32
	var one [signs]float32
	for name := range names {
		x, y := 0, 0
		for i := range len(name) + 1 {
			z := at(name, i)
			c.log[(x*signs+y)*signs+z]++
			two[y*signs+z]++
			one[z]++
			x, y = y, z
		}
	}
	all := sum(one[:])
	for i := range one {
		one[i] = (one[i] + 0.5) / (all + signs/2)
	}
	for y := range signs {
		blend(two[y*signs:][:signs], one[:])
	}
	for xy := range signs * signs {
		row := c.log[xy*signs:][:signs]
		blend(row, two[xy%signs*signs:][:signs])
		for z := range row {
			row[z] = float32(math.Log(float64(row[z])))
		}
	}
	return c
}

// at returns the sign at a place, 0 at the end.
func at(name string, i int) int {
	if i == len(name) {
		return 0
	}
	return sign(name[i])
}

// blend turns counts into shares, with those of a shorter context where the counts are few.
func blend(counts, shorter []float32) {
	n := sum(counts)
	for z := range counts {
		counts[z] = (counts[z] + trust*shorter[z]) / (n + trust)
	}
}

// sum returns the sum of the values.
func sum(values []float32) float32 {
	s := float32(0)
	for _, v := range values {
		s += v
	}
	return s
}

// Log returns the logarithm of the share of a word among all words that the chain makes. A lost letter is any.
func (c *Chain) Log(word string) float32 {
	x, y, s := 0, 0, float32(0)
	for i := range len(word) + 1 {
		z := at(word, i)
		if z != other {
			s += c.log[(x*signs+y)*signs+z]
		}
		x, y = y, z
	}
	return s
}
