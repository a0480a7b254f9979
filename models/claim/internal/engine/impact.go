package engine

import (
	"context"
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// Impact counts what a snapshot does to the records that its source knew. It is counted while they are resolved, and the
// mass-change guard judges it before the transaction commits, so a source that went wrong releases nobody.
type Impact struct {
	// Known is the number of rows of known records.
	Known int
	// Closed is the number of people who would be released.
	Closed int
	// Marked is the number of claims that a complete snapshot lacks for the first time.
	Marked int
	// Hidden is the number of records that would be withheld as vanished.
	Hidden int
	// Kinds counts the changes by kind: the name of a fact, or Release.
	Kinds map[string]int
	// Refused counts, by fact, those of Kinds whose rows were refused because of it.
	Refused map[string]int
	// Moves counts, by fact, the changes of days by their interval.
	Moves map[string]map[time.Duration]int
	// Lost counts, by fact, the changed records that had it, without those that have it now.
	Lost map[string]int
}

// Release is the kind of change that ends a stay.
const Release = "released"

// FewChanges is how many changes of one kind there must be for the mass-change guard to be asked at all. Below it, no
// share of a small source means anything.
const FewChanges = 4

// Note counts a change of a kind.
func (m *Impact) Note(kind string) {
	if m.Kinds == nil {
		m.Kinds = map[string]int{}
	}
	m.Kinds[kind]++
}

// Refuse counts a change whose row is refused because of it. A column that means something else would otherwise change the few
// people whose rows are taken all the same, while the others only go to quarantine.
func (m *Impact) Refuse(fact string) {
	m.Note(fact)
	if m.Refused == nil {
		m.Refused = map[string]int{}
	}
	m.Refused[fact]++
}

// Move counts a change of a day, by its interval: a column that means something else moves all days alike.
func (m *Impact) Move(fact string, by time.Duration) {
	m.Note(fact)
	if m.Moves == nil {
		m.Moves = map[string]map[time.Duration]int{}
	}
	if m.Moves[fact] == nil {
		m.Moves[fact] = map[time.Duration]int{}
	}
	m.Moves[fact][by]++
}

// Alike returns how many days of a fact move by one and the same interval: the most of any.
func (m *Impact) Alike(fact string) (n int) {
	for _, count := range m.Moves[fact] {
		n = max(n, count)
	}
	return n
}

// Turn notes of a changed record whether it had a fact, and whether it has it now.
func (m *Impact) Turn(fact string, had, has bool) {
	if had == has {
		return
	}
	if m.Lost == nil {
		m.Lost = map[string]int{}
	}
	if had {
		m.Lost[fact]++
	} else {
		m.Lost[fact]--
	}
}

// Most returns the greatest count of a kind.
func (m *Impact) Most() (n int) {
	for _, count := range m.Kinds {
		n = max(n, count)
	}
	return n
}

// MassChange asks the mass-change guard about the changes to some facts, in the order in which it looks at them. of is how
// many of the known had a fact; one that it lacks is a fact of all of them. The error is a HeldError where the guard does
// not believe the changes: nothing of the snapshot is applied then.
func (r *Run) MassChange(u snapshot.MassChange, facts []string, of map[string]int) error {
	u.Lists = r.Tracks
	for _, fact := range facts {
		w := snapshot.Rewrite{Fact: fact, Rows: r.Impact.Kinds[fact], Refused: r.Impact.Refused[fact], Of: of[fact], Moved: r.Impact.Alike(fact)}
		u.Rewrites = append(u.Rewrites, w)
	}
	if reason := r.GuardMassChange(u); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}

// SinceLast returns how long before the snapshot the source was read last: the longer, the more may have changed. It is
// negative where the snapshot came late, and zero where there is none before it.
func (r *Run) SinceLast(ctx context.Context) (time.Duration, error) {
	var last *time.Time
	if err := r.One(ctx, "last_snapshot", Args{"source": r.SourceID, "run": r.RunID, "lists": r.Tracks}, &last); err != nil || last == nil {
		return 0, err
	}
	return r.At.Sub(*last), nil
}

// Brief is by what the key-turnover guard recognises a person under another key.
type Brief struct {
	name string // folded
	// DOB is the date of birth as text; empty: unknown.
	DOB string
}

// NewBrief returns the brief of a person by folded name (match.SearchKey) and date of birth; nil: unknown.
func NewBrief(nameKey string, dob *models.Date) Brief {
	b := Brief{name: nameKey}
	if dob != nil {
		b.DOB = dob.String()
	}
	return b
}
