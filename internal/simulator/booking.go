package simulator

import (
	"strconv"
	"time"

	"rollcall/internal/simulator/gallery"
	"rollcall/internal/simulator/naming"
)

// BondKind is what a jail states about the bond of a charge. An ingest that reads a missing or denied bond as an amount
// of 0 would report a change that never happened.
type BondKind int

// The kinds of bond. Only BondSurety and BondCash have an amount.
const (
	// BondUnset means that no magistrate has decided yet. It is not an amount of 0.
	BondUnset BondKind = iota
	// NoBond means that bond is denied. It is not an amount of 0 either.
	NoBond
	// BondSurety may be posted by a bondsman.
	BondSurety
	// BondCash must be paid in full.
	BondCash
)

// Bond is the bond of one charge, in integer cents.
type Bond struct {
	Kind  BondKind
	Cents int64 // 0 where the kind has no amount
}

// Amount returns the amount in cents, and whether there is an amount at all.
func (b Bond) Amount() (int64, bool) { return b.Cents, b.Kind == BondSurety || b.Kind == BondCash }

// dollars writes the cents as `1500.00`.
func dollars(cents int64) string {
	rest := cents % 100
	text := strconv.FormatInt(cents/100, 10) + "."
	if rest < 10 {
		text += "0"
	}
	return text + strconv.FormatInt(rest, 10)
}

// Charge is one count of a booking.
type Charge struct {
	Statute, Description string
	// Grade is `M` for a misdemeanor, `F` for a felony.
	Grade string
	Bond  Bond
	// Warrant is the number of the warrant or citation, and also the key of its bond in shapes that keep bonds apart.
	Warrant string
}

// Booking is one stay in one jail: the truth, of which a vendor's shape shows a part.
type Booking struct {
	// Number is the jail's own, unique within the county.
	Number string
	County string // slug
	// Person identifies the human being within the simulator; no source shows it.
	Person int
	// Name is the jail's reading of the person's name; Birth is the true date at midnight UTC.
	Name  naming.Name
	Birth time.Time
	// Sex is `M` or `F`; Race one of `W`, `B`, `H`, `A`, `U`.
	Sex, Race string
	Address   string // home, which no reader may publish
	Agency    string // that arrested
	Cell      string // where the person sleeps
	Booked    time.Time
	// Released is zero while the person is in custody.
	Released time.Time
	// Charges are replaced as a whole, never changed in place.
	Charges []Charge
	// Photograph is what the vendor shows of the person.
	Photograph gallery.Shown
	// Changed is the last time that anything about the booking changed.
	Changed time.Time
	// mark decides the quirks of the booking's row, such as the layout of its date. They never change.
	mark uint64
	// cased is set when a court case came of the booking.
	cased bool
}

// InCustody reports whether the person has not been released.
func (b Booking) InCustody() bool { return b.Released.IsZero() }

// Juvenile reports whether the person was under 17 at the booking: Georgia's juvenile courts have those cases, and
// rollcall must never publish them.
func (b Booking) Juvenile() bool { return ageAt(b.Birth, b.Booked) < 17 }

// Bond returns the sum of the charges' bonds in cents, and whether any charge has an amount.
func (b Booking) Bond() (cents int64, any bool) {
	for _, charge := range b.Charges {
		if amount, ok := charge.Bond.Amount(); ok {
			cents, any = cents+amount, true
		}
	}
	return cents, any
}

// ageAt returns the age in whole years.
func ageAt(birth, at time.Time) int {
	years := at.Year() - birth.Year()
	if at.Month() < birth.Month() || at.Month() == birth.Month() && at.Day() < birth.Day() {
		years--
	}
	return years
}
