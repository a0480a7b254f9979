package match

import (
	"strings"

	"rollcall/match/internal/letter"
)

// token is a word of the source before it has a role.
type token struct {
	text string
	// A hyphen ties it to the token before.
	hyphen bool
	// A comma stands before it.
	comma bool
}

// maxTokens bounds the work on a name; a real one has far fewer.
const maxTokens = 12

// suffixes are generations as they are written; the last two are II and III read by OCR.
var suffixes = map[string]suffix{
	"jr": junior, "jnr": junior, "junior": junior, "sr": senior, "snr": senior, "senior": senior,
	"ii": second, "2nd": second, "2d": second, "iii": third, "3rd": third, "3d": third, "iv": fourth, "4th": fourth, "5th": fifth,
	"11": second, "111": third, "jr2": junior,
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

// segments returns the main name of a cleaned text, and after it the aliases that follow it or stand in brackets.
func segments(s string) []string {
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

// tokenize returns the words of a segment, without titles, and its suffix.
func tokenize(s string) ([]token, suffix) {
	toks := make([]token, 0, 6)
	var next token
	start := -1
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != ' ' && s[i] != letter.Comma && s[i] != letter.Hyphen {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			next.text = s[start:i]
			toks = append(toks, next)
			next, start = token{}, -1
		}
		if i < len(s) && s[i] == letter.Comma {
			next.comma, next.hyphen = true, false
		}
		if i < len(s) && s[i] == letter.Hyphen && len(toks) > 0 && !next.comma {
			next.hyphen = true
		}
	}
	return takeSuffix(toks)
}

// takeSuffix removes JR, III and the like from the words, and titles too.
func takeSuffix(toks []token) ([]token, suffix) {
	var found suffix
	out := toks[:0]
	commaDue := false
	for i, t := range toks {
		t.comma = t.comma || commaDue
		s, isSuffix := suffixes[t.text]
		isGiven := t.text == "junior" && t.comma && i == 1 // FRANCOIS, JUNIOR
		if isSuffix && !isGiven && i > 0 && found == noSuffix && endsPart(toks, i) && (len(t.text) < 6 || len(toks) > 2) {
			found, commaDue = s, t.comma
			continue
		}
		commaDue = t.comma
		if titles[t.text] && len(toks) > 2 && (i == 0 || i == len(toks)-1 || t.comma) {
			continue
		}
		if t.text = letters(t.text); t.text == "" {
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

// endsPart reports whether a suffix may stand at i: it ends the name or its part before a comma, or it cannot be read
// as anything else.
func endsPart(toks []token, i int) bool {
	return i+1 == len(toks) || toks[i+1].comma || toks[i].comma || len(toks[i].text) < 6
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
