package sample

import (
	"fmt"
	"slices"
	"strings"

	"rollcall/internal/plural"
)

// Tally lists sentences about the rows of a sample. A mistake in every row is one sentence with a count: the sentence of the
// first row that has it, and some of the other texts. The zero value lists nothing.
type Tally struct {
	order []string
	of    map[string]*counted
}

// maxTexts is how many other texts a sentence names. An author who corrects these sees the next ones.
const maxTexts = 4

// counted is the first sentence of a reason, and of how many rows it is true.
type counted struct {
	first string
	rows  int
	// text is that of the first row, and others are different ones of later rows.
	text   string
	others []string
}

// Add adds the sentence of a row. Rows of one reason are counted together. text is what did not fit; it may be empty.
func (t *Tally) Add(reason, sentence, text string) {
	if t.of == nil {
		t.of = map[string]*counted{}
	}
	if c := t.of[reason]; c != nil {
		if c.rows++; text != c.text && text != "" && len(c.others) <= maxTexts && !slices.Contains(c.others, text) {
			c.others = append(c.others, text)
		}
		return
	}
	t.order = append(t.order, reason)
	t.of[reason] = &counted{first: sentence, rows: 1, text: text}
}

// Sentences returns one sentence a reason, in the order in which the reasons came.
func (t *Tally) Sentences() []string {
	all := slices.Clone(t.order)
	for i, reason := range all {
		c := t.of[reason]
		if all[i] = c.first; c.rows > 1 {
			all[i] += ", and " + plural.Of(c.rows-1, "more row") + c.more()
		}
	}
	return all
}

// more names other texts of a reason, in brackets; empty if there are none.
func (c *counted) more() string {
	if len(c.others) == 0 {
		return ""
	}
	texts := make([]string, 0, maxTexts+1)
	for _, text := range c.others[:min(len(c.others), maxTexts)] {
		texts = append(texts, fmt.Sprintf("%.60q", text))
	}
	if len(c.others) > maxTexts {
		texts = append(texts, "…")
	}
	return " (" + strings.Join(texts, ", ") + ")"
}
