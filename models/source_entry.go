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
	HeldRun      *int64     // whose snapshot began the hold; nil: an operator did, or nothing is held
	Keys         []string   // the names under which its rows ever told values, where there is no header; nil: nothing is known
	Told         []byte     // what the rows of its last complete snapshot told of, as JSON; nil: nothing is known
	Failures     int        // runs in a row that failed or were refused
	NotBefore    *time.Time // the schedule leaves it alone until then
}

// RenumberedKeys ends the reason of a hold whose snapshot has known people under new keys.
const RenumberedKeys = "its keys were renumbered"

// SeemsRenumbered says that the source is held because its keys were renumbered: a plain release would
// release everybody and book them anew.
func (s *Source) SeemsRenumbered() bool {
	return s.HeldSince != nil && s.Note != nil && strings.HasSuffix(*s.Note, RenumberedKeys)
}

// NoSource says that an id is no source's.
func NoSource(id string) error {
	return NotFoundAs(ErrNoSource, fmt.Sprintf("there is no source %.60q", id))
}

// NotHeld says that there is nothing to release of a source.
func NotHeld(id string) error {
	return Invalid("id", "source "+id+" is not held, so there is nothing to release; nothing was changed")
}
