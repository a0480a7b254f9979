package client

import "time"

// Statuses of a booking.
const (
	Booked   = "booked"
	Released = "released"
)

// Booking is a booking record of a county jail.
type Booking struct {
	// ID is unique and opaque.
	ID string `json:"id"`
	// Name is as the jail reported it.
	Name string `json:"name"`
	// DOB is the date of birth, YYYY-MM-DD; empty: unknown.
	DOB string `json:"dob"`
	// County is the display name.
	County string `json:"county"`
	// BookedAt is a time of Georgia.
	BookedAt time.Time `json:"booking_date"`
	// ReleasedAt is nil while the person is booked.
	ReleasedAt *time.Time `json:"release_date"`
	// Charges are descriptions; may be empty.
	Charges []string `json:"charges"`
	// Bond is in US dollars; nil: none is set.
	Bond *float64 `json:"bond_amount"`
	// Status is Booked or Released.
	Status string `json:"status"`
	// MugshotURL is a full address, which needs the key; nil: there is none.
	MugshotURL *string `json:"mugshot_url"`
}

// BookingDetail is a booking with its link.
type BookingDetail struct {
	Booking
	Meta `json:"-"`
	// GDCMatch is the corrections record of the same person; nil: none is linked.
	GDCMatch *GDCMatch `json:"gdc_match"`
}

// GDCMatch is a link to a corrections record.
type GDCMatch struct {
	// GDCID is the offender id.
	GDCID string `json:"gdc_id"`
	// Confidence is how sure the link is: high, medium or low.
	Confidence string `json:"confidence"`
	// MugshotMatch says whether photographs were compared and agree.
	MugshotMatch bool `json:"mugshot_match"`
	// CorrectionsURL is the address of the full record.
	CorrectionsURL string `json:"corrections_url"`
}

// Case is a court case.
type Case struct {
	// Number is unique only within its county and court.
	Number string `json:"case_number"`
	// Defendant is the full name.
	Defendant string `json:"defendant"`
	// Offense is the primary one charged.
	Offense string `json:"offense"`
	// CourtType is State, Superior, Magistrate or Warrants.
	CourtType string `json:"court_type"`
	// County is the display name.
	County string `json:"county"`
	// Filed is the day of filing, YYYY-MM-DD.
	Filed string `json:"filed_date"`
	// Status is pending, closed or warrant.
	Status string `json:"status"`
	// Judge is nil where none is assigned.
	Judge *string `json:"judge"`
	// NextHearing is the first one to come; nil: none is scheduled.
	NextHearing *time.Time `json:"next_hearing"`
	// HearingLink is the address of a virtual hearing; nil: in person, or not published.
	HearingLink *string `json:"hearing_link"`
}

// CaseDetail is a case with its hearings and dispositions.
type CaseDetail struct {
	Case
	Meta `json:"-"`
	// Hearings are all on record, in order of time.
	Hearings []Hearing `json:"hearings"`
	// Dispositions may be empty while a case is pending.
	Dispositions []Disposition `json:"dispositions"`
}

// Hearing is a hearing of a case.
type Hearing struct {
	// Date is YYYY-MM-DD.
	Date string `json:"date"`
	// Time is the court's local time, HH:MM; 00:00 where none is stated.
	Time string `json:"time"`
	// Judge presides; nil: not stated.
	Judge *string `json:"judge"`
	// Location is a courtroom or address; nil: virtual only.
	Location *string `json:"location"`
	// ZoomLink is the address of a virtual hearing; nil: in person.
	ZoomLink *string `json:"zoom_link"`
}

// Disposition is an outcome of a case.
type Disposition struct {
	// Date is YYYY-MM-DD.
	Date string `json:"date"`
	// Outcome is free text.
	Outcome string `json:"outcome"`
	// Sentence is nil where none is recorded.
	Sentence *string `json:"sentence"`
}

// Offender is a record of the state corrections department.
type Offender struct {
	// GDCID is unique.
	GDCID string `json:"gdc_id"`
	// Name is the full name.
	Name string `json:"name"`
	// DOB is the date of birth, YYYY-MM-DD; empty: unknown.
	DOB string `json:"dob"`
	// Category is offender, parolee or sex_offender.
	Category string `json:"category"`
	// Institution may be nil for released or paroled people.
	Institution *string `json:"institution"`
	// Sentence is a length in words; nil: unavailable.
	Sentence *string `json:"sentence"`
	// Status is incarcerated, paroled or released.
	Status string `json:"status"`
	// ReleaseDate is actual, or projected while incarcerated: YYYY-MM-DD.
	ReleaseDate *string `json:"release_date"`
	// ParoleEnd is nil for those who are not on parole: YYYY-MM-DD.
	ParoleEnd *string `json:"parole_end_date"`
}

// OffenderDetail is an offender with the bookings of the same person.
type OffenderDetail struct {
	Offender
	Meta `json:"-"`
	// Bookings are newest first.
	Bookings []BookingLink `json:"county_records"`
}

// BookingLink is a link to a booking.
type BookingLink struct {
	// RosterID is the booking's id.
	RosterID string `json:"roster_id"`
	// County is the display name.
	County string `json:"county"`
	// BookedAt is a time of Georgia.
	BookedAt time.Time `json:"booking_date"`
	// Status is Booked or Released.
	Status string `json:"status"`
	// RosterURL is the address of the booking.
	RosterURL string `json:"roster_url"`
}
