package models

import (
	"fmt"
	"strings"
	"time"
)

// SourceEntry is what the tables know of a source document.
type SourceEntry struct {
	ID           string
	Title        string
	Kind         string
	CountyID     *int16
	Interval     time.Duration // zero: no schedule
	DataInterval time.Duration // how often it has newer data, never less than Interval; zero without a schedule: nobody knows
	Lists        bool          // it lists everybody, so some of its snapshots must be complete
	Enabled      bool
	LastSuccess  *time.Time
	LastComplete *time.Time
	LastRows     *int
	HeaderPrint  *string
	HeldSince    *time.Time
	Renumbered   bool       // an operator said that its keys were renumbered, and no complete snapshot came since
	Keys         []string   // the names under which its rows ever told values, where there is no header; nil: nothing is known
	Told         []byte     // what the rows of its last complete snapshot told of, as JSON; nil: nothing is known
	WaivedRun    *int64     // of a held run that an operator cleared: its snapshot, or one that does no worse, may do what would be held; nil: none waits
	Failures     int        // runs in a row that failed or were refused
	NotBefore    *time.Time // the schedule leaves it alone until then
}

// RenumberedKeys ends the reason of a hold whose snapshot has known people under new keys.
const RenumberedKeys = "its keys were renumbered"

// SeemsRenumbered says that the source is held because its keys were renumbered: a plain release would
// release everybody and book them anew (ReleaseRenumbered does not).
func (s *Source) SeemsRenumbered() bool {
	return s.HeldSince != nil && s.Note != nil && strings.HasSuffix(*s.Note, RenumberedKeys)
}

// NoSource says that an id is no source's.
func NoSource(id string) error {
	return NotFoundAs(ErrNoSource, fmt.Sprintf("there is no source %.60q", id))
}
