package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rollcall/match/internal/letter"
	"rollcall/match/internal/token"
)

// Watchable reports whether a name says enough to watch for: it holds a word that is somebody's name, not only
// initials, a generation or a title. "J.", "Jr" and "Dr. J" fit nobody, or a whole jail (DECISIONS, "Alerts"). In
// scripts that write a name in one sign, one sign is enough.
func Watchable(name string) bool {
	for word := range strings.FieldsSeq(letter.Fold(name)) {
		if token.Ignored(word) {
			continue
		}
		letters := 0
		for _, r := range word {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		if first, _ := utf8.DecodeRuneInString(word); letters >= 2 || unicode.In(first, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) {
			return true
		}
	}
	return false
}
