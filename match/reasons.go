package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rollcall/match/internal/token"
)

// Explain returns the reasons for the score of two names, the weightiest first: what agrees, how, and what speaks
// against. They are for people; programs must not parse them.
func Explain(a, b *Name) []string {
	v := judge(a, b)
	return v.reasons()
}

// reasons returns in words what each part contributed.
func (v *verdict) reasons() []string {
	if v.a == nil {
		return []string{"no part of the surnames agrees"}
	}
	var out []string
	add := func(reason string) {
		if reason != "" {
			out = append(out, reason)
		}
	}
	add(v.conflictReason())
	add(surnameReason(v.surname))
	if v.alone {
		add(LastNameAlone)
	} else {
		add(givenReason(v.given))
	}
	add(middleReason(v.middle))
	add(suffixReason(v.a.suffix, v.b.suffix, v.suffix))
	add(readingReason(v.a))
	if v.b.how != v.a.how {
		add(readingReason(v.b))
	}
	return out
}

// conflictReason names the first part that contradicts, since that decides the score.
func (v *verdict) conflictReason() string {
	switch {
	case v.surname.how == conflict:
		return "second surname differs"
	case v.given.how == conflict:
		return "first name differs: " + upperPair(v.given.tie)
	case v.middle.how == conflict && v.middle.tie.a != nil:
		return "middle name differs: " + upperPair(v.middle.tie)
	case v.middle.how == conflict:
		return "middle name differs"
	}
	return ""
}

// upperPair returns both words as sources write them.
func upperPair(t tie) string { return strings.ToUpper(t.a.Text) + " and " + strings.ToUpper(t.b.Text) }

// surnameReason returns how the surnames agree.
func surnameReason(f field) string {
	switch f.how {
	case halfSurname:
		return "one of two surnames agrees, the other is absent" + tail(f.tie, "surname")
	case crosswise:
		return "both surnames agree in the other order"
	case together:
		return "surname agrees, written together or apart"
	case straight:
		return tieReason(f.tie, "surname")
	}
	return ""
}

// tail returns how two words differ, if they do.
func tail(t tie, part string) string {
	if t.kind == equal {
		return ""
	}
	return "; " + tieReason(t, part)
}

// givenReason returns how the given names agree.
func givenReason(f field) string {
	switch f.how {
	case absent:
		return "no first name on one side"
	case middleAsName:
		return "goes by the middle name" + tail(f.tie, "name")
	case crosswise:
		return "first and middle name in the other order"
	case together:
		return "first and middle name written together"
	case straight:
		return tieReason(f.tie, "first name")
	}
	return ""
}

// middleReason returns how the middle names agree.
func middleReason(f field) string {
	switch f.how {
	case oneSided:
		return "middle name on one side only"
	case together:
		return "middle names written together"
	case straight:
		if f.tie.kind == initialOf {
			return "middle initial agrees"
		}
		return tieReason(f.tie, "middle name")
	}
	return ""
}

// tieReason returns in words how two words relate; part names their role.
func tieReason(t tie, part string) string {
	switch t.kind {
	case equal:
		return part + " agrees"
	case variant:
		return "spellings of one name " + formPair(t)
	case nickname:
		return "nickname " + formPair(t)
	case sharedName:
		return "nicknames of one name " + formPair(t)
	case withoutParticle:
		return "particle of the surname left out"
	case soundsLike:
		return part + " sounds alike: " + upperPair(t)
	case oneEdit:
		return "one letter differs in " + part
	case twoEdits:
		return "two letters differ in " + part
	case cutOff:
		return part + " cut off at the column's width"
	case shortened:
		return "short form " + formPair(t)
	case initialOf:
		return part + " agrees with an initial"
	}
	return part + " differs: " + upperPair(t)
}

// formPair returns Bill=William, the shorter form first.
func formPair(t tie) string {
	a, b := t.a.Text, t.b.Text
	if len(a) > len(b) || len(a) == len(b) && a > b {
		a, b = b, a
	}
	return capital(a) + "=" + capital(b)
}

// capital returns s with an upper-case first letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// suffixReason returns how the suffixes agree.
func suffixReason(a, b token.Suffix, score float32) string {
	switch {
	case a == token.None && b == token.None:
		return ""
	case a == token.None || b == token.None:
		return "suffix on one side only"
	case score <= costDifferent:
		return "suffix conflicts " + a.String() + "/" + b.String()
	}
	return "suffix agrees"
}

// readingReason says if a name was read in another order than it is written.
func readingReason(r *reading) string {
	switch r.how {
	case asLastFirst:
		return "one name is written last name first"
	case asSwapped:
		return "first and last name swapped"
	case asTwoSurnames:
		return "read with two surnames"
	case asAlias:
		return "alias"
	case asSplit:
		return "two names written together"
	}
	return ""
}
