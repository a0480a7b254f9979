package sample

import (
	"slices"

	"rollcall/internal/plural"
)

// Tally lists sentences about the rows of a sample. A mistake in every row is one sentence with a count: the sentence of the
// first row that has it. The zero value lists nothing.
type Tally struct {
	order []string
	of    map[string]*counted
}

// counted is the first sentence of a reason, and of how many rows it is true.
type counted struct {
	first string
	rows  int
}

// Add adds the sentence of a row. Rows of one reason are counted together.
func (t *Tally) Add(reason, sentence string) {
	if t.of == nil {
		t.of = map[string]*counted{}
	}
	if c := t.of[reason]; c != nil {
		c.rows++
		return
	}
	t.order = append(t.order, reason)
	t.of[reason] = &counted{sentence, 1}
}

// Sentences returns one sentence a reason, in the order in which the reasons came.
func (t *Tally) Sentences() []string {
	all := slices.Clone(t.order)
	for i, reason := range all {
		c := t.of[reason]
		if all[i] = c.first; c.rows > 1 {
			all[i] += ", and " + plural.Of(c.rows-1, "more row")
		}
	}
	return all
}
