package match

import (
	"fmt"
	"strings"
)

// Level is how sure a match must be before a watcher is told. Bookings are met
// by every watcher, so standing queries ask for more than a pair does: strict is
// set where precision reaches .99 and wide where recall reaches .95 on the
// labelled standing bookings; normal, the default, lies between.
type Level uint8

// The levels of a watcher.
const (
	Normal Level = iota
	Strict
	Wide
)

// DefaultThreshold is the probability from which two names are held to be one
// person's when nobody says otherwise: where F1 is highest on the labelled
// pairs.
const DefaultThreshold = 0.5

// Threshold returns the least probability that counts at this level.
func (l Level) Threshold() float64 {
	switch l {
	case Strict:
		return 0.98
	case Wide:
		return 0.89
	}
	return 0.955
}

// String returns the level's word in the contract.
func (l Level) String() string {
	switch l {
	case Strict:
		return "strict"
	case Wide:
		return "wide"
	}
	return "normal"
}

// ParseLevel reads a level's word, in any letter case; the empty one is normal.
func ParseLevel(s string) (Level, error) {
	switch strings.ToLower(s) {
	case "", "normal":
		return Normal, nil
	case "strict":
		return Strict, nil
	case "wide":
		return Wide, nil
	}
	return Normal, fmt.Errorf("level %q is none of strict, normal, wide", s)
}
