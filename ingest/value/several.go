package value

import (
	"regexp"
	"strings"
)

// saysNoBond reports whether a text says that no bond is granted. That is never an amount of 0.
func saysNoBond(text string) bool {
	return len(text) >= 7 && strings.Contains(strings.ToUpper(text), "NO BOND")
}

// SeveralAmounts reports whether a text with a dollar sign states more than one amount, or how to compute one. Nothing is
// computed here: whether two bonds are a range, a choice or a sum would be a guess.
func SeveralAmounts(text string) bool {
	head, tail, marked := strings.Cut(text, "$")
	if !marked || head == "" && strings.Trim(tail, "0123456789,.") == "" { // by far the most
		return false
	}
	if reckonedHead.MatchString(head) || reckonedTail.MatchString(tail) {
		return true
	}
	if next := secondNumber.FindStringSubmatchIndex(tail); next != nil {
		rest := tail[next[1]:]
		day := len(rest) > 1 && strings.ContainsRune("-/", rune(rest[0])) && digit(rest[1]) // of a day or a case
		if !day && !strings.HasPrefix(strings.TrimSpace(rest), "%") {
			return true
		}
	}
	if !strings.Contains(tail, "$") {
		return false
	}
	tail = fees.ReplaceAllString(tail, " ")
	_, tail, _ = strings.Cut(tail, "$")
	return strings.ContainsAny(tail, "123456789") && anyAmount.MatchString("$"+tail)
}

var (
	// "2 @ $", "3 COUNTS X $", "10% OF $", "1500 - $"
	reckonedHead = regexp.MustCompile(`(?i)\d ?(?:COUNTS?|CTS?|CHARGES?)? ?(?:@|[X×*]|\bAT|\bOF) ?$|\d ?%|^ ?[\d,.]+ ?(?:-|–|—|/|\+|&|TO|OR|AND) ?$`)
	// "500 x 2", "500 EACH", "500 PER CHARGE"
	reckonedTail = regexp.MustCompile(`(?i)^ ?[\d,.]+ ?(?:[X×*@] ?\d|(?:.*\b)?(?:EACH|EA|APIECE)\b|.*\bPER (?:CASE|CHARGE|COUNT|CT|DAY|OFFENSE|WARRANT)\b)`)
	// "1500-2500", "1500 TO 2500"
	secondNumber = regexp.MustCompile(`(?i)^ ?[\d,.]+ ?(?:-|–|—|/|\+|&|;|\bTO\b|\bOR\b|\bAND\b) ?(?:\d{1,3}(?:,\d{3})+|\d{3,})(?:\.\d+)?`)
	fees         = regexp.MustCompile(`(?i)\b(?:FEES?|COSTS?|SURCHARGES?)\b ?:? ?\$ ?[\d,.]+|\$ ?[\d,.]+ ?(?:IN )?(?:FEES?|COSTS?|SURCHARGES?)\b`)
	anyAmount    = regexp.MustCompile(`\$ ?[0,.]*[1-9]`)
)
