// Package watch says which names can be watched, and what a watcher costs its owner. It is pure. Whether a booking is the
// watched person's is decided by package match.
package watch

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rollcall/match"
	"rollcall/match/internal/letter"
	"rollcall/match/internal/token"
)

// Kind is how much a name says of whom it is.
type Kind uint8

// The kinds of a name to watch (DECISIONS, "Alerts").
const (
	// Full is a first and a last name.
	Full Kind = iota
	// OneWord is read as a surname: it matches everyone who has it, and needs a county or what is known of the birth. A
	// hyphen or particle makes no second word: GARCIA-LOPEZ, DE LA CRUZ.
	OneWord
	// Nobody holds no name: initials, a generation or a title. "J.", "Jr" and "Dr. J" fit nobody, or a whole jail.
	Nobody
	// Particles are parts of surnames alone: "de la", "van der".
	Particles
	// Abbreviated has a last name that was cut to its initial: "Lisa F", "Lisa Marie F." ([match.Name.Abbreviated]).
	Abbreviated
	// Unreadable holds a character that was lost, which could stand for any letter.
	Unreadable
	// Foreign holds a letter of another script than Latin, in which no jail of Georgia writes a name.
	Foreign
)

// KindOf returns the kind of a name as it is written.
func KindOf(name string) Kind {
	if strings.ContainsRune(name, utf8.RuneError) {
		return Unreadable
	}
	if strings.ContainsFunc(name, foreign) {
		return Foreign
	}
	words, named, borne, particles := 0, false, 0, 0
	for word := range strings.FieldsSeq(letter.Fold(name)) {
		letters := lettersOf(word)
		if letters == 0 || token.Ignored(word) {
			continue
		}
		words++
		named = named || letters >= 2
		if _, ok := token.Particles[word]; ok {
			particles++
			if borneAlone[word] {
				borne++
			}
		}
	}
	switch {
	case !named:
		return Nobody
	case particles == words && borne < words:
		return Particles
	}
	switch parsed := match.Parse(name); {
	case parsed.Empty():
		return Nobody
	case parsed.Lone():
		return OneWord
	case parsed.Abbreviated():
		return Abbreviated
	}
	return Full
}

// borneAlone are the particles that are people's names too: VAN LE, MAC VAN, AL SAN.
var borneAlone = map[string]bool{"le": true, "do": true, "du": true, "van": true, "mac": true, "al": true, "san": true}

// foreign reports whether a letter is of another script than Latin. Marks that several scripts share are not.
func foreign(r rune) bool {
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Common)
}

// lettersOf counts the letters of a word.
func lettersOf(word string) int {
	letters := 0
	for _, r := range word {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters
}
