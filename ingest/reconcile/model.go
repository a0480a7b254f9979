package reconcile

import (
	"maps"
	"slices"
	"time"
)

// Snapshot is one reading of a roster in the model: who is listed at an instant.
type Snapshot struct {
	At       time.Time
	Complete bool
	Listed   map[string]string // key -> the facts that the row tells
}

// Fact is what must be known of one booking after a series of snapshots.
type Fact struct {
	Tells    string    // of the newest row
	LastSeen time.Time // the newest snapshot that lists it
	Released *time.Time
}

// Model tells what a series of snapshots must lead to, whatever the order in which they arrive, how
// often, and which incomplete ones are among them: facts are those of the newest row, and a booking is
// released when enough complete snapshots after its last sighting lack it, at the first of them.
func Model(series []Snapshot, confirmations int) map[string]Fact {
	facts := map[string]Fact{}
	complete := map[time.Time]bool{}
	for _, s := range series {
		if s.Complete {
			complete[s.At] = true
		}
		for key, tells := range s.Listed {
			if f, known := facts[key]; !known || !s.At.Before(f.LastSeen) {
				facts[key] = Fact{Tells: tells, LastSeen: s.At}
			}
		}
	}
	times := slices.SortedFunc(maps.Keys(complete), time.Time.Compare)
	for key, f := range facts {
		after := slices.IndexFunc(times, f.LastSeen.Before)
		if after >= 0 && len(times)-after >= confirmations {
			f.Released = &times[after]
			facts[key] = f
		}
	}
	return facts
}
