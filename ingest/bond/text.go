package bond

import (
	_ "embed" // words.txt
	"regexp"
	"strings"

	"rollcall/ingest/value"
	"rollcall/internal/ssn"
)

// Hidden stands in a published text for words that are not of bonds.
const Hidden = "…"

// Text returns what may be published of a text about a bond. Clerks write into it to whom somebody is released, who called,
// and where somebody lives. So only words that jails use about bonds stay, with amounts, days and signs. All else becomes
// Hidden: other words, numbers of seven digits or of telephones, and social security numbers. The whole text stays in the archive of
// raw data, for operators alone.
func Text(text string) string {
	text = ssn.Blot(value.Squeeze(text))
	runs := strings.Fields(text)
	kept := runs[:0]
	for _, w := range runs {
		if !public(w) {
			if n := len(kept); n > 0 && kept[n-1] == Hidden {
				continue
			}
			w = Hidden
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}

// public reports whether a run of signs without blanks may be published.
func public(run string) bool {
	return familiar(run) && (strings.HasPrefix(run, "$") || !longNumber.MatchString(run))
}

// familiar reports whether all words of a run of signs without blanks are of bonds.
func familiar(run string) bool {
	for _, word := range strings.FieldsFunc(strings.ToUpper(run), func(r rune) bool { return r < 0x80 && (r < 'A' || r > 'Z') }) {
		if !vocabulary[word] {
			return false
		}
	}
	return true
}

// longNumber finds numbers of seven digits and numbers of telephones.
var longNumber = regexp.MustCompile(`\d{7}|\b\d{3}[-.)]\d{4}\b`)

// words.txt has the words that may be published: those of bonds, courts, sentences and holds, and small words between them.
// Names of judges, counties and charges are not among them, as a person may bear them.
//
//go:embed words.txt
var words string

// vocabulary are the words of words.txt, in capitals.
var vocabulary = func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}()
