package photograph

import (
	"time"

	"rollcall/models"
)

// State is how far a photograph was brought.
type State string

// The states.
const (
	Wanted  State = "wanted"
	Kept    State = "kept"
	Refused State = "refused"
)

// Placeholder is why a picture is refused that many people have: it says that there is no photograph.
const Placeholder = "placeholder"

// Reference is what the newest row under a key names as its photograph. It is the GORM model of photographs.
type Reference struct {
	Family    models.Family `gorm:"primaryKey"` // Roster or Corrections
	SourceID  string        `gorm:"primaryKey"`
	Key       string        `gorm:"primaryKey"` // of the claim within its source
	Reference []byte        // SHA-256 of what the row names
	Address   *string       // an address, or the name of a file in the drop; nil: the picture came in the document
	State     State
	Reason    *string    // why it is refused or was not brought, or what was mended of one that is kept; nil: nothing was wrong
	Hash      *string    // of the picture that is kept; nil: none is
	ETag      string     `gorm:"column:etag"` // of the newest answer
	Modified  string     // likewise
	Tries     int16      // that failed one after the other
	DueAt     *time.Time `gorm:"serializer:utc"` // when it is asked for next; nil: not at all
	NotedAt   time.Time  `gorm:"serializer:utc"`
}

// TableName is the table of references.
func (Reference) TableName() string { return "photographs" }

// File is a picture that is kept. It is the GORM model of photograph_files. Sizes are in pixels.
type File struct {
	Hash        string `gorm:"primaryKey"` // photo.Picture.Hash
	Width       int
	Height      int
	SmallWidth  int
	SmallHeight int
	Placeholder bool      // many people have it, so it shows nobody
	TakenAt     time.Time `gorm:"serializer:utc"` // when it was brought first since somebody has it
}

// TableName is the table of pictures.
func (File) TableName() string { return "photograph_files" }

// Progress is up to which run the photographs of a source were noted. It is the GORM model of photograph_runs.
type Progress struct {
	SourceID string `gorm:"primaryKey"`
	RunID    int64
}

// TableName is the table of progress.
func (Progress) TableName() string { return "photograph_runs" }

// Shown is a photograph of a published booking. It is the GORM model of published_photographs.
type Shown struct {
	RID         int64     `gorm:"column:rid"` // models.Booking.RID
	PublicID    string    // models.Booking.ID
	SourceID    string    // that showed it
	SaidAt      time.Time `gorm:"serializer:utc"` // when the source last said something new of the booking
	Hash        string
	Width       int
	Height      int
	SmallWidth  int
	SmallHeight int
	TakenAt     time.Time `gorm:"serializer:utc"`
}

// TableName is the view of what may be shown.
func (Shown) TableName() string { return "published_photographs" }

// Removal is a request to remove the photograph of a record. It is the GORM model of photograph_removals.
type Removal struct {
	ID        int64         `gorm:"primaryKey" json:"id"`
	Family    models.Family `json:"family"`
	PublicID  string        `json:"record"`                           // as it was when the request was noted
	AskedAt   time.Time     `gorm:"serializer:utc" json:"asked_at"`   // when the request came
	DueAt     time.Time     `gorm:"serializer:utc" json:"due_at"`     // by when it must be decided
	Note      string        `json:"note"`                             // of the operator; may be empty
	Actor     string        `json:"actor"`                            // who noted it
	State     string        `json:"state"`                            // open, removed or declined
	DecidedAt *time.Time    `gorm:"serializer:utc" json:"decided_at"` // nil: it is open
	DecidedBy *string       `json:"decided_by"`                       // likewise
}

// TableName is the table of requests.
func (Removal) TableName() string { return "photograph_removals" }

// Removed is a record that a request covers. It is the GORM model of removed_photographs.
type Removed struct {
	Request int64         `gorm:"primaryKey"`
	Family  models.Family `gorm:"primaryKey"`
	Record  int64         `gorm:"primaryKey"`
}

// TableName is the table of covered records.
func (Removed) TableName() string { return "removed_photographs" }

// CheckState is what a comparison found.
type CheckState string

// The states of a check.
const (
	Match        CheckState = "match"
	Inconclusive CheckState = "inconclusive"
	NoMatch      CheckState = "no_match"
)

// Check is a comparison of a booking's photograph with that of its corrections record. It is the GORM model of
// photograph_checks. It holds no descriptor.
type Check struct {
	ID          int64      `gorm:"primaryKey" json:"-"`
	RID         int64      `gorm:"column:rid" json:"-"`
	CID         int64      `gorm:"column:cid" json:"-"`
	Booking     string     `json:"booking"`     // hash of the booking's picture
	Corrections string     `json:"corrections"` // hash of the record's
	Model       string     `json:"model"`       // of the verifier
	State       CheckState `json:"state"`
	Band        string     `json:"band"` // of the distance, such as 0.40-0.45; or why there is none
	CheckedAt   time.Time  `gorm:"serializer:utc" json:"checked_at"`
}

// TableName is the table of comparisons.
func (Check) TableName() string { return "photograph_checks" }

// Pair is two pictures that may be compared. It is the GORM model of comparable_photographs.
type Pair struct {
	RID         int64  `gorm:"column:rid"`
	CID         int64  `gorm:"column:cid"`
	Booking     string // hash of the booking's picture
	Corrections string // hash of the record's
}

// TableName is the view of pairs.
func (Pair) TableName() string { return "comparable_photographs" }
