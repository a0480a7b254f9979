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

var (
	refusedBond = regexp.MustCompile(`(?i)\bNO BOND\b|\b(?:NOT|NON|UN)-?BONDABLE\b|\bDENIED\b`)
	unsetBond   = regexp.MustCompile(`(?i)\bNO AMOUNT SET\b`)
)

// BondOf returns the bond of a booking by its amount and its charges. One charge without a bond holds the person, unless an
// amount is stated for the whole.
func BondOf(cents *int64, charges []*BookingCharge) Bond {
	if cents != nil {
		return Bond{Cents: cents}
	}
	bond := Bond{Case: BondNotStated}
	for _, c := range charges {
		if c.BondKind == nil || c.BondText == nil || *c.BondKind != BondNone && *c.BondKind != BondHeld {
			continue
		}
		switch {
		case refusedBond.MatchString(*c.BondText):
			return Bond{Case: BondRefused}
		case unsetBond.MatchString(*c.BondText):
			bond.Case = BondUnset
		}
	}
	return bond
}
