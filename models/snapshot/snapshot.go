package snapshot

import (
	"time"

	"rollcall/models"
)

// DefaultBaselineWindow is how old a booking may be to fire in a baseline (DECISIONS.md, "Alerts").
const DefaultBaselineWindow = 24 * time.Hour

// Header is what holds for a whole snapshot: which run of which source brought it, the instant that it describes, and how
// its absences are read.
type Header struct {
	SourceID string
	RunID    int64
	// At is the instant that the data describes. Now is when the run applies it.
	At, Now time.Time
	// Documents is how many files the snapshot consists of.
	Documents int
	// Imported marks a takeover: it changes nothing that is known already, and any other source knows better.
	Imported bool
	// Tracks is set where absence from a complete snapshot means something, and Releases where it means a release.
	Tracks, Releases bool
	// Confirmations is how many complete snapshots in a row must lack a record before its absence counts.
	Confirmations int
	// WindowDays bounds the list: a record that was booked longer ago leaves it without a release. 0: no window.
	WindowDays int
	// CopiesAfter is how long after the first snapshot that lacks a record a copy of the one before, byte for byte, confirms the
	// absence. 0: at once, because the end of each is proven or the source was asked for it, so that none is an old file.
	CopiesAfter time.Duration
	// Unnumbered keys are made of facts alone, so two rows may share one by chance.
	Unnumbered bool
	// Composite keys are made of facts of the booking, not of numbers.
	Composite bool
	// Renumbered is an operator's word that the source has new keys: its people are recognised under them.
	Renumbered bool
	// Approved is set when an operator released the snapshot: the hold that stands does not stop it.
	Approved bool

	// Returns is set when its documents were read before: it is a baseline.
	Returns bool
	// BaselineWindow is how old a booking may be to fire in a baseline; 0: DefaultBaselineWindow.
	BaselineWindow time.Duration
	// Clock returns the time at which changes are detected; nil: Now.
	Clock func() time.Time
}

// Applied counts what a run did to the tables.
type Applied struct {
	Rows       int           // staged
	New        int           // records made
	Adopted    int           // bookings of a takeover, another source or another key, recognised
	Changed    int           // records of which a row changed a fact
	Unchanged  int           // rows that only repeat what is known
	Older      int           // rows that describe an instant before what is known
	Repeated   int           // the same record again in one snapshot; the newest counts
	Closed     int           // released, stated or by absence
	Reopened   int           // released before, and in jail again
	Missing    int           // absent from this complete snapshot, not closed by it
	Withheld   int           // records of the snapshot that are not published
	Removed    int           // hearings taken back
	Pending    int           // rows that wait for the court case that they are a part of, or for the booking that they release
	Resolved   int           // pending claims whose case or booking this run reported
	Generation int64         // of the family, by which caches notice the change
	Rejected   []RejectedRow // rows that the identity guard refused
}

// RejectedRow is a row that looked right by itself and that the tables contradict.
type RejectedRow struct {
	Line   int64  // where it stood in its document
	County int16  // of its scope; 0: the source has no scopes
	Field  string // that contradicts
	Reason string // for operators; no personal data
}

// Completeness is what is known of a snapshot when all its rows are read.
type Completeness struct {
	// Complete is set where the snapshot was proven complete: absence may be read.
	Complete bool
	// Hold is why nothing of the snapshot may be applied until an operator looked, or empty.
	Hold string
	// Keys are the names of values that are known with this snapshot; nil: as before.
	Keys []string
	// MissingFields were stated by the source before, and are in no row now. What is known of them stays.
	MissingFields []string
	// Reported is how many rows stated each field, as JSON. The next snapshot is compared with it. nil: nothing to compare.
	Reported []byte
	// Rows is how many rows the snapshot has, bad ones included. The next complete one is compared with it.
	Rows int
}

// MissingBond stands in Completeness.MissingFields for a bond of which no row has any of the fields that state it.
const MissingBond = "bond"

// HeldError is returned for a snapshot that was not applied and waits for an operator.
type HeldError struct {
	Reason   string // for operators; no personal data
	Standing bool   // an operator's hold or an earlier one is the reason, not the snapshot
}

// Error returns the reason after the word held.
func (e *HeldError) Error() string { return "held: " + e.Reason }

// Identity is who a record is about, for the guard against a key that means another person now.
type Identity struct {
	Name string       // as reported
	DOB  *models.Date // nil: not stated
	Year int16        // of birth, where it is known alone; 0: not stated, or DOB has it
}

// Born is the year of birth; 0: not stated.
func (i Identity) Born() int {
	if i.DOB != nil {
		return i.DOB.Year
	}
	return int(i.Year)
}

// Reconciler brings the rows of one snapshot into the tables, all of them or none.
type Reconciler struct {
	Header
	// Prove is called with the number of rows when all are staged.
	Prove func(rows int) Completeness
	// Exempt is called after Prove. It returns whom unreadable rows concern: none of them is absent.
	Exempt func() Exempt
	// Refuse, when set, is called with how many rows the identity guard rejected, if any. It reports whether these are too
	// many for a complete snapshot.
	Refuse func(rejected int) bool
	// GuardTurnover, when set, returns why so many keys that came and went at once can not be believed, or nothing.
	GuardTurnover func(KeyTurnover) (hold string)
	// GuardMassChange, when set, returns why the impact of the run on people can not be believed, or nothing.
	GuardMassChange func(MassChange) (hold string)
	// Rehearse, when set, gets the impact of the snapshot; then nothing of it is stored.
	Rehearse func(Rehearsal)
}

// Exempt are those whom rows concern that could not be read, by all that these rows state. Nobody among them is absent.
type Exempt struct {
	Keys     []string // of bookings, ids of offenders
	Names    []string // as reported
	Children []string // of the keys of bookings, those whose rows concern somebody under 17
}
