// Package token cuts a cleaned name into words: its main part and aliases (Segments), and the words of a part with the
// generation that follows (Tokenize). Which word is a surname it does not know: that belongs to package match. It imports
// match/internal/letter alone.
package token

import (
	"strings"

	"rollcall/match/internal/letter"
)

// Token is a word of the source before it has a role.
type Token struct {
	Text string
	// Hyphen says that a hyphen ties it to the token before.
	Hyphen bool
	// Comma says that a comma stands before it.
	Comma bool
}

// Suffix is the generation after a name.
type Suffix uint8

// The generations, as they are written. II is often JR.
const (
	None Suffix = iota
	Senior
	Junior
	Second
	Third
	Fourth
	Fifth
)

// String returns the suffix as it is commonly written.
func (s Suffix) String() string {
	return [...]string{"", "SR", "JR", "II", "III", "IV", "V"}[s]
}

// Ignored reports whether a folded word says nothing of who somebody is: a generation, a title, a word before an alias, or what
// stands where a name is not known.
func Ignored(word string) bool {
	_, generation := suffixes[word]
	return generation || titles[word] || aliasWords[word] || placeholder(Token{Text: word})
}

// maxTokens bounds the work on a name; a real one has far fewer.
const maxTokens = 12

// suffixes are generations as they are written; the last two are II and III read by OCR.
var suffixes = map[string]Suffix{
	"jr": Junior, "jnr": Junior, "junior": Junior, "sr": Senior, "snr": Senior, "senior": Senior,
	"ii": Second, "2nd": Second, "2d": Second, "iii": Third, "3rd": Third, "3d": Third, "iv": Fourth, "4th": Fourth, "5th": Fifth,
	"11": Second, "111": Third, "jr2": Junior,
}

// titles say nothing about who somebody is.
var titles = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "miss": true, "dr": true, "rev": true, "hon": true, "sgt": true, "esq": true, "md": true, "phd": true,
}

// aliasWords begin another name of the same person.
var aliasWords = map[string]bool{"aka": true, "alias": true, "fka": true, "nka": true, "nee": true, "dba": true, "formerly": true}

var (
	slashedAlias = strings.NewReplacer("a-k-a", " aka ", "f-k-a", " fka ", "n-k-a", " nka ")
	apart        = strings.NewReplacer("(", " ( ", ")", " ) ", ";", " ; ")
)

// Segments returns the main name of a cleaned text, and after it the aliases that follow it or stand in brackets.
func Segments(s string) []string {
	if strings.Contains(s, "-") {
		s = slashedAlias.Replace(s)
	}
	s = strings.ReplaceAll(s, "also known as", "aka")
	s = strings.ReplaceAll(s, "a k a ", "aka ")
	if !strings.ContainsAny(s, "();") && !mentionsAlias(s) {
		return []string{s}
	}
	parts := []string{""}
	main, inside := 0, false
	for field := range strings.FieldsSeq(spaceSigns(s)) {
		switch {
		case field == "(" && !inside:
			parts, inside = append(parts, ""), true
		case field == "(" || field == ")":
			inside = false
		case field == ";" || aliasWords[field]:
			if parts[len(parts)-1] != "" && (!inside || len(parts) > 2) {
				parts = append(parts, "")
				main = len(parts) - 1
			}
		case inside:
			parts[len(parts)-1] += field + " "
		default:
			parts[main] += field + " "
		}
	}
	return parts
}

// mentionsAlias reports whether a text holds a word such as AKA.
func mentionsAlias(s string) bool {
	for field := range strings.FieldsSeq(s) {
		if aliasWords[field] {
			return true
		}
	}
	return false
}

// spaceSigns puts blanks around signs, so that words can be cut at blanks.
func spaceSigns(s string) string {
	return apart.Replace(s)
}

// Tokenize returns the words of a segment, without titles and placeholders, and its suffix.
func Tokenize(s string) ([]Token, Suffix) {
	toks := make([]Token, 0, 6)
	var next Token
	start := -1
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != ' ' && s[i] != letter.Comma && s[i] != letter.Hyphen {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			next.Text = s[start:i]
			toks = append(toks, next)
			next, start = Token{}, -1
		}
		if i < len(s) && s[i] == letter.Comma {
			next.Comma, next.Hyphen = true, false
		}
		if i < len(s) && s[i] == letter.Hyphen && len(toks) > 0 && !next.Comma {
			next.Hyphen = true
		}
	}
	toks, suffix := takeSuffix(toks)
	return present(toks), suffix
}

// takeSuffix removes JR, III and the like from the words, and titles too.
func takeSuffix(toks []Token) ([]Token, Suffix) {
	var found Suffix
	out := toks[:0]
	commaDue := false
	for i, t := range toks {
		t.Comma = t.Comma || commaDue
		s, isSuffix := suffixes[t.Text]
		isGiven := t.Text == "junior" && t.Comma && i == 1 // FRANCOIS, JUNIOR
		if isSuffix && !isGiven && i > 0 && found == None && endsPart(toks, i) && (len(t.Text) < 6 || len(toks) > 2) {
			found, commaDue = s, t.Comma
			continue
		}
		commaDue = t.Comma
		if titles[t.Text] && (len(toks) > 2 && (i == 0 || i == len(toks)-1 || t.Comma) || addresses(toks, i)) {
			continue
		}
		if t.Text = letters(t.Text); t.Text == "" {
			continue
		}
		commaDue = false
		out = append(out, t)
		if len(out) == maxTokens {
			break
		}
	}
	return out, found
}

// addresses reports whether the first of two words is a title that nobody is called by: DR MARLOWE is a surname alone.
func addresses(toks []Token, i int) bool {
	t := toks[i].Text
	return i == 0 && len(toks) == 2 && !toks[1].Comma && (t == "dr" || t == "mr" || t == "mrs" || t == "ms")
}

// endsPart reports whether a suffix may stand at i: it ends the name or its part before a comma, or it cannot be read
// as anything else.
func endsPart(toks []Token, i int) bool {
	return i+1 == len(toks) || toks[i+1].Comma || toks[i].Comma || len(toks[i].Text) < 6
}

// letters repairs the digits that OCR reads for letters. It returns "" for what is not part of a name (numbers, lone
// wildcards).
func letters(s string) string {
	digits, signs := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == letter.Wildcard:
			signs++
		}
	}
	switch {
	case digits+signs == 0:
		return s
	case digits+signs == len(s):
		return ""
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '0':
			return 'o'
		case '5':
			return 's'
		case '8':
			return 'b'
		case '1', '2', '3', '4', '6', '7', '9':
			return letter.Wildcard
		}
		return r
	}, s)
}
