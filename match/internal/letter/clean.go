package letter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The separators that parsing still needs after cleaning; all other
// punctuation is a blank.
const (
	Hyphen  = '-'
	Comma   = ','
	bracket = '(' // any bracket or double quote; the closing one is ')'
	closing = ')'
	aliases = ';'
)

// Wildcard stands for a letter that the source lost (U+FFFD, an inner "?", a
// digit that OCR read for a letter).
const Wildcard = '?'

// plainLetters spells letters that have no decomposition in plain ones.
var plainLetters = strings.NewReplacer(
	"ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe", "ı", "i", "ħ", "h", "ŧ", "t", "ŋ", "n",
)

// Clean folds like [Fold], but keeps the signs that separate the parts of a name and keeps
// lost letters as wildcards. It repairs UTF-8 that was read as Latin-1 on its way
// ("PEÃ‘A").
func Clean(name string) string {
	if !ascii(name) {
		name = strings.Map(dropApostrophe, repair(name))
		name = strings.Map(dropMark, norm.NFKD.String(name))
		name = plainLetters.Replace(cases.Fold().String(name))
	}
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		out = appendClean(out, r, name, i, n)
		i += n
	}
	return string(out)
}

// appendClean appends what is kept of the character r of n bytes at i: a folded letter, one
// of the separators, a wildcard, or a blank.
func appendClean(out []byte, r rune, name string, i, n int) []byte {
	switch {
	case 'A' <= r && r <= 'Z':
		return append(out, name[i]+'a'-'A')
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == Hyphen || r == Comma || r == bracket || r == closing || r == aliases:
		return append(out, name[i])
	case r == '\'':
		if i+1 < len(name) && name[i+1] == '\'' {
			return append(out, bracket)
		}
		return out
	case r == '`':
		return out
	case r == utf8.RuneError || r == '?':
		return append(out, Wildcard)
	case r == '[' || r == '{' || r == '"' || r == '“' || r == '”' || r == '«':
		return append(out, bracket)
	case r == ']' || r == '}' || r == '»':
		return append(out, closing)
	case r == '|':
		return append(out, aliases)
	case unicode.Is(unicode.Pd, r) || r == '/' && slashed(name, i):
		return append(out, Hyphen)
	case unicode.IsLetter(r):
		return append(out, name[i:i+n]...)
	}
	return append(out, ' ')
}

// slashed reports whether the slash at i stands beside a lone letter, as in A/K/A. Any
// other slash separates words, as in [Fold].
func slashed(name string, i int) bool {
	letter := func(at int) bool {
		return at >= 0 && at < len(name) && ('a' <= name[at]|0x20 && name[at]|0x20 <= 'z' || name[at] >= utf8.RuneSelf)
	}
	return letter(i-1) && letter(i+1) && (!letter(i-2) || !letter(i+2))
}

// repair undoes one round of UTF-8 read as Latin-1 or Windows-1252, when the
// result is valid UTF-8.
func repair(s string) string {
	if !strings.ContainsAny(s, "ÃÂ") {
		return s
	}
	raw := make([]byte, 0, len(s))
	for _, r := range s {
		switch {
		case r < 256:
			raw = append(raw, byte(r)) //nolint:gosec // below 256
		case r == '‘':
			raw = append(raw, 0x91)
		case r == '“':
			raw = append(raw, 0x93)
		default:
			return s
		}
	}
	if !utf8.Valid(raw) {
		return s
	}
	return string(raw)
}
