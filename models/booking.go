package models

import (
	"time"

	"rollcall/match"
)

// RosterStatus is where a booked person is, as far as the jail says.
type RosterStatus string

// The statuses of SPEC.md: released if and only if a release date is set.
const (
	Booked   RosterStatus = "booked"
	Released RosterStatus = "released"
)

// Booking is one stay of a person in a county jail: a roster record of SPEC.md. Times are civil times in Georgia's zone,
// except FirstSeen, LastSeen and LastChange (UTC). It is the GORM model of published_bookings.
type Booking struct {
	RID             int64      `gorm:"column:rid;primaryKey"` // its key in the database, which is never shown
	ID              string     // {county-slug}-{year}-{sequence}; opaque
	County          *County    `gorm:"column:county_id;serializer:county"`
	SourceID        string     // who reported it first
	Name            string     // as the jail wrote it
	Dob             *Date      `gorm:"serializer:date"`
	BirthYear       *int       // also set when only the year is known
	BookingDate     time.Time  `gorm:"column:booked_at;serializer:georgia"`
	ReleaseDate     *time.Time `gorm:"column:released_at;serializer:georgia"`
	ReleaseInferred bool       // ReleaseDate comes from absence or from a release without a time
	ReleaseAbsent   bool       `gorm:"->"`              // it comes from absence
	Charges         []string   `gorm:"serializer:list"` // descriptions, never nil
	BondCents       *int64     // nil: none set
	Agency          *string    // of law enforcement, as the jail's list names it for the booking; nil: none named
	Status          RosterStatus
	HasPhoto        bool
	FirstSeen       time.Time  `gorm:"serializer:utc"`
	LastSeen        time.Time  `gorm:"serializer:utc"` // changed; record.Store.LastSeenOf reads when at all
	LastChange      time.Time  `gorm:"serializer:utc"`
	PastAt          *time.Time `gorm:"-"` // the instant that the booking was asked for; nil: now
	// PastCharges are the charges one by one of the instant that the booking was asked for, where they have changed
	// since; nil means that record.Store.ChargesOf reads them.
	PastCharges []*BookingCharge `gorm:"-"`
}

// TableName is the view of published bookings.
func (Booking) TableName() string { return "published_bookings" }

// BondAmount is the bond in US dollars, nil when none is set.
func (b *Booking) BondAmount() *float64 { return usd(b.BondCents) }

// RosterFilter narrows the roster list; what is nil does not narrow.
type RosterFilter struct {
	County       *string // slug
	Name         *string
	Status       *RosterStatus
	FromDate     *Date // whole local days, both inclusive
	ToDate       *Date
	UpdatedSince *time.Time

	Charge                     *string // words of charges, or the number of a statute
	Severity                   *Severity
	BondFrom, BondTo           *int  // US dollars, both inclusive; a booking without a bond is none of these
	BirthYearFrom, BirthYearTo *int  // both inclusive
	Born                       *Date // of a booking that states only a year of birth, its year
	ReleasedFrom, ReleasedTo   *Date // whole local days, both inclusive

	Agency *string // words of the agency
}

// Detailed reports whether the filter asks for what the list index does not know, so that SQL has to find it.
func (f *RosterFilter) Detailed() bool {
	return f.Charge != nil || f.Severity != nil || f.BondFrom != nil || f.BondTo != nil || f.BirthYearFrom != nil ||
		f.BirthYearTo != nil || f.Born != nil || f.ReleasedFrom != nil || f.ReleasedTo != nil || f.Agency != nil
}

// Severity is how grave a charge is, from how jails write it (charge_severity in migration 0028).
type Severity string

// The severities that charges are found by. Others are not told apart.
const (
	Felony      Severity = "felony"
	Misdemeanor Severity = "misdemeanor"
)

// RosterPage is one page of the roster with the exact number of all matches, from one snapshot.
type RosterPage struct {
	County   *string // slug of the county that was asked for, or nil
	Total    int
	Limit    int
	Offset   int
	Records  []*Booking
	PageInfo PageInfo
}

// BookedPerson is who was booked: what a watcher is compared with.
type BookedPerson struct {
	RID       int64  // Booking.RID
	County    string // slug
	Name      string
	Dob       *Date
	BirthYear *int
	BookedAt  time.Time
	// FirstSeen is since when the booking is known; of one taken over from another system, by its release at the latest.
	FirstSeen time.Time
}

// MayBeBorn reports whether the booking may be of somebody with a birth: it states no other year, and no other day of the same.
func (p *BookedPerson) MayBeBorn(birth match.Birth) bool {
	own := BornOf(p.Dob, p.BirthYear)
	if birth.Year == 0 || own.Year == 0 {
		return true
	}
	return own.Year == birth.Year && (birth.Day == 0 || own.Day == 0 || own == birth)
}

// Compared returns who was booked as package match compares them.
func (p *BookedPerson) Compared() match.Booking {
	return match.Booking{Name: match.Parse(p.Name), County: p.County, Born: BornOf(p.Dob, p.BirthYear)}
}

// BookingChargeRow is the GORM model of published_booking_charges: a charge and its place.
type BookingChargeRow struct {
	RID           int64 `gorm:"column:rid;primaryKey;autoIncrement:false"` // Booking.RID
	Seq           int   `gorm:"primaryKey;autoIncrement:false"`            // in the order of the source
	BookingCharge `gorm:"embedded"`
}

// TableName is the view of charges of published bookings.
func (BookingChargeRow) TableName() string { return "published_booking_charges" }

// BookingCharge is one charge of a booking, with what its source reports beside the description.
type BookingCharge struct {
	Description string
	Statute     *string
	Severity    *string // as the jail words it, such as felony
	BondCents   *int64  // of this charge alone; nil: none stated
	BondText    *string // what the jail says of the bond in words, where it states no amount
	BondKind    *BondKind
	Disposition *string
}

// BondKind is what secures a bond, or why there is none.
type BondKind string

// The kinds of bonds. A bond whose text names several kinds has none of them.
const (
	BondCash            BondKind = "cash"
	BondSurety          BondKind = "surety"
	BondProperty        BondKind = "property"
	BondOwnRecognizance BondKind = "own_recognizance"
	BondNone            BondKind = "none" // no bond is granted or set
	BondHeld            BondKind = "held" // for another reason, whatever the bond, such as a sentence
)

// BondAmount is the charge's bond in US dollars, nil when none is stated.
func (c *BookingCharge) BondAmount() *float64 { return usd(c.BondCents) }

// PlainCharges are charges of which nothing but the description is known.
func PlainCharges(descriptions []string) []*BookingCharge {
	out := make([]*BookingCharge, len(descriptions))
	for i, d := range descriptions {
		out[i] = &BookingCharge{Description: d}
	}
	return out
}
