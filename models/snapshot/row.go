package snapshot

import (
	"time"

	"rollcall/models"
)

// RosterRow is what one row of a roster source says of one booking, mapped and validated. It is staged as JSON, a million of
// them in a first load, so what is not stated is left out.
type RosterRow struct {
	Key             string                `json:",omitempty"` // identity of the booking within its source
	PersonKey       string                `json:",omitempty"` // identity of the person within its source, or empty
	Number          string                `json:",omitempty"` // the number by which a court may name the booking, or empty
	Locator         string                `json:",omitempty"` // where the source shows the booking, or empty
	CountyID        int16                 `json:",omitempty"` // 0: of a release that names only a key
	Name            string                `json:",omitempty"` // as reported
	DOB             *models.Date          `json:",omitempty"` // nil: not stated
	BirthYear       int16                 `json:",omitempty"` // 0: not stated; set whenever DOB is
	Age             int16                 `json:",omitempty"` // as the source states it; 0: not stated
	BookedAt        time.Time             // zero: of a release that names only a key
	ReleasedAt      *time.Time            `json:",omitempty"` // nil: still booked
	ReleaseInferred bool                  `json:",omitempty"` // a release stated without its time: ReleasedAt is when it was seen
	PlannedRelease  *time.Time            `json:",omitempty"` // a posted release that is not over: of a day alone, its midnight
	ReleasedAgain   *time.Time            `json:",omitempty"` // of KeyOnly: the other instant that ReleasedAt can mean, in the hour that November has twice; else nil
	Charges         []Charge              `json:",omitempty"` // in the order of the source
	BondCents       *int64                `json:",omitempty"` // nil: no bond set
	BondUnread      bool                  `json:",omitempty"` // the source states a bond that cannot be read: what is known of it stays; BondCents is nil
	Agency          string                `json:",omitempty"` // law-enforcement agency that the source names for the booking; empty: not stated
	Withheld        models.WithheldReason `json:",omitempty"` // why it must not be published, or empty
	AgeDoubt        AgeDoubt              `json:",omitempty"` // set where Withheld is for nothing but this
	Adult           bool                  `json:",omitempty"` // states an age that is that of an adult, whatever the day of birth
	Sign            Sign                  `json:",omitempty"` // what it says of a juvenile, by its flag or otherwise
	Changes         bool                  `json:",omitempty"` // of a source that reports only changes: a blank says nothing, and what is known stays
	Held            bool                  `json:",omitempty"` // states that the person has not left: a blank release then takes back a stated one
	KeyOnly         bool                  `json:",omitempty"` // states only Key and a release, actual or planned: the rest stays as it is known
	SeenAt          time.Time             // the instant that the row speaks of
	Line            int64                 `json:",omitempty"` // where it stood in its document
	Fingerprint     []byte                `json:",omitempty"` // fingerprint of everything above but SeenAt and Line
	Photograph      string                `json:"-"`          // what the row names as its photograph; read for photographs alone, and never stored
}

// AgeDoubt is what in a stated age or birth date, and nothing else, leaves in doubt whether a person is a juvenile.
type AgeDoubt string

// The doubts, which what is known of the booking can settle.
const (
	DoubtMonths AgeDoubt = "months" // the age may have been a year less at the booking
	DoubtText   AgeDoubt = "text"   // a text that can not be read, and says nothing of a child
	DoubtYoung  AgeDoubt = "young"  // a text that can not be read, and may speak of a child
	// DoubtUnknown is of a row that states neither a birth, an age nor a flag, of a source whose document withholds such.
	DoubtUnknown AgeDoubt = "unknown"
)

// Sign is what a row says of whether the person is a juvenile. Empty: nothing.
type Sign string

// The signs. A flag that was set by mistake can be taken back, the others not.
const (
	SignFlag Sign = "flag" // a juvenile, by the source's own flag and nothing else
	SignMore Sign = "more" // a juvenile by the stated age or birth, whatever the flag says
	SignNo   Sign = "no"   // the flag says that it is none, and nothing else speaks of a juvenile
)

// Flagged reports whether the source's own flag says that the person is a juvenile, or is none.
func (r *RosterRow) Flagged() bool { return r.Sign == SignFlag || r.Sign == SignNo }

// Charge is one charge of a booking.
type Charge struct {
	Description string `json:",omitempty"` // as the source writes it
	Statute     string `json:",omitempty"` // empty: not stated
	Severity    string `json:",omitempty"` // empty: not stated
	BondCents   *int64 `json:",omitempty"` // US cents; nil: not stated as an amount
	BondText    string `json:",omitempty"` // what the source writes about the bond where it is no amount, as far as it may be published
	Disposition string `json:",omitempty"` // empty: not stated
	// BondKind is what secures the bond, or why there is none; empty: unknown.
	BondKind models.BondKind `json:",omitempty"`
}

