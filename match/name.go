package match

import (
	"cmp"
	"embed"
	"slices"
	"sync"

	"rollcall/match/internal/lexicon"
	"rollcall/match/internal/token"
)

//go:embed tables/*.txt
var tables embed.FS

// known returns the lexicon. The first call loads the tables.
var known = sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Load(tables) })

// word is one part of a name.
type word = lexicon.Word

// Name is a parsed name, ready to be compared any number of times and safe to share. It holds a few readings rather
// than one: "JUAN GARCIA LOPEZ" may have one surname or two. The zero Name matches nothing.
type Name struct {
	readings []reading
	// A county narrows the watched name, so that a surname is enough: see [ParseWatched].
	narrowed bool
}

// Limits of a reading: what lies beyond is dropped, and one name has at most maxReadings of them, the most plausible
// ones.
const (
	maxSurnames = 3
	maxGiven    = 4
	maxReadings = 8
)

// reading is one way to understand a name.
type reading struct {
	// In the order of the source.
	surname [maxSurnames]*word
	given   [maxGiven]*word
	// Log-odds against the plainest reading, 0 or below.
	prior float32
	// How many surnames are set.
	surs uint8
	// How many given names are set.
	givs   uint8
	suffix token.Suffix
	how    origin
	// The source may have cut the name off.
	cut bool
	// The surnames follow the given names in the source, so they are what was cut.
	surnameLast bool
}

// origin is where a reading comes from, for the reasons.
type origin uint8

const (
	asWritten origin = iota
	asLastFirst
	asSwapped
	asTwoSurnames
	asAlias
	asSplit
)

// Empty reports whether nothing in the name could be read as a name.
func (n *Name) Empty() bool { return len(n.readings) == 0 }

// Lone reports whether nothing in the name is a first name: it is a surname.
func (n *Name) Lone() bool {
	return !slices.ContainsFunc(n.readings, func(r reading) bool { return r.givs > 0 && r.how != asSplit })
}

// order puts two names in an order that depends on nothing but what is written in them.
func (n *Name) order(other *Name) int {
	return slices.CompareFunc(n.readings, other.readings, func(a, b reading) int {
		return cmp.Or(
			compareWords(a.surname[:a.surs], b.surname[:b.surs]), compareWords(a.given[:a.givs], b.given[:b.givs]),
			cmp.Compare(a.prior, b.prior), cmp.Compare(a.suffix, b.suffix), cmp.Compare(a.how, b.how),
			lexicon.CompareBool(a.cut, b.cut), lexicon.CompareBool(a.surnameLast, b.surnameLast),
		)
	})
}

// compareWords orders two lists of words.
func compareWords(a, b []*word) int { return slices.CompareFunc(a, b, (*word).Compare) }
