package snapshot

import "time"

// KeyTurnover is how many keys of a source came, and, where it lists everybody, how many went, in one snapshot.
type KeyTurnover struct {
	// Changes is set where nobody can be gone, as the source does not list everybody or has no complete snapshot yet. Then
	// only Came and the counts of its parts are known.
	Changes bool
	// Listed counts the keys of the snapshot.
	Listed int
	// Fresh counts those of Listed that no claim had.
	Fresh int
	// Came counts the bookings that the snapshot would make: Fresh without Moved, and numbers that are used again.
	Came int
	// Doubled counts those of Came whose person the source has already, booked within two days of it, under a key that the
	// snapshot lacks. Renumbered counts those of Doubled that have the same time of booking.
	Doubled, Renumbered int
	// Elsewhere counts those of Came whom the source reported in another county before, by name and time of booking. It is
	// counted where Changes is set.
	Elsewhere int
	// Alike is what the two keys of each person in Doubled have in common beside the name, where Came and Doubled count people
	// of records without a time of booking.
	Alike string
	// Overdue counts those of Fresh that were booked long before the last complete snapshot, which lacked them.
	Overdue int
	// Known counts the keys that were listed until now, within the source's window.
	Known int
	// Vanished counts those of Known that the snapshot lacks.
	Vanished int
	// Again counts those of Vanished whose person stands under a fresh key, by name and by what By says.
	Again int
	// By is what the two keys of each person in Again have in common beside the name.
	By string
	// Moved counts those of Fresh that are bookings of Vanished under a corrected key. Overdue leaves them out.
	Moved int
	// Replaced counts those of Vanished in whose place, by the minute of booking, the snapshot has an unknown person.
	Replaced int
	// Since is the time from the last complete snapshot to this one. Negative: this one came late.
	Since time.Duration
}

// MassChange is the impact of a run on the people whom its source reported before. Bookings that are recognised under other
// keys are left out.
type MassChange struct {
	// Lists is set where the source lists everybody; otherwise it sends what changed.
	Lists bool
	// Releases is set where the source reports nothing but releases.
	Releases bool
	// Cases is set where Open and Closed count court cases: those that are not closed until now, and those that the run would
	// close.
	Cases bool
	// Open counts the source's bookings that are not released until now.
	Open int
	// Closed counts those of Open that the run would release, stated or by absence.
	Closed int
	// Spoken counts those of Closed that a row of the run names.
	Spoken int
	// Overdue counts those of Closed whose release is long before the source last reported them in jail.
	Overdue int
	// Known counts the rows of known bookings or offenders. A release by number alone is none.
	Known int
	// Rewrites are, fact by fact, those of Known whose facts would change.
	Rewrites []Rewrite
	// Since is the time from the last snapshot that was applied to this one. Negative: this one came late.
	Since time.Duration
}

// Rewrite counts known records of which one fact would be replaced or lost. A fact that was not known before is news.
type Rewrite struct {
	// Fact is its name for operators.
	Fact string
	Rows int
	// Refused counts those of Rows whose row was refused for it: the fact is that of another person.
	Refused int
	// Of counts those of Known who had the fact. 0: all of them had.
	Of int
	// Alike is how many of Of would get one and the same value, or lose the fact: the most of any value.
	Alike int
	// Moved counts those of Rows that move by one and the same interval: the most of any. Only days of filing are counted.
	Moved int
	// Late is set for facts that may change for many at once after a long gap. Time of booking, birth date and name never do.
	Late bool
}
