package bond

import (
	"regexp"
	"strings"

	"rollcall/ingest/value"
	"rollcall/models"
)

// security returns what secures a bond: cash, a surety, property or the person's own word. A text that names several, as
// "Cash or Surety" does, leaves the choice open. So does one that rules a kind out, as NO SURETY does, and a bond that must
// only be "good and sufficient" (G/S).
func security(text string) models.BondKind {
	if ruledOut.MatchString(text) {
		return ""
	}
	var kind models.BondKind
	for _, s := range securities {
		if !s.words.MatchString(text) {
			continue
		}
		if kind != "" {
			return ""
		}
		kind = s.kind
	}
	return kind
}

var securities = []struct {
	kind  models.BondKind
	words *regexp.Regexp
}{
	{models.BondCash, regexp.MustCompile(`(?i)(?:\b|\d)CA?SH\b`)},
	{models.BondSurety, regexp.MustCompile(`(?i)\bSURETY\b`)},
	{models.BondProperty, regexp.MustCompile(`(?i)\bPROPERTY\b`)},
	{models.BondOwnRecognizance, regexp.MustCompile(`(?i)\bR\.?O\.?R\b|\bO ?[./] ?R\b|\bRECOG(?:NI[SZ]ANCE|NIZENCE)?\b|\bPR BO?ND\b|\bOR BO?ND\b|(?:^ ?|\$ ?\d[\d,.]* )OR ?$`)},
}

// ruledOut finds a kind of bond that a text rules out.
var ruledOut = regexp.MustCompile(`(?i)\b(?:NO|NOT|WITHOUT|W/O|(?:NOT |IN)ELIGIBLE FOR)(?: AN?)? ` + kinds + `|` + kinds + ` (?:BO?NDS? )?(?:DENIED|NOT)\b|\bNOT ELIGIBLE\b`)

const kinds = `\b(?:CA?SH|SURETY|PROPERTY|R\.?O\.?R|O ?[./]? ?R|OWN RECOG\w*|RECOG\w*|PR)\b`

// kindOf returns the kind of a bond without an amount: none where it is refused, what would secure it, held where
// somebody stays whatever the bond, and none again where it is only not set. What a text says is lifted is not its kind.
func kindOf(text string) models.BondKind {
	gone := lifted.MatchString(text)
	if !gone && models.RefusesBond(ruledOut.ReplaceAllString(text, " ")) {
		return models.BondNone
	}
	if kind := security(text); kind != "" {
		return kind
	}
	switch {
	case gone:
		return ""
	case held.MatchString(noHold.ReplaceAllString(text, "")), sentenced.MatchString(text) && !outside.MatchString(text):
		return models.BondHeld
	case unset.MatchString(text), strings.Trim(text, "0$., ") == "" && strings.Contains(text, "0"):
		return models.BondNone
	}
	return ""
}

// The words of jails about bonds: those of the shipped sources, and what clerks write for a bond that is not set, a kind of bond,
// what it waits for, or whom to ask. models.RefusesBond has those for no bond.
var (
	unset     = regexp.MustCompile(`(?i)\bNO AMOUNT\b|\b(?:NOT|NONE) SET\b|\bUNSET\b|^\W*(?:BOND)?\W*NONE\W*$`)
	noHold    = regexp.MustCompile(`(?i)\bNO (?:\w+ )?(?:HOLDS?|DETAINERS?)\b|\bNO ICE\b`)
	lifted    = regexp.MustCompile(`(?i)\b(?:LIFTED|DROPPED|RECALLED|WITHDRAWN|VACATED|CANCELLED)\b|\b(?:HOLDS?|DETAINERS?) (?:(?:IS|WAS|HAS|BEEN) )*(?:REMOVED|RELEASED|SATISFIED|EXPIRED)\b`)
	held      = regexp.MustCompile(`(?i)\b(?:HOLDS?|HOLDING|DETAINERS?|COMMITTED|FUGITIVE|ICE)\b`)
	sentenced = regexp.MustCompile(`(?i)\b(?:SENT|SENTENCED?|SERVING|CONFINED|CONFINEMENT)\b`)
	outside   = regexp.MustCompile(`(?i)\b(?:PROBAT\w*|SERVED|SUS|SUSP\w*)\b`) // sentenced, and not to jail
)

// known reports whether a text without an amount is meant so: it has a word for no bond, a kind of bond, or only signs
// ("$", "--", "0.00"). With a number that is no part of a date or of a sentence it may be an amount in disguise, and without
// a known word it may be anything.
func known(text string) bool {
	text = strings.ToUpper(text)
	if models.RefusesBond(text) || noBond.MatchString(text) && !value.SeveralAmounts(text) {
		return true
	}
	text = day.ReplaceAllString(text, " ")
	if sentenced.MatchString(text) {
		text = sentence.ReplaceAllString(text, " ")
	}
	if strings.ContainsAny(text, "123456789") {
		return false
	}
	return onlySigns.MatchString(text) || bondWord.MatchString(text) || security(text) != ""
}

var (
	noBond    = regexp.MustCompile(`\b(?:NONE|DENIED|REVOKED|HOLDS?|NOT|WITHOUT|N/A|NO [A-Z]+)\b`)
	sentence  = regexp.MustCompile(`\b(?:\d+-)?\d+ ?(?:DA?YS?|MO(?:NTH)?S?|MTHS?|YE?A?RS?|HRS?)\b`) // how long it runs: SENTENCED 12 MO
	day       = regexp.MustCompile(`\b\d{1,4}[/-]\d{1,2}[/-]\d{2,4}\b`)
	onlySigns = regexp.MustCompile(`^[-0$.,*/\s]*$`)
	bondWord  = regexp.MustCompile(`\b(?:APPEARANCE|BAIL|BND|BONDS?|BONDABLE|BONDED|BONDING|CASH|CITATION|CSH|COMMITTED|COURT|DETAINER|DISMISSED|` +
		`ELIGIBLE|EXONERATED|FORFEITED|FUGITIVE|HOLDING|ICE|INELIGIBLE|JUDGE|MAGISTRATE|NA|NONBONDABLE|NULL|OR|OWN|PAROLE|PENDING|PERSONAL|` +
		`POSTED|PR|PROBATION|PROPERTY|READY|RECOG|RECOGNIZANCE|RELEASED?|ROR|SECURED|SENTENCED?|SERVED|SERVING|SET|SIGNATURE|SUMMONS|SURETY|` +
		`TBD|TIME|TRANSFER|UNBONDABLE|UNKNOWN|UNSECURED|UNSET|WAIVED|WARRANT)\b`)
)
