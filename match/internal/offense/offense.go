// Package offense compares the wording of charges: a jail and a court rarely write one charge alike. It knows the sections of
// the Georgia code and the abbreviations of clerks, and no people; package match decides what a shared offense is worth for
// a link. It imports nothing of rollcall but the folding of letters.
package offense

import (
	"regexp"
	"slices"
	"strings"

	"rollcall/match/internal/letter"
)

// statute finds sections of the Georgia code (16-8-2, 40-6-391.1) in the words of a charge. A section names one
// offense, however it is worded.
var statute = regexp.MustCompile(`\b\d{1,2}-\d{1,2}[A-Z]?-\d{1,4}(\.\d+)?`)

// plainWords appear in charges of every kind, so sharing them says nothing of the offense.
var plainWords = map[string]bool{
	"and": true, "the": true, "for": true, "with": true, "without": true, "from": true, "degree": true, "first": true, "second": true, "third": true,
	"1st": true, "2nd": true, "3rd": true, "felony": true, "felonies": true, "misdemeanor": true, "misd": true, "fel": true, "count": true, "counts": true,
	"less": true, "more": true, "than": true, "offense": true, "charge": true, "georgia": true, "state": true, "unlawful": true, "other": true,
}

// shortWords are what clerks and jails write for words of offenses. Words cut off at their end need no entry:
// oneOffense compares beginnings.
var shortWords = map[string]string{
	"agg": "aggravated", "asslt": "assault", "batt": "battery", "btry": "battery", "burg": "burglary", "poss": "possession",
	"dist": "distribute", "subs": "substance",
	"viol": "violation", "prob": "probation", "marij": "marijuana", "mj": "marijuana", "meth": "methamphetamine", "veh": "vehicle",
	"susp": "suspended", "lic": "license",
	"fta": "appear", "vop": "probation", "fv": "family", "vgcsa": "controlled", "obst": "obstruction", "obstr": "obstruction", "off": "officer", "leo": "officer",
	"crim": "criminal", "tresp": "trespass", "dmg": "damage", "prop": "property", "conv": "convicted", "int": "intent", "w": "with",
}

// Common reports whether a charge of one list is one of the other: by its section of the code, or by two thirds of the
// words of the shorter wording. Of an empty list nothing is known, so the answer is false.
func Common(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	worded := make([][]string, len(b))
	for i, y := range b {
		worded[i] = offenseWords(y)
	}
	for _, x := range a {
		section := statute.FindString(strings.ToUpper(x))
		words := offenseWords(x)
		for i, y := range b {
			if section != "" && section == statute.FindString(strings.ToUpper(y)) || oneOffense(words, worded[i]) {
				return true
			}
		}
	}
	return false
}

// offenseWords returns the words of a charge that distinguish it, spelled out and without repetition.
func offenseWords(s string) []string {
	var words []string
	for w := range strings.FieldsSeq(letter.Fold(statute.ReplaceAllString(s, " "))) {
		if long, ok := shortWords[w]; ok {
			w = long
		}
		if len(w) > 2 && !plainWords[w] && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// oneOffense compares words; one of four letters or more stands for all that begin with it ("POSS" for "POSSESSION").
// Shorter ones begin too many words.
func oneOffense(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return false
	}
	met := 0
	for _, x := range a {
		if slices.ContainsFunc(b, func(y string) bool {
			return x == y || len(x) > 3 && strings.HasPrefix(y, x) || len(y) > 3 && strings.HasPrefix(x, y)
		}) {
			met++
		}
	}
	return 3*met >= 2*len(a)
}
