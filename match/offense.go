package match

import (
	"regexp"
	"slices"
	"strings"
)

// statute finds sections of the Georgia code (16-8-2, 40-6-391.1) in the words of a charge.
var statute = regexp.MustCompile(`\b\d{1,2}-\d{1,2}[A-Z]?-\d{1,4}(\.\d+)?`)

// plainWords say nothing of an offense.
var plainWords = map[string]bool{
	"and": true, "the": true, "for": true, "with": true, "without": true, "from": true, "degree": true, "first": true, "second": true, "third": true,
	"1st": true, "2nd": true, "3rd": true, "felony": true, "felonies": true, "misdemeanor": true, "misd": true, "fel": true, "count": true, "counts": true,
	"less": true, "more": true, "than": true, "offense": true, "charge": true, "georgia": true, "state": true, "unlawful": true, "other": true,
}

// shortWords are what clerks and jails write for words of offenses; where one is cut off at its beginning,
// nothing need stand here.
var shortWords = map[string]string{
	"agg": "aggravated", "asslt": "assault", "batt": "battery", "btry": "battery", "burg": "burglary", "poss": "possession", "dist": "distribute", "subs": "substance",
	"viol": "violation", "prob": "probation", "marij": "marijuana", "mj": "marijuana", "meth": "methamphetamine", "veh": "vehicle", "susp": "suspended", "lic": "license",
	"fta": "appear", "vop": "probation", "fv": "family", "vgcsa": "controlled", "obst": "obstruction", "obstr": "obstruction", "off": "officer", "leo": "officer",
	"crim": "criminal", "tresp": "trespass", "dmg": "damage", "prop": "property", "conv": "convicted", "int": "intent", "w": "with",
}

// commonOffense reports whether a charge of one list is one of the other: by its section of the code, or
// by two thirds of the words of the shorter wording.
func commonOffense(a, b []string) bool {
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

func offenseWords(s string) []string {
	var words []string
	for w := range strings.FieldsSeq(Fold(statute.ReplaceAllString(s, " "))) {
		if long, ok := shortWords[w]; ok {
			w = long
		}
		if len(w) > 2 && !plainWords[w] && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// oneOffense compares words; one of four letters or more stands for those that begin with it.
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

// numbered reports whether one of a booking's numbers is the one that a court names. Sources join a number
// with county and time by "|" where it is not unique alone; short numbers repeat too often to say anything.
func numbered(named string, numbers []string) bool {
	if named = strings.TrimSpace(named); len(named) < 4 {
		return false
	}
	for _, n := range numbers {
		for part := range strings.SplitSeq(n, "|") {
			if strings.EqualFold(strings.TrimSpace(part), named) {
				return true
			}
		}
	}
	return false
}
