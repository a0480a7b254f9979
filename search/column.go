package search

import (
	"slices"
	"strings"
)

// chunk is the number of values that a column takes before it begins a new piece.
const chunk = 1 << 16

// column collects values of unknown number. It has neither the copying nor the slack of a slice
// that grows, so a load needs little more memory than its result.
type column[T any] struct {
	full [][]T
	last []T
	n    int
}

// add appends a value. Full chunks are never copied, so building a column needs no second copy of it in memory.
func (c *column[T]) add(v T) {
	if len(c.last) == chunk {
		c.full = append(c.full, c.last)
		c.last = make([]T, 0, chunk)
	}
	c.last = append(c.last, v)
	c.n++
}

// flat returns the values as one slice of their exact size and empties the column, piece by piece.
func (c *column[T]) flat() []T {
	if len(c.full) == 0 {
		out := slices.Clip(slices.Clone(c.last))
		*c = column[T]{}
		return out
	}
	out := make([]T, 0, c.n)
	for i, piece := range c.full {
		out = append(out, piece...)
		c.full[i] = nil
	}
	out = append(out, c.last...)
	*c = column[T]{}
	return out
}

// texts collects strings for an arena.
type texts struct {
	bytes column[byte]
	ends  column[uint32]
}

// add appends a text, cut over chunks if it does not fit.
func (t *texts) add(s string) {
	c := &t.bytes
	c.n += len(s)
	for len(c.last)+len(s) > chunk {
		room := chunk - len(c.last)
		c.full, s = append(c.full, append(c.last, s[:room]...)), s[room:]
		c.last = make([]byte, 0, chunk)
	}
	c.last = append(c.last, s...)
	t.ends.add(uint32(c.n)) //nolint:gosec // 4 GiB of text are more than a hundred million records
}

// flat returns the texts as one string and frees the chunks as it copies them.
func (t *texts) flat() arena {
	var sb strings.Builder
	sb.Grow(t.bytes.n)
	for i, piece := range t.bytes.full {
		sb.Write(piece)
		t.bytes.full[i] = nil
	}
	sb.Write(t.bytes.last)
	t.bytes = column[byte]{}
	return arena{text: sb.String(), ends: t.ends.flat()}
}

// arena is many strings in one; text i ends at ends[i].
type arena struct {
	text string
	// Where each text ends in text.
	ends []uint32
}

// at returns text i without copying it.
func (a arena) at(i uint32) string {
	from := uint32(0)
	if i > 0 {
		from = a.ends[i-1]
	}
	return a.text[from:a.ends[i]]
}

// len returns the number of texts.
func (a arena) len() int { return len(a.ends) }
