package letter

// Set is a set of words that is asked before a word is written down: it may say yes to a word that it lacks, one in forty,
// and never no to one that it has.
type Set struct{ bits []uint64 }

// setBits is how many places a set has: twenty for each word of a table of a hundred thousand.
const setBits = 21

// NewSet returns an empty set.
func NewSet() *Set { return &Set{bits: make([]uint64, 1<<setBits/64)} }

// Add puts a word in.
func (s *Set) Add(word string) {
	at := place(sumOf(word))
	s.bits[at/64] |= 1 << (at % 64)
}

// has reports whether a word with that sum may be in the set.
func (s *Set) has(sum uint32) bool {
	at := place(sum)
	return s.bits[at/64]>>(at%64)&1 != 0
}

// factor makes the sum of a word: each letter counts factor times as much as the one before it. So the sum of a word with a
// slip follows from those of its two parts.
const factor = 0x01000193

// sumOf returns the sum of a word.
func sumOf(word string) uint32 {
	sum, power := uint32(0), uint32(1)
	for i := range len(word) {
		sum += uint32(word[i]) * power
		power *= factor
	}
	return sum
}

// place returns the place of a sum in a set.
func place(sum uint32) uint32 { return sum * 0x9e3779b1 >> (32 - setBits) }

// Near yields the words of a set that are one slip of the pen away from a word of less than [MaxEdits] letters: a letter left
// out or put in, another letter, two neighbours exchanged. It may yield a word that the set lacks. The bytes are overwritten
// with the next word.
func Near(text string, in *Set) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		var buf [MaxEdits + 1]byte
		var sums [MaxEdits + 1]uint32
		n := len(text)
		if n > MaxEdits {
			return
		}
		rest := sums[:n+1] // by place, the sum of what follows, as if it began there
		for i := n - 1; i >= 0; i-- {
			rest[i] = uint32(text[i]) + factor*rest[i+1]
		}
		before, power := uint32(0), uint32(1) // the sum of what stands before i, and how much a letter at i counts
		for i := range n + 1 {
			if i < n && (i == 0 || text[i] != text[i-1]) && in.has(before+power*rest[i+1]) && //nolint:gosec // i < n
				!yield(append(append(buf[:0], text[:i]...), text[i+1:]...)) {
				return
			}
			if i+1 < n && text[i] != text[i+1] && in.has(before+power*(uint32(text[i+1])+factor*(uint32(text[i])+factor*rest[i+2]))) && //nolint:gosec // i < n
				!yield(append(append(append(buf[:0], text[:i]...), text[i+1], text[i]), text[i+2:]...)) {
				return
			}
			for c := byte('a'); c <= 'z'; c++ {
				if i < n && text[i] == c {
					continue
				}
				if i < n && in.has(before+power*(uint32(c)+factor*rest[i+1])) && !yield(append(append(append(buf[:0], text[:i]...), c), text[i+1:]...)) { //nolint:gosec // i < n
					return
				}
				if in.has(before+power*(uint32(c)+factor*rest[i])) && !yield(append(append(append(buf[:0], text[:i]...), c), text[i:]...)) {
					return
				}
			}
			if i < n {
				before += power * uint32(text[i])
				power *= factor
			}
		}
	}
}