// CaseKey identifies a court case: a number is unique only within county, court and party.
type CaseKey struct {
	CountyID  int16  // of the court
	CourtType string // state, superior, magistrate, warrants
	Number    string // as the court formats it
	Party     string // default "1"; empty or "*": what the row says is of every party of the case
}

// CourtRow is what one record of a court source says: of a case as a whole, or, where Case is nil, of
// a part of a case that an earlier record reported.
type CourtRow struct {
	CaseKey
	Case         *CaseFacts         // nil: the row has parts of a case alone
	Whole        bool               // the lists below are all there is, not additions
	Charges      []CaseCharge       // in the order of the source
	Hearings     []HearingFacts     // in the order of the source
	Dispositions []DispositionFacts // in the order of the source
	Removed      []string           // event numbers of hearings that are taken back
	Judge        string             // of the case, where a record of its own names it; empty: not stated
	SeenAt       time.Time          // the instant that the row speaks of
	Line         int64              // where it stood in its document
	Order        int64              // place among the rows of its instant, over all files of that instant; 0: Line
	Fingerprint  []byte             // fingerprint of everything above but SeenAt, Line and Order
}

// CaseFacts are the facts of a case itself.
type CaseFacts struct {
	Defendant   string                // as the court writes the name
	DOB         *models.Date          // nil: not stated
	BirthYear   int16                 // 0: not stated; set whenever DOB is
	BookingKey  string                // the number by which the court names the booking, or empty
	Offense     string                // empty where the charges name it
	Filed       models.Date           `json:",omitzero"` // day of filing; zero: not stated
	BailCents   *int64                // nil: not stated; 0: no bail is set
	Status      string                // pending, closed, warrant, unknown
	StatusText  string                // as the court wrote it, when unknown
	Judge       string                // empty: not stated
	HearingLink string                // of a hearing by video, or empty
	Withheld    models.WithheldReason // why it must not be published, or empty
}

// CaseCharge is one charge of a case.
type CaseCharge struct {
	Seq         int32  // place in the list
	Description string // as the court writes it
	Statute     string // empty: not stated
	Severity    string // empty: not stated
	Disposition string // empty: not stated
	// The days that the charge states, each zero where it does not.
	OffenseDate     models.Date `json:",omitzero"`
	ArrestDate      models.Date `json:",omitzero"`
	DispositionDate models.Date `json:",omitzero"`
}

// HearingFacts is one hearing of a case.
type HearingFacts struct {
	Event     string      // the court's number, or date and time
	Date      models.Date // in Georgia
	Time      string      // HH:MM, empty: not stated
	StartsAt  time.Time   // Date and Time as an instant; without Time the first instant of the day
	Kind      string      // as the court writes it, or empty
	Judge     string      // empty: not stated
	Location  string      // empty: not stated
	Link      string      // where it can be joined by video, or empty
	Cancelled bool        // the court lists it as cancelled
}

// DispositionFacts is one disposition of a case.
type DispositionFacts struct {
	Seq      int16       // place in the list
	Date     models.Date // day of the outcome
	Outcome  string      // as the court writes it
	Sentence string      // as the court writes it, or empty
}

// CorrectionsRow is what a corrections source says of one offender.
type CorrectionsRow struct {
	GDCID            string                // number of the person at the department
	Name             string                // as reported
	DOB              *models.Date          // nil: not stated
	BirthYear        int16                 // 0: not stated; set whenever DOB is
	Category         string                // offender, parolee, sex_offender
	Categories       []string              // all that hold, Category first
	Institution      string                // empty: not stated
	Sentence         string                // human-readable length
	Status           string                // incarcerated, paroled, released, unknown
	StatusText       string                // as the source wrote it, when unknown
	ReleaseDate      *models.Date          // past, or to come where ReleaseProjected is set; nil: not stated
	ReleaseProjected bool                  // the release is planned and not over
	ParoleEnd        *models.Date          // nil: not stated
	Withheld         models.WithheldReason // why it must not be published, or empty
	SeenAt           time.Time             // the instant that the row speaks of
	Line             int64                 // where it stood in its document
	Fingerprint      []byte                // fingerprint of everything above but SeenAt and Line
	Photograph       string                `json:"-"` // what the row names as its photograph; read for photographs alone, and never stored
}

// ImportedBooking is a booking of the system that is taken over, with its id.
type ImportedBooking struct {
	ID string // public id in that system, which it keeps
	RosterRow
}

// ImportedLink is a link of the system that is taken over.
type ImportedLink struct {
	RosterID     string // public id of the booking
	GDCID        string // of the corrections record
	Confidence   string // high, medium, low
	MugshotMatch bool   // that system compared photographs
	Line         int64  // where it stood in its document
}
