// Package ssn finds social security numbers in texts, so that none is stored, logged or shown. It is pure, and takes time in
// proportion to the text.
//
// A number is found by its shape or by a word beside it. The shape is three, two and four digits of any script, parted by the
// same sign: dashes, dots, slashes, underscores or blanks. Dashes and blanks may be mixed. Nine digits, however parted, count
// beside a word such as SSN; alone they may be the number of a booking.
package ssn

import (
	"regexp"
	"strings"
)

// Holds reports whether a text has a social security number in it.
func Holds(s string) bool { return len(found(s)) > 0 }

// Blot replaces the digits of social security numbers by stars. The signs between them stay, so that a reader sees that a
// number stood there. Blot of its own result changes nothing.
func Blot(s string) string {
	for places := found(s); len(places) > 0; places = found(s) { // a number that is blotted may reveal another beside its word
		s = blot(s, places)
	}
	return s
}

// blot replaces the digits at some places.
func blot(s string, places []place) string {
	t := shapeOf(s)
	var b strings.Builder
	b.Grow(len(s))
	next := 0 // offset of what is not yet written
	for _, p := range places {
		for i := p.from; i < p.to; i++ {
			if !digit(t.signs[i]) || t.offset(i) < next {
				continue
			}
			b.WriteString(s[next:t.offset(i)])
			b.WriteByte('*')
			next = t.offset(i + 1)
		}
	}
	b.WriteString(s[next:])
	return b.String()
}

// place is a number within the signs of a text.
type place struct{ from, to int }

// found returns the numbers of a text in their order. They may overlap.
func found(s string) []place {
	if fewDigits(s, 9) {
		return nil // most texts, and sooner known than anything else
	}
	t := shapeOf(s)
	return merge(t.shaped(), t.said())
}

// merge returns both lists as one in the order of their beginnings.
func merge(a, b []place) []place {
	if len(a) == 0 {
		return b
	}
	all := make([]place, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].from <= b[0].from {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// run is a run of digits within the signs of a text.
type run struct{ from, to int }

// shaped finds three, two and four digits.
func (t *shape) shaped() (places []place) {
	var last [2]run // the two runs before
	for i := 0; i < len(t.signs); {
		if !digit(t.signs[i]) {
			i++
			continue
		}
		r := run{i, i}
		for r.to < len(t.signs) && digit(t.signs[r.to]) {
			r.to++
		}
		i = r.to
		if r.to-r.from == 4 && last[1].to-last[1].from == 2 && last[0].to-last[0].from == 3 && t.parts(last[0], last[1], r) {
			places = append(places, place{last[0].from, r.to})
		}
		last[0], last[1] = last[1], r
	}
	return places
}

// maxSigns bounds the signs between two groups of digits: ` -- ` has four.
const maxSigns = 5

// parts reports whether the signs around and between three runs of digits are those of one number. Dashes alone decide by
// themselves. With any other sign the runs may be of amounts (`$500 12 2017`, `1,500 12 2017`), of statutes and cases
// (`40-6-391 24-1234`) or of a list, so a number or an amount must not go on at either end.
func (t *shape) parts(a, b, c run) bool {
	first, second := t.between(a.to, b.from), t.between(b.to, c.from)
	switch {
	case first == 0 || second == 0:
		return false
	case first == '-' && second == '-':
		return true
	case first != second && (!dashOrBlank(first) || !dashOrBlank(second)):
		return false
	}
	before := strings.TrimRight(t.signs[max(0, a.from-2):a.from], " ")
	after := t.signs[c.to:min(len(t.signs), c.to+2)]
	// A digit that was blotted before counts, so that a second look finds no more than the first.
	goesOn := len(before) == 2 && (digit(before[0]) || before[0] == '*') && strings.IndexByte("-.,/_", before[1]) >= 0 ||
		len(after) == 2 && (digit(after[1]) || after[1] == '*') && strings.IndexByte("-.,/_:", after[0]) >= 0
	return !goesOn && !strings.HasSuffix(before, "$")
}

// between returns the one sign that stands between two groups, blanks aside; a blank for blanks alone, 0 for anything else.
func (t *shape) between(from, to int) byte {
	if to == from || to-from > maxSigns {
		return 0
	}
	sign := byte(' ')
	for _, c := range []byte(t.signs[from:to]) {
		switch {
		case c == ' ' || c == sign:
		case sign == ' ' && strings.IndexByte("-./_", c) >= 0:
			sign = c
		default:
			return 0
		}
	}
	return sign
}

func dashOrBlank(c byte) bool { return c == '-' || c == ' ' }

var words = regexp.MustCompile(`(?i)\bSS ?[N#]|\bS\.S\.(?:N\.?)?|\bS-S-N\b|SSN\b|\bSOC(?:IAL|\.)?[ .-]*SEC(?:URITY|\.)?`)

// Distances between a word and its number, in signs: behind the word, between one number and the next, before the word.
const (
	behindWord   = 16
	behindNumber = behindWord - 9
	beforeWord   = 4
)

// said finds nine digits beside a word that says what they are. What stands behind such a number may be another one.
func (t *shape) said() (places []place) {
	done := 0
	for _, w := range words.FindAllStringIndex(t.signs, -1) {
		if p, ok := t.endingAt(w[0]); ok && p.from >= done {
			places = append(places, p)
			done = p.to
		}
		if done > w[1] {
			continue // what stands behind this word was looked at from the one before
		}
		for p, ok := t.beginningNear(w[1], behindWord); ok; p, ok = t.beginningNear(done, behindNumber) {
			places = append(places, p)
			done = p.to
		}
	}
	return places
}

// beginningNear returns the nine digits that begin within gap signs.
func (t *shape) beginningNear(at, gap int) (place, bool) {
	from := at
	for ; from < len(t.signs) && !digit(t.signs[from]); from++ {
		if from-at >= gap {
			return place{}, false
		}
	}
	n, signs, to := 0, 0, from
	for ; to < len(t.signs) && n < 9; to++ {
		switch c := t.signs[to]; {
		case digit(c):
			n, signs = n+1, 0
		case strings.IndexByte(" ./_-", c) >= 0 && signs < maxSigns:
			signs++
		default:
			return place{}, false
		}
	}
	return place{from, to}, n == 9
}

// endingAt returns the nine digits that end a little before a word.
func (t *shape) endingAt(word int) (place, bool) {
	to := word
	for ; to > 0 && !digit(t.signs[to-1]); to-- {
		if word-to >= beforeWord || letter(t.signs[to-1]) {
			return place{}, false
		}
	}
	n, signs, from := 0, 0, to
	for ; from > 0 && n < 9; from-- {
		switch c := t.signs[from-1]; {
		case digit(c):
			n, signs = n+1, 0
		case strings.IndexByte(" ./_-", c) >= 0 && signs < maxSigns:
			signs++
		default:
			return place{}, false
		}
	}
	whole := from == 0 || !digit(t.signs[from-1]) && !letter(t.signs[from-1]) && strings.IndexByte("_*", t.signs[from-1]) < 0
	return place{from, to}, n == 9 && whole
}
