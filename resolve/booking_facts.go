package resolve

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// The fields of a booking that are claimed one by one: a source may change one of them and repeat the others.
const (
	fieldName    = "name"
	fieldBirth   = "birth"
	fieldBooked  = "booked_at"
	fieldBond    = "bond"
	fieldAgency  = "agency"
	fieldCharges = "charges"
	fieldPlanned = "planned_release"
	fieldRelease = "release"
	fieldOut     = "out" // that the person was released, whatever the time
)

// bookingFields are the fields that the next key of a booking inherits from the one before it.
var bookingFields = []string{fieldName, fieldBirth, fieldBooked, fieldBond, fieldAgency, fieldCharges, fieldPlanned, fieldRelease, fieldOut}

// BookingFacts are what a source claims of a booking. A field that its source does not report is empty.
type BookingFacts struct {
	County   int16             `json:"county,omitempty"`   // 0: only a release is claimed, which names nobody
	Name     string            `json:"name,omitempty"`     // as the source writes it
	DOB      *models.Date      `json:"dob,omitempty"`      // nil: not stated
	Year     int16             `json:"year,omitempty"`     // of birth; set whenever DOB is
	BookedAt time.Time         `json:"booked_at,omitzero"` // zero: only a release is claimed
	WholeAt  *time.Time        `json:"whole_at,omitempty"` // of the newest row that reports the booking itself; nil: the newest row does
	OutAt    *time.Time        `json:"out_at,omitempty"`   // of the newest row that reports something of the release; nil: the newest row does
	Released *time.Time        `json:"released,omitempty"` // stated, not inferred from absence
	Untimed  bool              `json:"untimed,omitempty"`  // the release was stated without its time: Released is when it was seen
	Again    *time.Time        `json:"again,omitempty"`    // the other instant that Released can mean, in the hour that November has twice
	Planned  *time.Time        `json:"planned,omitempty"`  // a posted release that is not over
	Charges  []snapshot.Charge `json:"charges,omitempty"`  // in the order of the source
	Bond     *int64            `json:"bond,omitempty"`     // in cents
	Agency   string            `json:"agency,omitempty"`   // of law enforcement, as the source writes it, or empty
	Locator  string            `json:"locator,omitempty"`  // where the source shows the booking, or empty
}

// BookingClaim is what one source says of a booking under one key.
type BookingClaim = Claim[BookingFacts]

// Known reports whether the claim names a person. A release that names only a key does not: it is pending.
func (f *BookingFacts) Known() bool { return f.County != 0 }

// Person returns the person of the claim.
func (f *BookingFacts) Person() Person { return Person{Name: f.Name, DOB: f.DOB, Year: f.Year} }

// field is the value of a field in a form that can be compared.
func (f *BookingFacts) field(name string) string {
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	switch name {
	case fieldName:
		return f.Name
	case fieldBirth:
		return text(DateText(f.DOB)) + " " + strconv.Itoa(int(f.Year))
	case fieldBooked:
		return text(InstantText(&f.BookedAt))
	case fieldBond:
		return text(centsText(f.Bond))
	case fieldAgency:
		return f.Agency
	case fieldCharges:
		b, _ := json.Marshal(f.Charges) // texts and numbers
		return string(b)
	case fieldPlanned:
		return text(InstantText(f.Planned))
	case fieldRelease:
		if f.Untimed {
			return "released"
		}
		return text(InstantText(f.Released))
	default: // fieldOut
		return strconv.FormatBool(f.Released != nil)
	}
}

// BookingRecord is a booking as it is stored and published.
type BookingRecord struct {
	Record   int64             // its key in the tables; 0: not made yet
	ID       string            // public id
	Source   string            // of the oldest claim that is no takeover
	County   int16             // of the jail
	Name     string            // as the source writes it
	DOB      *models.Date      // nil: unknown
	Year     int16             // of birth; 0: unknown
	BookedAt time.Time         // when the booking began
	Released *time.Time        // nil: booked
	Inferred bool              // nobody stated the release, or not its time
	After    *time.Time        // of a release by absence: when the person was last seen
	Planned  *time.Time        // a posted release that is not over; nil: none
	Charges  []snapshot.Charge // in the order of the source
	Bond     *int64            // in cents
	Agency   string            // of law enforcement, as the source writes it; empty: unknown

	HasPhoto bool // a photograph of it is kept

	FirstSeen, LastSeen time.Time
	Visibility          Visibility // whether it may be shown, and if not why
	Merged              bool       // into another one
}

// Person returns the person of the booking.
func (b *BookingRecord) Person() Person { return Person{Name: b.Name, DOB: b.DOB, Year: b.Year} }

// Fields are the facts of the booking in the text form of its history.
func (b *BookingRecord) Fields() []Field {
	return []Field{
		{"name", Text(b.Name)},
		{"dob", DateText(b.DOB)},
		{"birth_year", NumberText(b.Year)},
		{"booked_at", InstantText(&b.BookedAt)},
		{"released_at", InstantText(b.Released)},
		{"release_inferred", BoolText(b.Inferred)},
		{"planned_release", InstantText(b.Planned)},
		{"charges", ListText(Descriptions(b.Charges))},
		{"bond_cents", centsText(b.Bond)},
		{"agency", Text(b.Agency)},
		{"withheld", Text(string(b.Visibility.Withheld()))},
		{"charge_details", chargeText(b.Charges)},
	}
}

// Descriptions are the charges as the list of a booking shows them.
func Descriptions(charges []snapshot.Charge) []string {
	out := make([]string, len(charges))
	for i, c := range charges {
		out[i] = c.Description
	}
	return out
}

// Detailed reports whether a charge has more than a description.
func Detailed(charges []snapshot.Charge) bool {
	return slices.ContainsFunc(charges, func(c snapshot.Charge) bool {
		return c.Statute != "" || c.Severity != "" || c.BondText != "" || c.Disposition != "" || c.BondCents != nil || c.BondKind != ""
	})
}

// chargeDetail is a charge in the text form of its history.
type chargeDetail struct {
	Description string `json:"description,omitempty"`
	Statute     string `json:"statute,omitempty"`
	Severity    string `json:"severity,omitempty"`
	BondAmount  string `json:"bondAmount,omitempty"`
	BondText    string `json:"bondText,omitempty"`
	BondKind    string `json:"bondKind,omitempty"`
	Disposition string `json:"disposition,omitempty"`
}

// chargeText is the text form of charges with details; nil where none has any.
func chargeText(charges []snapshot.Charge) *string {
	if !Detailed(charges) {
		return nil
	}
	out := make([]chargeDetail, len(charges))
	for i, c := range charges {
		out[i] = chargeDetail{c.Description, c.Statute, c.Severity, "", c.BondText, string(c.BondKind), c.Disposition}
		if c.BondCents != nil {
			out[i].BondAmount = models.Cents(*c.BondCents).Decimal()
		}
	}
	b, _ := json.Marshal(out) // texts
	return Text(string(b))
}

// centsText is the text form of an amount; unlike a number, 0 is set.
func centsText(n *int64) *string {
	if n == nil {
		return nil
	}
	return Text(strconv.FormatInt(*n, 10))
}
