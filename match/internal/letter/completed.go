package letter

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
