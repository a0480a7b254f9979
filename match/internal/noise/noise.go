// Package noise says how likely a word is written for a name by slips of the pen, the key or the scanner. Each kind of slip
// has a share of all slips, divided among the words that it can make of the name. So a letter left out says more than one
// that was put in, of which there are 26 at each place.
package noise

import (
	"math"

	"rollcall/match/internal/letter"
)

// Log-probabilities of a slip of a kind that makes one certain word, beside the number of places where it may be. Which
// kinds are frequent follows the sources in bench/labelled/tables/README.md.
const (
	exchanged = -4.3 // two neighbours
	omitted   = -2.9
	doubled   = -3.4 // a letter twice, or a double one once
	inserted  = -6.9 // any other letter
	beside    = -5.4 // a key beside, or a shape that is taken for it
	vowels    = -4.7 // a vowel for another
	replaced  = -6.7 // any other letter for another
	misread   = -5.3 // RN for M, at any place
	atFirst   = -2.2 // more, at the first letter: few slips are there
)

// never is less likely than any two slips.
const never = -60

// channel is the table of one name and one word: row i, column j is the best way to write the first j letters of the word
// for the first i of the name.
type channel struct {
	name, word string
	rows       [3][letter.MaxEdits + 1]float32
	// -ln of how many places the name has.
	place float32
}

// Written returns the log-probability of a word being written for a name with slips. A lost letter is any.
func Written(name, word string) float32 {
	if len(name) > letter.MaxEdits || len(word) > letter.MaxEdits || name == "" {
		return never
	}
	c := channel{name: name, word: word, place: -places[len(name)]}
	for i := range len(name) + 1 {
		row := &c.rows[i%3]
		for j := range len(word) + 1 {
			row[j] = c.best(i, j)
		}
	}
	return c.rows[len(name)%3][len(word)]
}

// places holds the logarithms of small numbers.
var places = func() (logs [letter.MaxEdits + 1]float32) {
	for i := 1; i < len(logs); i++ {
		logs[i] = float32(math.Log(float64(i)))
	}
	return logs
}()

// best returns the likeliest way to a cell, from the cells before it.
func (c *channel) best(i, j int) float32 {
	if i == 0 && j == 0 {
		return 0
	}
	above, row := &c.rows[(i+2)%3], &c.rows[i%3]
	best := float32(never)
	if i > 0 && j > 0 {
		x, y := c.name[i-1], c.word[j-1]
		if letter.Same(x, y) {
			best = above[j-1]
		} else {
			best = above[j-1] + c.slip(replacement(x, y), i == 1)
		}
	}
	if i > 0 {
		best = max(best, above[j]+c.slip(either(i > 1 && c.name[i-1] == c.name[max(i-2, 0)], doubled, omitted), i == 1))
	}
	if j > 0 {
		best = max(best, row[j-1]+c.slip(either(i > 0 && c.word[j-1] == c.name[max(i-1, 0)], doubled, inserted), i == 0))
	}
	if i > 1 && j > 1 || i > 0 && j > 1 || i > 1 && j > 0 {
		best = max(best, c.bestOfTwo(i, j))
	}
	return best
}

// bestOfTwo is best for slips of two letters at once: exchanged, or misread for one.
func (c *channel) bestOfTwo(i, j int) float32 {
	before, above := &c.rows[(i+1)%3], &c.rows[(i+2)%3]
	best := float32(never)
	if i > 1 && j > 1 && c.name[i-1] == c.word[j-2] && c.name[i-2] == c.word[j-1] && c.name[i-1] != c.name[i-2] {
		best = before[j-2] + c.slip(exchanged, i == 2)
	}
	if j > 1 && letter.Misread(c.name[i-1], c.word[j-2], c.word[j-1]) {
		best = max(best, above[j-2]+misread)
	}
	if i > 1 && letter.Misread(c.word[j-1], c.name[i-2], c.name[i-1]) {
		best = max(best, before[j-1]+misread)
	}
	return best
}

// slip returns the log-probability of a kind of slip at one place.
func (c *channel) slip(kind float32, first bool) float32 {
	if first {
		kind += atFirst
	}
	return kind + c.place
}

// either returns one of two kinds.
func either(is bool, yes, no float32) float32 {
	if is {
		return yes
	}
	return no
}

// replacement returns the kind of slip that writes y for x.
func replacement(x, y byte) float32 {
	switch {
	case letter.Confusable(x, y):
		return beside
	case letter.Vowel(x) && letter.Vowel(y):
		return vowels
	}
	return replaced
}
