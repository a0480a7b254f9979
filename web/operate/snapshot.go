package operate

import (
	"context"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// Rehearser returns what the held snapshot of a source would do, and changes nothing. It returns
// nil when no snapshot is held.
type Rehearser func(ctx context.Context, sourceID string) (*HeldSnapshot, error)

// Decision is what an operator decides about a held snapshot (DECISIONS, "Holding").
type Decision string

// The decisions about a held snapshot.
const (
	// Right applies it as it is.
	Right Decision = "right"
	// Renumbered applies it, and recognises people under new keys by name and time of booking.
	Renumbered Decision = "renumbered"
	// Discarded applies nothing of it.
	Discarded Decision = "discarded"
)

// Releaser ends the hold of a source as an operator decided. A mistake of the operator's is a
// models.Error.
type Releaser func(ctx context.Context, sourceID string, how Decision) error

// HeldSnapshot is what a held snapshot would do if it were applied.
type HeldSnapshot struct {
	// Run is the id of the run that is held; the others count people or cases, Rows the rows of the snapshot.
	// Missing counts records that are absent from it, but would not be closed by it.
	Run, Rows, New, Changed, Closed, Reopened, Missing int
	// Again counts those of the people who would be released that are in the snapshot under new
	// keys.
	Again int
	// Quarantined counts rows that would be refused and go to quarantine.
	Quarantined int
	// Complete means that people who are missing would be released; otherwise it would release
	// nobody.
	Complete bool
	// Doubts are why the snapshot is not proven complete.
	Doubts []string
	// Note is why it cannot be applied at all; empty: it can.
	Note string
	// Gone are the people who would be released or hidden, a thousand at most.
	Gone []snapshot.Gone
	// Fresh are the people who would be new, 200 at most.
	Fresh []snapshot.Gone
	// Altered are the people whose facts would change otherwise, 200 at most.
	Altered []snapshot.Altered
	// Alters is how many of those there are in all.
	Alters int
	// Forecast is what a release as it is would send.
	Forecast Forecast
	// AsRenumbered is what a release as renumbered would send; nil: nobody stands under a new key.
	AsRenumbered *Forecast
}

// Forecast is what alerts would be sent if a held snapshot were applied now.
type Forecast struct {
	// Alerts counts those that would fire.
	Alerts int
	// Events counts what they would be sent, by kind.
	Events map[models.EventKind]int
	// More means that the snapshot changes more than was tried out: the counts are then too low.
	More bool
}
