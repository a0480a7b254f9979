package models

import "time"

// HitVerdict is what the owner of a watcher says of a hit.
type HitVerdict string

// The verdicts. After Dismiss that person never fires for that watcher again; the others take that back.
const (
	Confirm HitVerdict = "confirm"
	Dismiss HitVerdict = "dismiss"
	Unsure  HitVerdict = "unsure"
)

// Hit is a booking that a watcher matches: one for each watcher and record, whatever happens to it.
type Hit struct {
	ID          string // hit_...
	AccountID   string
	WatcherID   string
	RID         int64 // of the booking
	RecordID    string
	Probability float64
	Reasons     []string // the weightiest first
	At          time.Time
	Verdict     *HitVerdict
	VerdictAt   *time.Time
	// BornCompared says that the watcher and the record both have a birth date or year. Else the probability
	// is of the names alone, and every namesake has the same.
	BornCompared bool
}

// HitTotal is what a watcher has found so far.
type HitTotal struct {
	Count int
	Last  *time.Time // when the newest hit was found, UTC; nil: there is none
}
