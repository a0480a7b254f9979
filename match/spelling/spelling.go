// Package spelling tells whether two texts are one name, written twice with slips of the pen.
package spelling

import (
	"strings"

	"rollcall/match"
	"rollcall/match/internal/letter"
)

// Respelled reports whether two names may be one name, written twice with slips of the pen: word by word they are equal,
// one letter apart (one wrong, missing, more, or changed places with its neighbour), or one of the two is cut off. It counts
// the words that differ; words at the end that only one name has, such as a middle name, do not count.
//
// Unlike match.Alike it knows no names: DANIEL and DANIELA are one letter apart, and are two people's names. So it means
// something only where a key and a birth say that the person is the same.
func Respelled(a, b string) (words int, ok bool) {
	one, other := strings.Fields(match.Fold(a)), strings.Fields(match.Fold(b))
	n := min(len(one), len(other))
	if n < 2 {
		return 0, false
	}
	for i := range n {
		switch {
		case one[i] == other[i]:
		case slipped(one[i], other[i]):
			words++
		default:
			return 0, false
		}
	}
	return words, true
}

// shortestSlip is how many letters a word has at least in which a slip leaves it the same word.
const shortestSlip = 3

// slipped reports whether two words are one word with a slip of the pen, or cut off.
func slipped(a, b string) bool {
	if min(len(a), len(b)) < shortestSlip {
		return false
	}
	n, _ := letter.Edits(a, b)
	return n <= 1 || strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}
