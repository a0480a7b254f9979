package ssn

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shape is a text in which each character is one byte of ASCII that stands for its kind, so that one rule serves all scripts.
type shape struct {
	signs string
	// offsets are where each sign begins in the text, and at last its length; nil where the text is ASCII itself.
	offsets []int
}

// shapeOf returns the shape of a text. Digits of any script are digits, dashes of any kind are dashes.
func shapeOf(s string) *shape {
	if ascii(s) {
		return &shape{signs: s}
	}
	t := &shape{}
	var signs strings.Builder
	for i, r := range s {
		t.offsets = append(t.offsets, i)
		signs.WriteByte(sign(r))
	}
	t.signs, t.offsets = signs.String(), append(t.offsets, len(s))
	return t
}

// offset returns where sign i begins in the text.
func (t *shape) offset(i int) int {
	if t.offsets == nil {
		return i
	}
	return t.offsets[i]
}

// sign returns the byte that stands for a character.
func sign(r rune) byte {
	switch {
	case r < utf8.RuneSelf:
		return byte(r) //nolint:gosec // ASCII
	case unicode.Is(unicode.Nd, r):
		return '0'
	case r >= 0xff01 && r <= 0xff5e: // full-width forms
		return byte(r - 0xfee0)
	case unicode.Is(unicode.Pd, r), strings.ContainsRune("−⁃˗─━ーｰ", r): // minus, hyphen bullet, drawn lines, long vowels
		return '-'
	case unicode.IsSpace(r), unicode.Is(unicode.Cf, r), strings.ContainsRune("\u2800\u3164\u115f\uffa0", r): // what shows nothing
		return ' '
	case strings.ContainsRune("·•∙⋅․・･", r):
		return '.'
	case r == 0x2044, r == 0x2215: // fraction and division slash
		return '/'
	case strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", r):
		return '0'
	case unicode.IsLetter(r):
		return 'x'
	}
	return '?'
}

// ascii reports whether a text has no other characters.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// digit reports whether a sign is a digit.
func digit(c byte) bool { return '0' <= c && c <= '9' }

// letter reports whether a sign is a letter.
func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// fewDigits reports whether a text has fewer than n digits.
func fewDigits(s string, n int) bool {
	if len(s) < n {
		return true
	}
	for i := 0; i < len(s); {
		c := s[i]
		size := 1
		one := digit(c)
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			one = digit(sign(r))
		}
		if one {
			if n--; n == 0 {
				return false
			}
		}
		i += size
	}
	return true
}
