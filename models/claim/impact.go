package claim

import (
	"rollcall/models"
	"rollcall/models/snapshot"
)

// impact is what a snapshot would do to the records that its source knew: it is counted while they are resolved, and
// judged at the end, before anything is kept.
type impact struct {
	known  int            // rows of known records
	closed int            // who would be released
	marked int            // claims that miss for the first time
	hidden int            // records that vanish
	kinds  map[string]int // changes by kind
}

// wouldEnd is the kind of change that ends a stay.
const wouldEnd = "released"

// massChange is how many changes of a kind there must be for the mass-change guard to be asked at all.
const massChange = 4

// note counts a change of a kind.
func (m *impact) note(kind string) {
	if m.kinds == nil {
		m.kinds = map[string]int{}
	}
	m.kinds[kind]++
}

// most is the greatest count of a kind.
func (m *impact) most() (n int) {
	for _, count := range m.kinds {
		n = max(n, count)
	}
	return n
}

// massChange asks the mass-change guard.
func (r *run) massChange(u snapshot.MassChange, facts []string) error {
	u.Lists = r.Tracks
	for _, fact := range facts {
		u.Rewrites = append(u.Rewrites, snapshot.Rewrite{Fact: fact, Rows: r.impact.kinds[fact]})
	}
	if reason := r.GuardMassChange(u); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}

// brief is by what the key-turnover guard knows a person again.
type brief struct{ name, dob string }

func newBrief(nameKey string, dob *models.Date) brief {
	b := brief{name: nameKey}
	if dob != nil {
		b.dob = dob.String()
	}
	return b
}
