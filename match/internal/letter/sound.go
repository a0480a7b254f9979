package letter

// Sound returns two codes of a folded word. The first is equal for spellings that sound
// alike in English, and in Spanish as heard in Georgia (HANSEN and HANSON, CAIN and KANE).
// The second keeps the consonants only. It is coarser than metaphone on purpose:
// frequencies and the edit distance decide what an equal sound is worth, so a few false
// likenesses cost nothing.
func Sound(text string) (sound, skeleton uint32) {
	var full, bare [24]byte
	f, b := full[:0], bare[:0]
	for i := 0; i < len(text) && len(f) < cap(f); {
		code, n := soundAt(text, i)
		i += n
		if code == 0 || len(f) > 0 && f[len(f)-1] == code {
			continue
		}
		f = append(f, code)
		if code != 'A' || len(b) == 0 {
			b = append(b, code)
		}
	}
	for len(f) > 2 && f[len(f)-1] == 'A' && text[len(text)-1] == 'e' {
		f = f[:len(f)-1]
	}
	return Hash(f), Hash(b)
}

// Hash is FNV-1a: the same on every machine, so that scores are too.
func Hash[T string | []byte](text T) uint32 {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}

// soundAt returns the code of what starts at i (0 for silence) and how many letters it
// uses.
func soundAt(s string, i int) (code byte, n int) {
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	if i == 0 {
		switch {
		case (s[0] == 'k' || s[0] == 'g' || s[0] == 'p') && next == 'n':
			return 'N', 2
		case s[0] == 'w' && (next == 'r' || next == 'h'):
			return hOrR(next), 2
		case s[0] == 'x':
			return 'S', 1
		case s[0] == 'j' && next == 'i', s[0] == 'g' && (next == 'i' || next == 'e'):
			return 'J', 1
		}
	}
	switch c := s[i]; c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return 'A', 1
	case 'h':
		if i == 0 {
			return 'H', 1
		}
		return 0, 1
	case 'w':
		if i == 0 {
			return 'W', 1
		}
		return 'A', 1
	default:
		return consonantAt(s, i, c, next)
	}
}

// hOrR codes WR as R and WH as W.
func hOrR(next byte) byte {
	if next == 'h' {
		return 'W'
	}
	return 'R'
}

// consonantAt codes the consonant c at i. Letters that English reads alike share a code.
func consonantAt(s string, i int, c, next byte) (code byte, n int) {
	switch c {
	case 'p':
		if next == 'h' {
			return 'F', 2
		}
		return 'P', 1
	case 'c':
		switch next {
		case 'h':
			if i+2 < len(s) && s[i+2] == 'r' {
				return 'K', 2
			}
			return 'C', 2
		case 'k':
			return 'K', 2
		case 'e', 'i', 'y':
			return 'S', 1
		}
		return 'K', 1
	case 'k', 'q':
		return 'K', 1
	case 's':
		switch {
		case next == 'c' && i+2 < len(s) && s[i+2] == 'h':
			return 'C', 3
		case next == 'h':
			return 'C', 2
		}
		return 'S', 1
	case 'z', 'x':
		return 'S', 1
	case 'g':
		switch next {
		case 'h':
			return 0, 2
		case 'e', 'i':
			return 'J', 1
		}
		return 'G', 1
	case 't':
		if next == 'h' {
			return 'T', 2
		}
		return 'T', 1
	default:
		return c &^ 0x20, 1
	}
}
