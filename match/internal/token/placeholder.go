package token

import "slices"

// part is what of a name a placeholder stands for.
type part uint8

const (
	middleName part = iota
	firstName
	lastName
	anyName // that in whose place it stands
)

// placeholders are what clerks write where a name has no middle name, or where a name is not known: NMN and NMI (no middle name,
// no middle initial) on arrest forms, FNU and LNU (first, last name unknown) on dockets and visas. The United States put FNU on
// the visa of whoever has one name (State Department, Foreign Affairs Manual); of FNU LNU in courts see the New York Times of
// 14 July 2013.
var placeholders = map[string]part{
	"nmn": middleName, "nmi": middleName, "fnu": firstName, "lnu": lastName, "unk": anyName, "unknown": anyName,
}

// present returns the words of a name that are no placeholders. None is left where the last name is not known: nobody is found
// by a first name.
func present(toks []Token) []Token {
	if !slices.ContainsFunc(toks, placeholder) {
		return toks
	}
	last := toks[len(toks)-1:]
	if at := slices.IndexFunc(toks, func(t Token) bool { return t.Comma }); at > 0 {
		last = toks[:at]
	}
	unknown := func(t Token) bool { return placeholders[t.Text] >= lastName }
	if slices.ContainsFunc(toks, func(t Token) bool { return placeholders[t.Text] == lastName }) || !slices.ContainsFunc(last, func(t Token) bool { return !unknown(t) }) {
		return nil
	}
	out, comma := toks[:0], false
	for _, t := range toks {
		comma = comma || t.Comma
		if !placeholder(t) {
			t.Comma, comma = comma, false
			out = append(out, t)
		}
	}
	return out
}

// placeholder reports whether a word stands for a name that is not there.
func placeholder(t Token) bool {
	_, is := placeholders[t.Text]
	return is
}
