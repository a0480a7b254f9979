package search

import (
	"slices"
	"strings"
	"sync/atomic"
)

// lexicon is the distinct words of a segment's names and where they occur. A word is found by any
// part of it. Each pair of neighbouring bytes, and each byte alone (a pair with 0), lists the words
// that hold it. So queries of one and two letters need no special case.
type lexicon struct {
	// Distinct words; their index is their number.
	words arena
	// Pairs that occur, ascending.
	grams []uint16
	// Start of each pair's words in lists, and the end of the last.
	starts []uint32
	// Numbers of the words that hold each pair, one pair after another.
	lists []uint32
	// Positions of each word.
	posts postings
	// Union of each pair, once a query asked for it and if it is large.
	unions []atomic.Pointer[union]
}

// union is the positions of all words of a pair.
type union struct {
	// Occurrences of the words, which may exceed the positions.
	count int
	bits  []uint64
}

// newLexicon returns the lexicon of words. ends and ids are those of a segment.
func newLexicon(words arena, ends, ids []uint32) lexicon {
	l := lexicon{words: words, posts: newPostings(words.len(), ends, ids)}
	counts := make([]uint32, 1<<16)
	l.eachGram(func(g uint16, _ uint32) { counts[g]++ })
	sum := uint32(0)
	for g, n := range counts {
		if n > 0 {
			l.grams = append(l.grams, uint16(g))
			l.starts = append(l.starts, sum)
			counts[g], sum = sum, sum+n
		}
	}
	l.starts = append(l.starts, sum)
	l.unions = make([]atomic.Pointer[union], len(l.grams))
	l.lists = make([]uint32, sum)
	l.eachGram(func(g uint16, w uint32) {
		l.lists[counts[g]] = w
		counts[g]++
	})
	return l
}

// eachGram yields each pair of each word, once a word.
func (l *lexicon) eachGram(yield func(gram uint16, word uint32)) {
	var seen []uint16
	for w := range uint32(l.words.len()) { //nolint:gosec // words are numbered in 32 bits
		seen = seen[:0]
		text := l.words.at(w)
		for i := range len(text) {
			for _, g := range [2]uint16{gram(0, text[i]), gram(text[i], text[min(i+1, len(text)-1)])} {
				if (g < 1<<8 || i+1 < len(text)) && !slices.Contains(seen, g) {
					seen = append(seen, g)
					yield(g, w)
				}
			}
		}
	}
}

// gram packs two letters.
func gram(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// largeUnion returns the share of n records above which the union of a pair is kept: marking so
// many occurrences takes longer than copying a bitmap. The hundred or so pairs that reach it in
// people's names cost a bit for each record.
func largeUnion(n int) int { return n / 16 }

// union returns the union of a part of one or two bytes, or nil if it is too small to be kept.
func (l *lexicon) union(part string, records int) *union {
	g := gram(0, part[0])
	if len(part) == 2 {
		g = gram(part[0], part[1])
	}
	i, ok := slices.BinarySearch(l.grams, g)
	if !ok {
		return nil
	}
	if u := l.unions[i].Load(); u != nil {
		return u
	}
	list := l.lists[l.starts[i]:l.starts[i+1]]
	u := &union{}
	for _, w := range list {
		u.count += int(l.posts.counts[w])
	}
	if u.count <= largeUnion(records) {
		return nil
	}
	u.bits = make([]uint64, words(records))
	for _, w := range list {
		l.posts.mark(w, u.bits)
	}
	l.unions[i].Store(u)
	return u
}

// holding returns the words that hold a gram.
func (l *lexicon) holding(g uint16) []uint32 {
	i, ok := slices.BinarySearch(l.grams, g)
	if !ok {
		return nil
	}
	return l.lists[l.starts[i]:l.starts[i+1]]
}

// containing appends the words that contain part to found; an empty part is in none.
func (l *lexicon) containing(part string, found []uint32) []uint32 {
	switch len(part) {
	case 0:
		return found
	case 1:
		return append(found, l.holding(gram(0, part[0]))...)
	}
	rarest := l.holding(gram(part[0], part[1]))
	if len(part) == 2 {
		return append(found, rarest...)
	}
	for i := 1; i+1 < len(part); i++ {
		if list := l.holding(gram(part[i], part[i+1])); len(list) < len(rarest) {
			rarest = list
		}
	}
	for _, w := range rarest {
		if strings.Contains(l.words.at(w), part) {
			found = append(found, w)
		}
	}
	return found
}
