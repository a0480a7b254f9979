package property

import (
	"maps"
	"slices"
	"time"
)

// Snapshot is one reading of a roster in the model: who is listed at an instant.
type Snapshot struct {
	At       time.Time
	Complete bool
	// Listed has the facts that the row states, by key.
	Listed map[string]string
}

// Fact is what must be known of one booking after a series of snapshots.
type Fact struct {
	// Tells is what the newest row states.
	Tells string
	// LastSeen is the instant of the newest snapshot that lists it.
	LastSeen time.Time
	// Released is nil while it is listed, and while too few complete snapshots lack it.
	Released *time.Time
}

// Model returns what a series of snapshots must lead to, whatever the order in which they arrive, how often,
// and which incomplete ones are among them. Facts are those of the newest row. A booking is released when as
// many complete snapshots as confirmations after the last one that lists it lack it, at the first of them.
// It is what a real series is compared with (guarantee 5).
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
