package letter

// Spelling reduces a given name to what its common spellings share: doubled letters, C, CK and Q for K, PH for
// F, Y for I, the endings IE, EY, EE, EIGH and I, a silent E and an H after a vowel (SKYLAR is not SKYLER, but
// MELODIE is MELODY, ERICK is ERIC and SARAH is SARA). Two names with one spelling are one name unless a man's
// and a woman's. It needs no frequency, unlike a likeness of sound.
func Spelling(text string) uint32 {
	var buf [MaxEdits]byte
	out := buf[:0]
	for i := 0; i < len(text) && len(out) < cap(out); {
		c, n := spelledAt(text, i)
		i += n
		if c != 0 && (len(out) == 0 || out[len(out)-1] != c) {
			out = append(out, c)
		}
	}
	n := len(text)
	mute := n > 3 && !Vowel(text[n-2]) && !Vowel(text[n-3]) // ANNE, CLARKE; not JAKE
	return Hash(spelledEnding(out, mute))
}

// spelledAt returns the code of what starts at i (0 for silence) and how many letters it
// uses.
func spelledAt(s string, i int) (code byte, n int) {
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch c := s[i]; {
	case c == 'p' && next == 'h':
		return 'f', 2
	case c == 'c' && next == 'k', c == 'q' && next == 'u':
		return 'k', 2
	case c == 'q', c == 'c' && next != 'h' && next != 'e' && next != 'i' && next != 'y':
		return 'k', 1
	case c == 'y':
		return 'i', 1
	case c == 'e' && next == 'i' && i+3 < len(s) && s[i+2] == 'g' && s[i+3] == 'h':
		return 'i', 4
	case c == 'h' && i > 0 && Vowel(s[i-1]) && !Vowel(next):
		return 0, 1
	default:
		return c, 1
	}
}

// spelledEnding replaces IE and EI at the end of a longer name by I, and drops a mute E.
func spelledEnding(b []byte, mute bool) []byte {
	n := len(b)
	switch {
	case n > 3 && !Vowel(b[n-3]) && (b[n-2] == 'i' && b[n-1] == 'e' || b[n-2] == 'e' && b[n-1] == 'i'):
		return append(b[:n-2], 'i')
	case n > 3 && b[n-1] == 'e' && !Vowel(b[n-2]) && mute:
		return b[:n-1]
	}
	return b
}

// Vowel reports whether c is a vowel. Y is none here: spelling has made it I before.
func Vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}
