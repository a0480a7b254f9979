package lexicon

import "cmp"

// Compare orders words by what is written: 0 for words that no rule tells apart.
func (w *Word) Compare(other *Word) int {
	return cmp.Or(cmp.Compare(w.Text, other.Text), CompareBool(w.Apart, other.Apart), CompareBool(w.Wild, other.Wild))
}

// CompareBool orders false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
