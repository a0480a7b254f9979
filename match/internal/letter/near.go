package letter

// Near yields the words that are one slip of the pen away from a word of less than [MaxEdits] letters: a letter left out or
// put in, another letter, two neighbours exchanged. The bytes are overwritten with the next word.
func Near(text string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		var buf [MaxEdits + 1]byte
		n := len(text)
		for i := range n + 1 {
			if i < n && (i == 0 || text[i] != text[i-1]) && !yield(append(append(buf[:0], text[:i]...), text[i+1:]...)) {
				return
			}
			if i+1 < n && text[i] != text[i+1] && !yield(append(append(append(buf[:0], text[:i]...), text[i+1], text[i]), text[i+2:]...)) {
				return
			}
			for c := byte('a'); c <= 'z'; c++ {
				if i < n && text[i] == c {
					continue
				}
				if i < n && !yield(append(append(append(buf[:0], text[:i]...), c), text[i+1:]...)) {
					return
				}
				if !yield(append(append(append(buf[:0], text[:i]...), c), text[i:]...)) {
					return
				}
			}
		}
	}
}

// Completed yields the words that a word with lost letters may be. The bytes are overwritten with the next word.
func Completed(text string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		var buf [MaxEdits]byte
		if len(text) <= len(buf) {
			complete(append(buf[:0], text...), 0, yield)
		}
	}
}

// complete fills the lost letters from a place on, and reports whether to go on.
func complete(word []byte, from int, yield func([]byte) bool) bool {
	for from < len(word) && word[from] != Wildcard {
		from++
	}
	if from == len(word) {
		return yield(word)
	}
	for c := byte('a'); c <= 'z'; c++ {
		word[from] = c
		if !complete(word, from+1, yield) {
			return false
		}
	}
	word[from] = Wildcard
	return true
}
