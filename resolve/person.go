package resolve

import (
	"slices"
	"strings"

	"rollcall/match"
	"rollcall/match/spelling"
	"rollcall/models/snapshot"
)

// Person is who a record is about, as one source writes it.
type Person = snapshot.Identity

// Same reports whether a record known under a key and a new row under the same key can be one person.
// Names that are not even alike (match.Alike), or birth dates that conflict, are another person; all
// that is closer is a correction (FEEDS.md, guarantee 6). Where the birth is equal, so is a name that differs
// by a slip of the pen (spelling.Respelled): in any of its words with the whole date, in one of them with the year alone. A row
// that says that the record is restricted names nobody else; nor does a record that was first seen so.
func Same(known, row Person) bool {
	if StatesRestriction(row.Name) {
		return true
	}
	if known.DOB != nil && row.DOB != nil && known.DOB.Conflicts(*row.DOB) {
		return false
	}
	if StatesRestriction(known.Name) || alike(known.Name, row.Name) {
		return true
	}
	slips, respelled := spelling.Respelled(known.Name, row.Name)
	if !respelled {
		return false
	}
	if known.DOB != nil && row.DOB != nil {
		return *known.DOB == *row.DOB
	}
	return slips <= 1 && known.Born() != 0 && known.Born() == row.Born()
}

// alike reports whether two names can be one, written twice.
func alike(known, row string) bool {
	if match.Fold(known) == match.Fold(row) {
		return true
	}
	a, b := match.Parse(known), match.Parse(row)
	return match.Alike(&a, &b)
}

// Namesake reports whether two sources that describe one booking may have written these two names: the
// whole surname and first name are the same, middle names are left out or shortened to initials on one
// side, and so is a suffix only where both birth dates are known. Birth dates, where both are known, are
// the same.
func Namesake(a, b Person) bool {
	if a.DOB != nil && b.DOB != nil && *a.DOB != *b.DOB {
		return false
	}
	one, suffix := written(a.Name)
	other, ending := written(b.Name)
	if suffix != ending && (a.DOB == nil || b.DOB == nil || suffix != "" && ending != "") {
		return false
	}
	for _, x := range one {
		if slices.ContainsFunc(other, x.may) {
			return true
		}
	}
	return false
}

// reading is one way to read a name.
type reading struct {
	last, first string
	middle      []string
}

// may reports whether two readings can be one name.
func (r reading) may(o reading) bool {
	if r.last != o.last || r.first != o.first {
		return false
	}
	for i := range min(len(r.middle), len(o.middle)) {
		short, long := r.middle[i], o.middle[i]
		if len(short) > len(long) {
			short, long = long, short
		}
		if short != long && (len(short) != 1 || !strings.HasPrefix(long, short)) {
			return false
		}
	}
	return true
}

// suffixes are the folded suffixes of names.
var suffixes = []string{"jr", "sr", "ii", "iii", "iv", "v"}

// written lists the ways to read a name as a source writes it, and its suffix. With a comma the surname
// stands before it; without one it may stand first or last and have any number of words.
func written(name string) (ways []reading, suffix string) {
	before, after, comma := strings.Cut(name, ",")
	words := func(text string) (kept []string) {
		for w := range strings.FieldsSeq(match.Fold(text)) {
			if slices.Contains(suffixes, w) {
				suffix = w
			} else {
				kept = append(kept, w)
			}
		}
		return kept
	}
	if last, rest := words(before), words(after); comma && len(last) > 0 && len(rest) > 0 {
		return []reading{{strings.Join(last, " "), rest[0], rest[1:]}}, suffix
	}
	all := words(name)
	for n := 1; n < len(all); n++ {
		ways = append(ways,
			reading{strings.Join(all[:n], " "), all[n], all[n+1:]},
			reading{strings.Join(all[len(all)-n:], " "), all[0], all[1 : len(all)-n]})
	}
	return ways, suffix
}

// sortedWords are the words of a folded name in one order, to compare names that are written in another.
func sortedWords(name string) string {
	words := strings.Fields(match.SearchKey(name))
	slices.Sort(words)
	return strings.Join(words, " ")
}
