package bond

import (
	"regexp"
	"slices"
	"strings"
)

// What stands beside an amount may make it another one, or none. A word of another payment (a fine, a fee, restitution), or
// of a bond that is over (revoked, denied, forfeited), leaves both amount and kind open. A minus, a share (10%) and a number
// of counts leave the amount open. So does any word that is not of bonds: what it makes of the amount is unknown.

// noBondOf reports whether a text with an amount has a word of another payment, or of a bond that is over.
func noBondOf(text string) bool {
	return sum.MatchString(text) && otherwise.MatchString(request.ReplaceAllString(withoutFees(text), " "))
}

// strange reports whether a text with an amount has a word that is not among those of bonds.
func strange(text string) bool {
	return sum.MatchString(text) && slices.ContainsFunc(strings.Fields(text), func(run string) bool { return !familiar(run) })
}

// reckoned reports whether the amount of a text is only what its bond is reckoned from.
func reckoned(text string) bool {
	return sum.MatchString(text) && factor.MatchString(text)
}

// withoutFees leaves out the fees that a text adds to its first amount: Cash: $ 500.00 Fees: $ 35.00. They are no bond, and
// the amount before them is one.
func withoutFees(text string) string {
	first := dollars.FindStringIndex(text)
	if first == nil {
		return text
	}
	return text[:first[1]] + fees.ReplaceAllString(text[first[1]:], " ")
}

// ofHistory returns the newest entry of a history: the text up to the first day or occasion.
func ofHistory(text string) string {
	if at := stamp.FindStringIndex(text); at != nil {
		return text[:at[0]]
	}
	return text
}

var (
	sum       = regexp.MustCompile(`\$ ?[0,.]*[1-9]|\b\d{1,3}(?:,\d{3})+\b|\b\d+\.\d\d\b`)
	otherwise = regexp.MustCompile(`(?i)\b(?:FINES?|FEES?|COSTS?|SURCHARGES?|RESTITUTION|REIMBURSEMENT|ARREARS|BALANCE|BAL|DUE|OWE[SD]?|OWING|PAY|PAYOFF|PURGE|SUPPORT|REVOKED|DENIED|FORFEIT\w*|ESTREATED|SURRENDER\w*|VACATED|EXONERATED|WITHDRAWN|CANCELLED|EXPIRED|DISMISSED|REMOVED|LIFTED|ASIDE|RECALLED|NOT|WITHOUT|PREVIOUS|PRIOR)\b`)
	// request is what may be refused without touching the bond: BND REDUCTION DENIED STILL $3,000.
	request = regexp.MustCompile(`(?i)\bREDUCTION DENIED\b`)
	factor  = regexp.MustCompile(`(?i)(?:^|[\s(])-\$|\d ?%|\b\d+ ?(?:COUNTS|CTS|CHARGES|CASES|WARRANTS)\b`)
	fees    = regexp.MustCompile(`(?i)\b(?:FEES?|COSTS?|SURCHARGES?)\b ?:? ?\$ ?[\d,.]+|\$ ?[\d,.]+ ?(?:IN )?(?:FEES?|COSTS?|SURCHARGES?)\b|` +
		`(?:\+|\bPLUS) ?FEES?\b`)
)
