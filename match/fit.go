package match

import (
	"rollcall/match/internal/birth"
)

// Fit is how a booked name fits a watched one.
type Fit struct {
	// Same means that all words that both names have are the same, in any order, together or apart, a middle initial for
	// the middle name. So whoever is booked is a namesake, and not written in another way.
	Same bool
	// Middle is the middle name that only the booked one has; empty: none, an initial, or both have one.
	Middle string
}

// FitOf returns how a booked name fits a watched one, by the alignment that [CompareWatched] takes. A watched surname alone
// matches everyone who has it: a county or a birth narrows it, or it could not be watched.
func FitOf(watched, booked *Name) Fit {
	if watched.Lone() {
		narrowed := *watched
		narrowed.narrowed, watched = true, &narrowed
	}
	v := judgeWatched(watched, booked, birth.Unknown)
	if v.a == nil || v.contradicted() {
		return Fit{}
	}
	f := Fit{Same: v.surname.same() && (v.given.same() || v.alone)}
	switch v.middle.how {
	case absent, together:
	case oneSided:
		if m := v.b.given[1]; v.a.givs == 1 && v.b.givs == 2 && m != nil && !m.Initial() {
			f.Middle = m.Text
		}
	default:
		f.Same = f.Same && (v.middle.tie.kind == equal || v.middle.tie.kind == initialOf)
	}
	return f
}

// same reports whether the words of a part are those of the other name.
func (f field) same() bool {
	switch f.how {
	case together:
		return true
	case straight, crosswise:
		return f.tie.kind == equal && (f.with.a == nil || f.with.kind == equal)
	}
	return false
}
