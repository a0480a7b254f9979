package resolve

import (
	"strings"
	"time"
	"unicode"

	"rollcall/models"
)

// restricting are the words that courts, jails and the corrections department write in the place of a name to say that the
// record is restricted. Nobody is called so by first and last name; a SEAL, a CONFIDENCE and a JOHN DOE are people.
var restricting = setOf("restricted", "sealed", "confidential", "juvenile", "expunged", "redacted", "withheld")

// besideThem are the words that stand beside one of those: SEALED DEFENDANT, NAME WITHHELD, RECORD RESTRICTED BY COURT ORDER.
// Each of them alone may be a name: there are people called Case, Record and Party.
var besideThem = setOf("defendant", "offender", "inmate", "person", "party", "subject", "name", "identity", "record", "case", "information",
	"by", "per", "court", "order", "law")

// setOf returns words as a set.
func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// StatesRestriction reports whether what stands for a name says that the record is restricted: each of its words is one of
// restricting or besideThem, or a number, and at least one is of restricting. A name with any other word is a person's.
func StatesRestriction(name string) bool {
	some := false
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch word = strings.ToLower(word); {
		case restricting[word]:
			some = true
		case !besideThem[word] && strings.Trim(word, "0123456789") != "":
			return false
		}
	}
	return some
}

// Named folds in what a row says in the place of the name: that the record is restricted, or who the person is. last is
// the instant of the newest row that is known already; a row older than that may come late, and what it states has ended
// by then. So rows may come in any order. Of rows of one instant the restriction counts.
func (e *Evidence) Named(name string, at, last time.Time) {
	switch {
	case !StatesRestriction(name):
		if !e.RestrictedAt.IsZero() {
			e.NamedAt = newest(e.NamedAt, at)
		}
	case at.After(e.RestrictedAt):
		if last.After(at) && !e.Restricted() {
			e.NamedAt = newest(e.NamedAt, last)
		}
		e.RestrictedAt = at
	}
}

// NameKept returns the name that a record keeps inside: a restricted one keeps that which its source stated before.
func NameKept(known, row string) string {
	if known != "" && StatesRestriction(row) {
		return known
	}
	return row
}

// Restricted reports whether the newest row that speaks of it says that the record is restricted.
func (e *Evidence) Restricted() bool {
	return !e.RestrictedAt.IsZero() && !e.NamedAt.After(e.RestrictedAt)
}

// GroundsOf returns the grounds that the claims of a record state. own is what they say of the age. Any of them restricts the
// record. A statement that ended leaves it to a
// review, as a flag that was taken back does. Under a key that its source lists no more, it ended if the source lists
// the record under another key without it.
func GroundsOf[F any](claims []*Claim[F], own models.WithheldReason) Grounds {
	g, named := Grounds{Own: own}, map[string]bool{}
	for _, c := range claims {
		if c.Listed() && c.Age.RestrictedAt.IsZero() {
			named[c.Source.ID] = true
		}
	}
	for _, c := range claims {
		switch {
		case c.Age.RestrictedAt.IsZero():
		case c.Age.Restricted() && (c.Listed() || !named[c.Source.ID]):
			g.Restricted = true
		default:
			g.Ended = true
		}
	}
	return g
}
