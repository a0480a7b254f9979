package db

import (
	"strconv"
	"strings"
)

// Condition collects the parts of a WHERE clause with their bound arguments. The zero value is an
// empty condition, which is true. Values of a request enter a statement only as arguments.
type Condition struct {
	// Parts are the conditions, each with its placeholders $1, $2 and so on already written.
	Parts []string
	// Args are the values of the placeholders, in their order.
	Args []any
}

// Add appends a part in which each ? stands for the next argument. The text of a part is written in
// code; it must not hold a ? of its own.
func (c *Condition) Add(part string, args ...any) {
	var b strings.Builder
	for _, a := range args {
		before, after, _ := strings.Cut(part, "?")
		b.WriteString(before)
		b.WriteString(c.Bind(a))
		part = after
	}
	b.WriteString(part)
	c.Parts = append(c.Parts, b.String())
}

// Bind adds an argument and returns its placeholder, for parts that Add cannot write.
func (c *Condition) Bind(arg any) string {
	c.Args = append(c.Args, arg)
	return "$" + strconv.Itoa(len(c.Args))
}

// String returns the parts joined by and, for a WHERE clause; no parts are true.
func (c *Condition) String() string {
	if len(c.Parts) == 0 {
		return "true"
	}
	return strings.Join(c.Parts, " and ")
}

// maxPatterns bounds the word orders that are spelled out as LIKE patterns; longer queries are
// rechecked by the function name_holds.
const maxPatterns = 3

// AddName restricts column, a folded name, to names that answer a query of these folded words: each
// word must be contained in a word of its own (DECISIONS.md, "Names"). No words match nothing,
// because a query that folds to nothing must not list everybody.
func (c *Condition) AddName(column string, words []string) {
	if len(words) == 0 {
		c.Add("false")
		return
	}
	for _, w := range words { // each alone: what the trigram index answers
		c.Add(column+" like ?", "%"+w+"%")
	}
	switch {
	case len(words) == 1:
	case len(words) <= maxPatterns:
		var ors []string
		permute(words, func(p []string) {
			ors = append(ors, column+" like "+c.Bind("%"+strings.Join(p, "% %")+"%"))
		})
		c.Add("(" + strings.Join(ors, " or ") + ")")
	default:
		c.Add("name_holds(string_to_array("+column+", ' '), ?)", words)
	}
}

// permute calls yield with every order of words; the slice is reused.
func permute(words []string, yield func([]string)) {
	p := append([]string(nil), words...)
	var walk func(k int)
	walk = func(k int) {
		if k == len(p) {
			yield(p)
			return
		}
		for i := k; i < len(p); i++ {
			p[k], p[i] = p[i], p[k]
			walk(k + 1)
			p[k], p[i] = p[i], p[k]
		}
	}
	walk(0)
}
