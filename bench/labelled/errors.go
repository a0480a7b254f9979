package labelled

import (
	"slices"
	"strings"
)

// swapForm replaces a name by another form of it. Like all errors here it returns false
// where the name does not allow it; the caller then draws another person.
func (g *Generator) swapForm(name *string, forms map[string][]string) bool {
	list := forms[*name]
	if len(list) == 0 {
		return false
	}
	*name = list[g.r.IntN(len(list))]
	return true
}

// typo makes one slip: a letter dropped, doubled, replaced, transposed or inserted.
func (g *Generator) typo(name *string) bool {
	s := *name
	if len(s) < 4 {
		return false
	}
	i := 1 + g.r.IntN(len(s)-2)
	letter := g.letter()
	switch g.r.IntN(5) {
	case 0:
		*name = s[:i] + s[i+1:]
	case 1:
		*name = s[:i] + s[i:i+1] + s[i:]
	case 2:
		*name = s[:i] + letter + s[i+1:]
	case 3:
		*name = s[:i] + s[i+1:i+2] + s[i:i+1] + s[i+2:]
	default:
		*name = s[:i] + letter + s[i:]
	}
	return *name != s
}

// respell writes a name as it sounds.
func (g *Generator) respell(name *string) bool {
	rules := [][2]string{
		{"ph", "f"},
		{"ck", "k"},
		{"c", "k"},
		{"k", "c"},
		{"ie", "y"},
		{"y", "ie"},
		{"ey", "y"},
		{"ee", "ea"},
		{"ea", "ee"},
		{"ai", "ay"},
		{"s", "z"},
		{"z", "s"},
		{"ll", "l"},
		{"nn", "n"},
		{"tt", "t"},
		{"rr", "r"},
		{"l", "ll"},
		{"n", "nn"},
		{"on", "en"},
		{"en", "an"},
		{"er", "ar"},
		{"i", "y"},
		{"au", "aw"},
		{"ch", "sh"},
		{"x", "ks"},
		{"h", ""},
		{"e", "a"},
	}
	for range 12 {
		rule := rules[g.r.IntN(len(rules))]
		i := strings.LastIndex(*name, rule[0])
		if len(*name) > 3 && i > 0 && strings.Contains(*name, rule[0]) {
			*name = (*name)[:i] + rule[1] + (*name)[i+len(rule[0]):]
			return true
		}
	}
	return false
}

// petForm makes a short form that no table lists, to measure what the matcher does without
// its tables.
func (g *Generator) petForm(name *string) bool {
	s := *name
	if len(s) < 6 {
		return false
	}
	n := 3 + g.r.IntN(2)
	pet := s[:n]
	switch g.r.IntN(4) {
	case 0:
		pet += "y"
	case 1:
		pet = s[len(s)-n-1:]
	case 2:
		pet += "ie"
	}
	if pet[len(pet)-1] == pet[len(pet)-2] || g.either[pet] {
		return false
	}
	if slices.Contains(g.nick[s], pet) {
		return false
	}
	*name = pet
	return true
}
