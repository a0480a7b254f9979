package models

import "time"

// DefaultBaselineWindow is how old a booking may be to fire in a baseline (DECISIONS.md, "Alerts").
const DefaultBaselineWindow = 24 * time.Hour

// OutageIntervals is after how many intervals without a success a source's next run is a baseline.
const OutageIntervals = 3

// Snapshot says what one run of a source speaks of, and how its absences are read.
type Snapshot struct {
	SourceID      string
	RunID         int64
	At            time.Time // the instant that the data speaks of
	Documents     int       // files that it consists of
	Now           time.Time
	Imported      bool // a takeover: what is known already stays, and any source knows better
	Tracks        bool // absence from a complete snapshot means something
	Releases      bool // it means a release
	Confirmations int  // complete snapshots in a row that must lack a record
	WindowDays    int  // a record booked longer ago leaves the list without a release; 0: no window
	OtherBytes    bool // of rosters: the bytes of the snapshot before confirm nothing, but after a day
	Unnumbered    bool // its keys are made of facts alone, so two rows may have one by chance
	Composite     bool // its keys are made of facts of the booking, not of numbers
	Renumbered    bool // an operator said so: people of the source are recognised under new keys
	Approved      bool // an operator released it: the hold that stands is not asked

	Returns        bool             // its documents were read before: it is a baseline
	BaselineWindow time.Duration    // how old a booking may be to fire in a baseline; 0: DefaultBaselineWindow
	Clock          func() time.Time // tells when changes are detected; nil: Now
}

// Applied counts what a run did to the tables.
type Applied struct {
	Rows       int // staged
	New        int
	Adopted    int // bookings of a takeover, another source or another key, recognised
	Changed    int
	Unchanged  int
	Older      int // rows that speak of an instant before what is known
	Repeated   int // the same record again in one snapshot; the newest counts
	Closed     int // released, stated or by absence
	Reopened   int
	Missing    int // absent from this complete snapshot, not closed by it
	Withheld   int
	Removed    int // hearings taken back
	Resolved   int // rows in quarantine that waited for what this run reported
	Generation int64
	Rejected   []RejectedRow
}

// RejectedRow is a row that only the database could tell to be wrong.
type RejectedRow struct {
	Line   int64
	Field  string
	Reason string
	Awaits *Awaited `db:"-"` // what it is a part of, where nobody has told of that yet; nil: it is wrong by itself
}

// Awaited is what a row waits for: a case, or the booking that a release names.
type Awaited struct {
	CaseKey           // an empty party: any of them
	Booking string    // the key of a booking of the same source; CaseKey is empty then
	SeenAt  time.Time // the instant that the row speaks of
}

// Verdict is what is known of a snapshot when all its rows are read.
type Verdict struct {
	Complete bool     // proven: absence may be read
	Hold     string   // why nothing of it may be applied until an operator looked, or empty
	Keys     []string // the names of values that are known with it; nil: as before
	Lost     []string // fields that its source told before and that are in no row of it: what is known of them stays
	Told     []byte   // what its rows told of, as JSON, to become what the next is compared with; nil: nothing
	Rows     int      // of the snapshot, bad ones included: what the next complete one is compared with
}

// HeldError says that a snapshot was not applied and waits for an operator.
type HeldError struct {
	Reason   string
	Standing bool // an operator's hold or an earlier one is the reason, not the snapshot
}

// Error gives the reason.
func (e *HeldError) Error() string { return "held: " + e.Reason }

// Identity is who a record is about, for the guard against a key that changed its person.
type Identity struct {
	Name string
	DOB  *Date
}

// Reconciler brings the rows of one snapshot into the tables, all of them or none.
type Reconciler struct {
	Snapshot
	// Prove is called when all rows are staged, with their number.
	Prove func(rows int) Verdict
	// Spared, called after Prove, lists whom rows speak of that could not be read. Nobody of them is missing.
	Spared func() Spared
	// Refuse, when set, is called with how many rows the identity guard rejected, should there be any,
	// and tells whether these are too many for a complete snapshot.
	Refuse func(rejected int) bool
	// Turned, when set, tells why so many keys that came and went at once can not be believed, or nothing.
	Turned func(Turnover) (hold string)
	// Upset, when set, tells why what the run would do to people can not be believed, or nothing.
	Upset func(Upheaval) (hold string)
	// Rehearse, when set, is told what the snapshot would do; then nothing of it is kept.
	Rehearse func(Rehearsal)
}

// NilIfEmpty gives NULL for an empty text.
func NilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Nearby is how far apart the minute of one booking may be told, by two feeds or by one that corrects it.
const Nearby = 2 * time.Minute

// LostBond stands in Verdict.Lost for a bond of which none of the fields that tell it is in any row any more.
const LostBond = "bond"

// Spared are those whom rows speak of that could not be taken, by all that the rows tell of them.
type Spared struct {
	Keys     []string // of bookings, ids of offenders
	Names    []string // as reported
	Children []string // of the keys of bookings, those whose rows speak of somebody under 17
}
