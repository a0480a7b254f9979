package engine

import (
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Impact is what a snapshot would do to the records that its source knew: it is counted while they are resolved, and
// judged at the end, before anything is kept.
type Impact struct {
	Known  int            // rows of known records
	Closed int            // who would be released
	Marked int            // claims that miss for the first time
	Hidden int            // records that vanish
	Kinds  map[string]int // changes by kind
}

// Release is the kind of change that ends a stay.
const Release = "released"

// MassChange is how many changes of a kind there must be for the mass-change guard to be asked at all.
const FewChanges = 4

// Note counts a change of a kind.
func (m *Impact) Note(kind string) {
	if m.Kinds == nil {
		m.Kinds = map[string]int{}
	}
	m.Kinds[kind]++
}

// Most is the greatest count of a kind.
func (m *Impact) Most() (n int) {
	for _, count := range m.Kinds {
		n = max(n, count)
	}
	return n
}

// MassChange asks the mass-change guard.
func (r *Run) MassChange(u snapshot.MassChange, facts []string) error {
	u.Lists = r.Tracks
	for _, fact := range facts {
		u.Rewrites = append(u.Rewrites, snapshot.Rewrite{Fact: fact, Rows: r.Impact.Kinds[fact]})
	}
	if reason := r.GuardMassChange(u); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}

// Brief is by what the key-turnover guard knows a person again.
type Brief struct{ name, DOB string }

func NewBrief(nameKey string, dob *models.Date) Brief {
	b := Brief{name: nameKey}
	if dob != nil {
		b.DOB = dob.String()
	}
	return b
}
