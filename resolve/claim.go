package resolve

import (
	"time"

	"rollcall/models"
)

// Attachment is how a claim came to its record.
type Attachment string

// The attachments.
const (
	Own     Attachment = "own"     // the record was made for it
	Matched Attachment = "matched" // recognised as a record that another source knows
	Rekeyed Attachment = "rekeyed" // recognised as a record that its source knew under another key
	Merged  Attachment = "merged"  // brought by an operator's merge
)

// ID names a claim.
type ID struct {
	Source string // its id
	Key    string // of the record within the source
	Stay   int16  // 0: what the key means now; n: the nth earlier booking period under a number used again
}

// Ref names a record.
type Ref struct {
	Family models.Family // of the record
	Record int64         // its key in the tables
}

// Head is what the claims of all families have in common.
type Head struct {
	Source *Policy // of a scope: that of the county
	Key    string  // of the record within the source
	Stay   int16   // as in ID
	Record int64   // 0: pending, no source has reported its record yet
	County int16   // 0: of the whole source

	How   Attachment // how it came to its record
	HowAt time.Time  // when it did

	Fingerprint []byte    // of the newest row; empty: the next row is read whatever it says
	FirstAt     time.Time // the instant of the first row folded in
	SaidAt      time.Time // of the newest
	RunID       int64     // that brought the newest

	Present      bool       // a complete snapshot has not confirmed its absence
	MissingSince *time.Time // the first complete snapshot that lacks it; nil: none does
	Misses       int        // complete snapshots in a row that lack it
	Disputed     bool       // disagrees with its record about custody, so each run looks at it

	Photographed bool // a photograph that came under its key is kept; no row states it (docs/decisions/0027-photographs.md)

	PersonKey string // the source's number of the person, normalised; may be empty
	Number    string // the public number of the booking or case, normalised; may be empty

	Since Since    // from when on each field has had its value
	Age   Evidence // what all its rows say of the age
}

// Claim is what one source says of a record under one key, with the facts of its family.
type Claim[F any] struct {
	Head
	Facts F // of the newest rows that state them
}

// ID is the name of the claim.
func (h *Head) ID() ID { return ID{Source: h.Source.ID, Key: h.Key, Stay: h.Stay} }

// Listed reports whether the newest complete snapshot of its source lists the claim's key, as far as is known.
func (h *Head) Listed() bool { return h.Present && h.Misses == 0 }

// LastSeen is when its source last showed the claim. Unchanged rows are not written, so a listed claim
// was last seen in the source's newest complete snapshot.
func (h *Head) LastSeen() time.Time {
	if h.Listed() && h.Source.LastComplete.After(h.SaidAt) {
		return h.Source.LastComplete
	}
	return h.SaidAt
}

// Policy is what resolving needs to know of a source, or of one county of a source that serves several.
type Policy struct {
	ID            string        // of the source or scope
	Import        bool          // a takeover: every other source knows better
	Lists         bool          // absence from its complete snapshots means something
	Releases      bool          // it means a release
	Confirmations int           // complete snapshots in a row that must lack a key
	CopiesAfter   time.Duration // how long after the first one that lacks it a copy of the snapshot before confirms that
	WindowDays    int           // a booking of longer ago leaves the list without a release; 0: no window
	Interval      time.Duration // how often it has newer data; 0: unknown
	LastComplete  time.Time     // its newest complete snapshot; zero: none
	Complete      []Complete    // its complete snapshots, oldest first, as far back as the claims at hand need them
}

// Complete is a complete snapshot of a source.
type Complete struct {
	At       time.Time // the instant that it describes
	Confirms bool      // it is no copy of the one before, byte for byte
	Released bool      // an operator looked at it and released it: it needs no other to confirm it
}

// Instant is a time as the database keeps it: in UTC, to the microsecond. Instants are compared with
// what was stored before, so those of rows are cut when they are folded in.
func Instant(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
