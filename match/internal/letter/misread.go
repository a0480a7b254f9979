package letter

import "strings"

// AppendMisread appends the hashes, each with salt, of a word in which letters that a scanner misread are put back, one
// place at a time.
func AppendMisread(dst []uint32, text string, salt uint32) []uint32 {
	var buf [MaxEdits + 1]byte
	if len(text) > MaxEdits {
		return dst
	}
	for _, m := range &Misreadings {
		for _, r := range [2][2]string{{m[0], m[1]}, {m[1], m[0]}} {
			for i := range text {
				if strings.HasPrefix(text[i:], r[0]) {
					b := append(append(append(buf[:0], text[:i]...), r[1]...), text[i+len(r[0]):]...)
					dst = append(dst, Hash(b)^salt)
				}
			}
		}
	}
	return dst
}

// AppendRead appends the hashes, each with salt, of a word with its first lost letters read as I or L, which OCR most
// often takes for a digit. One-letter deletes of the other side find a single other letter.
func AppendRead(dst []uint32, text string, salt uint32) []uint32 {
	var buf [MaxEdits]byte
	if len(text) > len(buf) {
		return dst
	}
	for pick := range 8 {
		b, at := append(buf[:0], text...), 0
		for i := range b {
			if b[i] == Wildcard {
				b[i] = "il"[pick>>min(at, 2)&1]
				at++
			}
		}
		dst = append(dst, Hash(b)^salt)
	}
	return dst
}
