// Package bond reads what jails write about the bond of a charge or a booking: an amount, the kind of a bond, why there is
// none, or a history of all of these in one text.
//
// Read answers with an amount and a kind. An amount is never invented: where a text has two readings the amount is
// unknown, and what is known of the bond stays. Text is what may be published of such a text, as clerks write names and
// addresses into it.
//
// The package is pure. It is not for finding the text in a row, nor for adding up the bonds of a booking, which
// ingest/mapping does; amounts of money alone are read by ingest/value.
package bond

import (
	"regexp"
	"strings"

	"rollcall/ingest/value"
	"rollcall/models"
)

// Bond is what one text says of a bond.
type Bond struct {
	// Cents is the amount; 0 if none is set, or none can be read with certainty. A bond is never 0.
	Cents int64
	// Kind is what secures the bond, or why there is none; empty if the text does not say, or says several.
	Kind models.BondKind
	// Unread reports whether the text may mean an amount, or anything else. Otherwise Cents says all of the amount.
	Unread bool
}

// Blank reports whether a text says nothing: it is empty, or a list without a value, such as "|" or "[]".
func Blank(text string) bool { return strings.Trim(text, "|;,[]{}()\"' \t\r\n\u00a0") == "" }

// Read reads a text about a bond. A blank one says nothing. Texts with the stamps of a history are read by their newest
// entry, all others as a whole.
func Read(text string) Bond {
	if Blank(text) {
		return Bond{}
	}
	text = value.Squeeze(text)
	if strings.Trim(text, "$.,0123456789 ") == "" { // as most are; no word needs to be looked for
		return readMoney(text)
	}
	text, company := cutCompany(text)
	b := Bond{}
	if entries, logged := cutUpdate(text); logged || stamp.MatchString(text) {
		b = readHistory(entries)
	} else if text != "" {
		b = readPlain(text)
	}
	if b.Kind == "" {
		b.Kind = ofCompany(company)
	}
	return b
}

// readPlain reads a text that is one statement.
func readPlain(text string) Bond {
	if models.RefusesBond(text) && dollars.MatchString(text) { // which of the two is the newer one is unknown
		return Bond{Unread: true}
	}
	switch {
	case noBondOf(text):
		return Bond{Unread: true}
	case reckoned(text), strange(text), isShortened(text):
		return Bond{Kind: security(text), Unread: true}
	}
	if cents, ok := value.Money(text); ok {
		return Bond{Cents: cents, Kind: security(text)}
	}
	if cents, ok := bare(text); ok {
		return Bond{Cents: cents, Kind: security(text)}
	}
	if !known(text) {
		return Bond{Kind: security(text), Unread: true}
	}
	return Bond{Kind: kindOf(text)}
}

// readMoney reads a text that has no words: it says what readPlain says of it.
func readMoney(text string) Bond {
	if isShortened(text) {
		return Bond{Unread: true}
	}
	if cents, ok := value.Money(text); ok {
		return Bond{Cents: cents}
	}
	if strings.ContainsAny(text, "123456789") {
		return Bond{Unread: true}
	}
	return Bond{Kind: kindOf(text)}
}

// isShortened reports whether a text may be a number of thousands: 1.5.
func isShortened(text string) bool {
	whole, tenth, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, "$")), ".")
	return len(tenth) == 1 && tenth >= "1" && tenth <= "9" && len(whole) <= 3 && whole != "" && strings.Trim(whole, "0123456789") == ""
}

// bare reads an amount without a dollar sign beside words, such as CASH ONLY 2,500. It must be written as an amount, with
// groups of three digits, or with cents and no time of day (10.30), and be the only number; and all words must be known,
// among them one of a bond, and none in front of it that numbers things.
func bare(text string) (cents int64, ok bool) {
	numbers := number.FindAllStringIndex(text, 2)
	if len(numbers) != 1 || strings.ContainsAny(text, "$%#") || !aboutBond.MatchString(text) {
		return 0, false
	}
	at := numbers[0]
	if !written.MatchString(text[at[0]:at[1]]) || numbered.MatchString(text[:at[0]]) || strings.Contains(Text(text), Hidden) {
		return 0, false
	}
	return value.Money(text[:at[0]] + "$" + text[at[0]:])
}

var (
	dollars   = regexp.MustCompile(`\$ ?[0,.]*[1-9]`)
	number    = regexp.MustCompile(`\d[\d,.]*`)
	written   = regexp.MustCompile(`^(?:\d{1,3}(?:,\d{3})+(?:\.\d\d)?|[1-9]\d{2,}\.\d\d)$`)
	numbered  = regexp.MustCompile(`(?i)\b(?:CASES?|CHARGES?|CITATION|CLASS|COUNTS?|CTS?|HEARING|WARRANTS?)(?: NO)?\W*$`)
	aboutBond = regexp.MustCompile(`(?i)\b(?:BAIL|BO?ND|CA?SH|SURETY|PROPERTY)\b`)
)

// cutCompany takes "( Bonding company: NAME )" off the end of a text.
func cutCompany(text string) (rest, company string) {
	at := bondingCompany.FindStringSubmatchIndex(text)
	if at == nil {
		return text, ""
	}
	return strings.TrimSpace(text[:at[0]]), text[at[2]:at[3]]
}

// ofCompany is the kind that the place for a bonding company shows. Jails also write there how somebody left.
func ofCompany(company string) models.BondKind {
	if kind := security(company); kind != "" {
		return kind
	}
	if bondsman.MatchString(company) {
		return models.BondSurety
	}
	return ""
}

var (
	bondingCompany = regexp.MustCompile(`(?i)\( ?BONDING COMPANY ?:([^)]*)\)? ?$`)
	bondsman       = regexp.MustCompile(`(?i)\bBONDING\b|\bBAIL ?BONDS\b`)
)
