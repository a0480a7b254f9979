package models

import "time"

// Archive is one document as it was received.
type Archive struct {
	ID       int64 // given by BeginArchive
	Seq      int
	Name     string
	SHA256   []byte
	Bytes    int64
	Fetched  time.Time
	Observed time.Time // the instant that it speaks of
	Expires  time.Time
}

// RunState is how a run of a source ended.
type RunState string

// The states of runs.
const (
	RunRunning RunState = "running" // not ended, or its process was killed
	RunOK      RunState = "ok"      // everything was read and applied
	RunPartial RunState = "partial" // applied, but rows went to quarantine or the snapshot is not complete
	RunHeld    RunState = "held"    // nothing applied: waits for an operator
	RunRefused RunState = "refused" // a captcha or login wall
	RunFailed  RunState = "failed"  // nothing applied
)

// Run is one reading of a source.
type Run struct {
	ID       int64
	SourceID string
	State    RunState
	Started  time.Time
	Finished *time.Time
	ReplayOf *int64
	Note     *string
	Report   []byte // JSON
}

// RunEnd is the outcome of a run.
type RunEnd struct {
	State       RunState
	At          time.Time
	SnapshotAt  time.Time // the instant that it speaks of
	DataAt      time.Time // the same by the stamps of its rows, where they have some
	Report      []byte    // JSON
	Would       Would     // of a held run: whom its snapshot would have changed
	Note        string    // why it did not go well; no personal data
	HeaderPrint string    // of this run, to become the known one where none is
	Failures    int       // runs in a row that failed or were refused, this one included
	NotBefore   *time.Time
	Standing    bool // it was held by a hold that stood already; if that ended meanwhile, this run does not bring it back
	Replay      bool // nobody asked the source: how fresh it is stays as it was; a hold is one all the same
}

// PastDocuments is of how many files the snapshots of a source consisted before one of an instant. Zero: nothing is known.
type PastDocuments struct {
	Complete int  // the newest complete one, of that instant or before
	Same     bool // it is of that very instant
	Previous int  // the newest one of an instant before, complete or not
}
