package match

import (
	"fmt"
	"math"
	"strings"
)

// Level is how sure a match must be before a watcher gets an event, on the scale of [CompareWatched]. A level is defined
// by what it costs the owner of an average name: alerts a watcher and year about people whose names do not fit, where a
// state books 400,000 people a year. Strict costs about one in a hundred years, normal one in five years, wide one a year.
type Level uint8

// The levels of a watcher.
const (
	Normal Level = iota
	Strict
	Wide
	// Any is for measurements: whatever was compared.
	Any
)

// DefaultThreshold is the probability from which two names count as one person's unless the caller says otherwise:
// where F1 is highest on the labelled pairs.
const DefaultThreshold = 0.5

// Alike reports whether two names may be one person's, where a key, a number or a birth date already says that they
// are. It is false only for names that are written very differently.
func Alike(a, b *Name) bool { return Compare(a, b).Probability >= alike }

// alike lies below what an initial for a common first name scores as a pair of strangers (SMITH, J and SMITH, JOHN:
// .26), and far above another first name.
const alike = 0.2

// Threshold returns the least probability that counts at this level for names of no origin in [easedStrict]. `go run ./bench/levels --derive 5` derives it from the
// fitting half alone.
func (l Level) Threshold() float64 {
	switch l {
	case Strict:
		return 0.89
	case Wide:
		return 0.0015
	case Any:
		return 0
	}
	return 0.056
}

// easedStrict is how much less strict asks of a watched name whose surname is of an origin for certain, in nats of log-odds. Many people of
// these origins share few surnames, so their names say less: without it strict would find fewer of their bookings than of all, by more
// than one in a hundred. `go run ./bench/levels --derive 5` derives it from the fitting half: as much as makes both shares equal.
var easedStrict = map[string]float64{"korean": 2, "vietnamese": 0.8}

// From returns the least probability that counts at this level for a watched name: the threshold, or less at strict where the surname
// is of an origin whose names say little. A surname is of an origin with a probability, and strict asks less by so much of it.
func (l Level) From(watched *Name) float64 {
	at := l.Threshold()
	if l != Strict {
		return at
	}
	origin, share := watched.Origin()
	if eased := easedStrict[origin]; eased > 0 {
		return 1 / (1 + (1-at)/at*math.Exp(eased*share))
	}
	return at
}

// Origin returns where the surname of a name is from, by the table of origins, and the share of those who have it that is from there.
// It is empty and 0 for most surnames.
func (n *Name) Origin() (origin string, share float64) {
	if n.Empty() {
		return "", 0
	}
	for _, w := range n.readings[0].surname[:n.readings[0].surs] {
		if o, s := known().Of(w.Origin); s > share {
			origin, share = o, s
		}
	}
	return origin, share
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

// ParseLevel reads a level's word, in any letter case; the empty one is normal. Its error names the words.
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
