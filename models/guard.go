package models

import "time"

// Turnover is how many keys of a source that lists everybody came and went in one snapshot.
type Turnover struct {
	Listed   int           // keys of the snapshot
	Fresh    int           // of these, those that nobody knew
	Overdue  int           // of the fresh, those booked long before the last complete snapshot, which lacked them
	Known    int           // keys that were listed until now, within the source's window
	Vanished int           // of these, those that the snapshot lacks
	Again    int           // of the vanished, those who stand under a fresh key, by their names and By
	By       string        // what they have in common but the name
	Moved    int           // of the fresh, those that are bookings of the vanished, corrected; Overdue leaves them out
	Replaced int           // of the vanished, those in whose place, by the minute of booking, the snapshot has somebody whom nobody knew
	Since    time.Duration // from the last complete snapshot to this one; negative: it came late
}

// Upheaval is what a run would do to the people whom its source told of before, those left out whom it
// recognises as bookings of others.
type Upheaval struct {
	Lists    bool          // the source lists everybody; else it tells what changed
	Releases bool          // the source tells of nothing but releases
	Open     int           // of the source's bookings, those not released until now
	Closed   int           // of these, those that the run would release, stated or by absence
	Spoken   int           // of these, those that its rows speak of
	Overdue  int           // of these, those released by a time long before the source last told that they are in jail
	Known    int           // rows of known bookings or offenders
	Rewrites []Rewrite     // of these, those whose facts would change
	Since    time.Duration // from the last snapshot that was applied to this one; negative: it came late
}

// Rewrite counts the known whose value of one fact would be replaced or lost; one that was not known before is news.
type Rewrite struct {
	Fact string // as operators call it
	Rows int
	Late bool // it can change of many at once when nobody looked for long, as time of booking, birth date and name never do
}
