package models

import "regexp"

// BondCase is what is known of a bond that has no amount. Its value is what pages and mails say.
type BondCase string

// The cases of a bond without an amount.
const (
	BondRefused   BondCase = "no bond"       // the jail says that none is granted
	BondUnset     BondCase = "no amount set" // the jail says that none is set yet
	BondNotStated BondCase = "not stated"    // the jail says nothing
)

// Bond is the bond of a booking: an amount, or why there is none.
type Bond struct {
	Cents *int64
	Case  BondCase // empty where there is an amount
}

// bondRefused are the words of jails for a bond that is not granted.
var bondRefused = regexp.MustCompile(`(?i)\bNO ?BO?ND\b|\bNO BAIL\b|\bBO?ND (?:DENIED|REVOKED)\b|` +
	`^\W*(?:DENIED|REVOKED)\b|\b(?:NON-?BONDABLE|UNBONDABLE|INELIGIBLE|(?:WITHOUT|W/O) BO?ND)\b`)

// RefusesBond reports whether a jail's text about a bond says that none is granted.
func RefusesBond(text string) bool { return bondRefused.MatchString(text) }

// BondOf returns the bond of a booking by its amount and its charges. One charge without a bond holds the person, unless an
// amount is stated for the whole.
func BondOf(cents *int64, charges []*BookingCharge) Bond {
	if cents != nil {
		return Bond{Cents: cents}
	}
	bond := Bond{Case: BondNotStated}
	for _, c := range charges {
		switch {
		case c.BondKind == nil || c.BondText == nil || *c.BondKind != BondNone && *c.BondKind != BondHeld:
		case RefusesBond(*c.BondText):
			return Bond{Case: BondRefused}
		case *c.BondKind == BondNone:
			bond.Case = BondUnset
		}
	}
	return bond
}
