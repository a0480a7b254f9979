package letter

// twoDeletesFrom is from which length on a word with two slips is still the word.
const twoDeletesFrom = 7

// AppendDeletes appends the hashes, each with salt, of a word without one of its letters, and of a longer one without two. Of two
// words that are one slip apart both have a hash of one letter less in common, or one that of the other; of two slips so with two.
func AppendDeletes(dst []uint32, text string, salt uint32) []uint32 {
	var one, two [MaxEdits]byte
	n := len(text)
	if n < 3 || n > MaxEdits {
		return dst
	}
	for i := range n {
		if i > 0 && text[i] == text[i-1] {
			continue
		}
		short := append(append(one[:0], text[:i]...), text[i+1:]...)
		dst = append(dst, Hash(short)^salt)
		if n < twoDeletesFrom {
			continue
		}
		for j := i; j < len(short); j++ {
			if j > i && short[j] == short[j-1] {
				continue
			}
			dst = append(dst, Hash(append(append(two[:0], short[:j]...), short[j+1:]...))^salt)
		}
	}
	return dst
}
