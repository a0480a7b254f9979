package models

import (
	"fmt"
	"strings"
	"time"
)

// SourceEntry is what the tables know of a source document.
type SourceEntry struct {
	ID           string
	Parent       string // of a scope: its source
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

// A scope is what completeness, guards, freshness and holds are asked of: a source, or one county of a source whose rows name
// theirs. The latter is stored as a source of its own, whose id is that of its source and the county's slug.

// ScopeID is the id of the scope of a county.
func ScopeID(source, county string) string { return source + ":" + county }

// SplitScope returns the source of a scope, and the slug of its county; that is empty where the id is a source's.
func SplitScope(id string) (source, county string) {
	source, county, _ = strings.Cut(id, ":")
	return source, county
}

// Scope is the entry of a county of the source.
func (e SourceEntry) Scope(c *County) SourceEntry {
	return SourceEntry{
		ID: ScopeID(e.ID, c.Slug), Parent: e.ID, Title: e.Title + ", " + c.Name + " County", Kind: e.Kind, CountyID: &c.ID,
		Interval: e.Interval, DataInterval: e.DataInterval, Lists: e.Lists,
	}
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
