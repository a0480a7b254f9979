package record

import (
	"regexp"
	"strings"

	"rollcall/models"
	"rollcall/web/words"
)

// bond is what a charge's bond is: its amount, or what is known of it in words. Programs get the text as it came.
type bond struct {
	Sum string
	// Said is the source's text in plain words; where they are not the same, Raw is the text itself.
	Said words.Text
	Raw  string
}

// None reports whether nothing is known.
func (b bond) None() bool { return b.Sum == "" && len(b.Said) == 0 }

// bondOf returns the bond of a charge.
func bondOf(cents *int64, text *string) bond {
	b := bond{Sum: money(cents)}
	if text == nil || *text == "" {
		return b
	}
	b.Said = bondWords(*text)
	switch {
	case len(b.Said) == 0:
		b.Said = words.Plain(*text)
	case b.Said.String() != strings.ToLower(strings.TrimSpace(*text)):
		b.Raw = *text
	}
	return b
}

// knownBonds are what jails write about a bond, and the words for it. Whether it can be posted follows from the rest, and is said
// only where nothing else is.
var knownBonds = []struct {
	text *regexp.Regexp
	says words.Text
}{
	{regexp.MustCompile(`\bNO AMOUNT SET\b`), words.T("no amount set")},
	{regexp.MustCompile(`\bNO BOND\b`), words.T("no bond")},
	{regexp.MustCompile(`\b(?:NOT|NON|UN)-?BONDABLE\b`), words.T("no bond")},
	{regexp.MustCompile(`\bDENIED\b`), words.Plain("denied")},
	{regexp.MustCompile(`\bCASH (?:OR|/) SURETY\b`), words.T("cash or surety")},
	{regexp.MustCompile(`\bHOLDS\b`), words.Plain("holds")},
	{regexp.MustCompile(`\bHOLD\b`), words.Plain("hold")},
}

var (
	bondStars   = regexp.MustCompile(`[*\s]+`)
	bondAmounts = regexp.MustCompile(`\b(CASH|SURETY|PROPERTY|FEES?|BOND) ?[:-]? ?\$ ?(\d[\d,]*(?:\.\d\d)?)`)
	bondKinds   = regexp.MustCompile(`\b(?:CASH|SURETY|PROPERTY)\b`)
	bondReady   = regexp.MustCompile(`\b(?:NOT )?READY\b`)
	bondRest    = regexp.MustCompile(`[^\s.,;:/-]`)
)

// bondWords returns the words for a text, or none where a part of it means nothing here: half of what a jail says is worse than its
// own words.
func bondWords(text string) words.Text {
	rest := bondStars.ReplaceAllString(strings.ToUpper(text), " ")
	var said []words.Text
	for _, m := range bondAmounts.FindAllStringSubmatch(rest, -1) {
		cents, err := models.ParseCents(strings.ReplaceAll(m[2], ",", ""))
		if err != nil {
			return nil
		}
		said = append(said, words.Join(" ", words.Word(strings.ToLower(m[1])), words.Plain(cents.String())))
	}
	rest = bondAmounts.ReplaceAllString(rest, " ")
	for _, k := range knownBonds {
		if k.text.MatchString(rest) {
			said = append(said, k.says)
			rest = without(rest, k.text)
		}
	}
	if kind := bondKinds.FindString(rest); kind != "" {
		said = append(said, words.Word(strings.ToLower(kind)))
		rest = without(rest, bondKinds)
	}
	ready := bondReady.FindString(rest)
	switch rest = without(rest, bondReady); {
	case bondRest.MatchString(rest):
		return nil
	case len(said) > 0:
		return words.Join("; ", said...)
	}
	return words.Plain(strings.ToLower(ready))
}

// without returns a text without the first part of it that fits.
func without(text string, part *regexp.Regexp) string {
	if at := part.FindStringIndex(text); at != nil {
		return text[:at[0]] + " " + text[at[1]:]
	}
	return text
}
