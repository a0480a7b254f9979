package models

import (
	"fmt"
	"strings"
	"unicode"
)

// consolidated are the names of counties that are one government with their city, by slug. Feeds write both.
var consolidated = map[string][]string{
	"bibb":          {"macon-bibb"},
	"chattahoochee": {"cusseta-chattahoochee"},
	"clarke":        {"athens-clarke"},
	"muscogee":      {"columbus-muscogee"},
	"quitman":       {"georgetown-quitman"},
	"richmond":      {"augusta-richmond"},
}

// notCounty are the words of a spelling that do not name the county: "DeKalb Co.", "Fulton County, GA".
var notCounty = map[string]bool{"county": true, "co": true, "ga": true, "georgia": true}

// countyLabel folds a spelling of a county: small letters and digits alone, without the words that name no county. So Ben Hill,
// ben_hill and BEN-HILL COUNTY are one, and De Kalb is DeKalb.
func countyLabel(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var b strings.Builder
	for _, w := range words {
		if !notCounty[w] {
			b.WriteString(w)
		}
	}
	return b.String()
}

// Find returns the county that a text names, by any spelling that feeds, requests and documents use: its slug, its name, that
// of its consolidated government, or its FIPS code. It returns nil for any other text.
func (c *Counties) Find(text string) *County { return c.byLabel[countyLabel(text)] }

// BySlug is Find for requests. A typo must never read as "not in custody", so a text that names no county is an error that
// says what to do.
func (c *Counties) BySlug(text string) (*County, error) {
	if err := PlainText("county", text); err != nil { // before it is compared with every spelling
		return nil, err
	}
	if k := c.Find(text); k != nil {
		return k, nil
	}
	hint := "see /v1/counties for all of them"
	if meant := c.Suggest(text); meant != "" {
		hint = meant + " " + hint
	}
	return nil, Invalid("county", fmt.Sprintf("county %.40q is not a county slug of Georgia; %s", text, hint))
}

// maxSlips is how many letters a text may differ from a county that Suggest names.
const maxSlips = 2

// Suggest asks whether a county was meant whose spelling differs by a letter or two, as `did you mean "fulton"?`. It is empty
// where no county, or more than one, is that near.
func (c *Counties) Suggest(text string) string {
	label, best, found := countyLabel(text), maxSlips+1, ""
	for spelling, k := range c.byLabel {
		switch n := slips(label, spelling); {
		case n < best:
			best, found = n, k.Slug
		case n == best && found != k.Slug:
			found = ""
		}
	}
	if found == "" || best >= len(label)/2 {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", found)
}

// slips returns by how many letters two texts differ: left out, added or exchanged.
func slips(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			step := before
			if a[i] != b[j] {
				step++
			}
			before = row[j+1]
			row[j+1] = min(step, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
