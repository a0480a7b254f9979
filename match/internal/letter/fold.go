package letter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// apostrophes are the signs that stand inside one word (O'Brien, D’Angelo,
// Ka`imi, Nu´ñez) and are dropped, so that it stays one word.
const apostrophes = "'`\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u2018\u2019\u201b\u2032\u2035\ua78c\uff07\uff40"

// Fold returns the form in which names are searched and compared: Unicode NFKD,
// accents and apostrophes dropped, case folded, letters without a decomposition
// as plain ones (Ł as l), every other punctuation or
// symbol a blank, blanks squeezed and trimmed (DECISIONS "Names"). Letters and
// digits are all that is left, so "%" and "_" mean nothing, and NUL and invalid
// UTF-8 are blanks. Fold(Fold(s)) == Fold(s).
func Fold(s string) string {
	if folded(s) {
		return s
	}
	if ascii(s) {
		return foldASCII(s)
	}
	return foldUnicode(s)
}

// folded reports whether s is already in the folded form, which spares the
// copy: lower-case ASCII letters and digits with single blanks between.
func folded(s string) bool {
	blank := true
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			blank = false
		case c == ' ' && !blank:
			blank = true
		default:
			return false
		}
	}
	return s == "" || !blank
}

// ascii reports whether all bytes are ASCII: true of most names, and then no Unicode table is read.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldASCII is Fold for ASCII, in one pass.
func foldASCII(s string) string {
	out := make([]byte, 0, len(s))
	blank := false
	for i := range len(s) {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		case c == '\'' || c == '`':
			continue
		default:
			blank = len(out) > 0
			continue
		}
		if blank {
			out = append(out, ' ')
			blank = false
		}
		out = append(out, c)
	}
	return string(out)
}

// foldUnicode is Fold for all other texts.
func foldUnicode(s string) string {
	// The acute accent and some of its kin decompose into a blank and a mark,
	// so apostrophes go before the decomposition as well as after it.
	s = strings.Map(dropApostrophe, strings.ToValidUTF8(s, " "))
	s = strings.Map(dropMark, norm.NFKD.String(s))
	// Case folding may bring composed letters back; a second pass makes the
	// result a fixed point.
	s = plainLetters.Replace(strings.Map(dropMark, norm.NFKD.String(strings.Map(foldCherokee, cases.Fold().String(s)))))
	return strings.Join(strings.FieldsFunc(s, notWord), " ")
}

// foldCherokee folds Cherokee letters, whose small forms came late to Unicode, into capitals as the standard does. Package
// cases writes each of the two as the other.
func foldCherokee(r rune) rune {
	if unicode.Is(unicode.Cherokee, r) {
		return unicode.ToUpper(r)
	}
	return r
}

// dropApostrophe maps apostrophes to nothing, as strings.Map reads -1.
func dropApostrophe(r rune) rune {
	if strings.ContainsRune(apostrophes, r) {
		return -1
	}
	return r
}

// zeroWidthSpace parts words, as its name says; other format characters stand within one.
const zeroWidthSpace = '\u200b'

// dropMark drops accents, apostrophes and the invisible format characters
// (soft hyphen, joiners) that copying from a web page leaves in a name.
func dropMark(r rune) rune {
	if r < utf8.RuneSelf {
		return dropApostrophe(r)
	}
	if r == zeroWidthSpace {
		return ' '
	}
	if unicode.Is(unicode.M, r) || unicode.Is(unicode.Cf, r) {
		return -1
	}
	return dropApostrophe(r)
}

// notWord reports whether a character separates words.
func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
