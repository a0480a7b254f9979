package search

import (
	"strings"

	"rollcall/match"
	"rollcall/web/page"
)

// piece is a part of a name; Hit means that the search matched it.
type piece struct {
	Text string
	Hit  bool
}

// marked is a name with what a search matched in it.
type marked struct {
	Pieces []piece
	// Title is the name as the source writes it, where that differs; else empty.
	Title string
}

// markedName returns a name in sentence case, with what the words of a query (match.Words) match in it.
func markedName(name string, query []string) marked {
	said := page.CalmName(name)
	m := marked{Pieces: pieces(said, query)}
	if said != name {
		m.Title = name
	}
	return m
}

// pieces cuts a text where a match begins or ends. Words match within words, in any order, without regard to case, accents and
// punctuation, as the store compares names.
func pieces(text string, query []string) []piece {
	letters := []rune(text)
	var folded strings.Builder
	var origin []int // of each byte of folded, the place of its letter
	for i, r := range letters {
		f := match.SearchKey(string(r))
		if f == "" && len(match.Words("a"+string(r)+"a")) > 1 {
			f = " " // it parts words
		}
		folded.WriteString(f)
		for range len(f) {
			origin = append(origin, i)
		}
	}
	hits := make([]bool, len(letters))
	for _, word := range query {
		at := strings.Index(folded.String(), word)
		if at < 0 {
			continue
		}
		for i := origin[at]; i <= origin[at+len(word)-1]; i++ {
			hits[i] = true
		}
	}
	var out []piece
	from := 0
	for i := range letters {
		if i+1 == len(letters) || hits[i+1] != hits[i] {
			out = append(out, piece{string(letters[from : i+1]), hits[i]})
			from = i + 1
		}
	}
	return out
}
