package letter

import (
	"strings"
)

// Words returns the folded words of a name query, nil when it folds to nothing.
func Words(query string) []string {
	f := Fold(query)
	if f == "" {
		return nil
	}
	return strings.Split(f, " ")
}

// Holds reports whether a name with this folded form answers a query with these
// [Words]: each word of the query is contained in a word of its own of the
// name, in any order (DECISIONS "Names"). No words match nothing.
//
// The rule's second half, the whole query contained in the first-last or the
// last-first form, adds nothing: both forms are orders of the same words, and a
// substring of such a form is made of parts of neighbouring, hence different,
// words.
func Holds(key string, words []string) bool {
	switch len(words) {
	case 0:
		return false
	case 1:
		return strings.Contains(key, words[0])
	}
	for _, w := range words {
		if !strings.Contains(key, w) {
			return false
		}
	}
	names := strings.Split(key, " ")
	if len(words) > len(names) {
		return false
	}
	p := pairing{words: words, names: names, owner: make([]int, len(names)), tried: make([]bool, len(names))}
	return p.complete()
}

// pairing finds a name word of its own for each query word, by augmenting paths (Kuhn's
// algorithm). Names have few words, so it takes a handful of steps.
type pairing struct {
	words, names []string
	// For each word of the name, 1 + the index of the query word that has it; 0 is free.
	owner []int
	// Words of the name that the present search has visited; Kuhn's algorithm visits each once.
	tried []bool
}

// complete reports whether every query word can have a name word of its own.
func (p *pairing) complete() bool {
	for w := range p.words {
		clear(p.tried)
		if !p.place(w) {
			return false
		}
	}
	return true
}

// place finds a name word for query word w, moving others to another of theirs where it must.
func (p *pairing) place(w int) bool {
	for n := range p.names {
		if p.tried[n] || !strings.Contains(p.names[n], p.words[w]) {
			continue
		}
		p.tried[n] = true
		if p.owner[n] == 0 || p.place(p.owner[n]-1) {
			p.owner[n] = w + 1
			return true
		}
	}
	return false
}
