package simulator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Options choose the world that is founded and its speed. Every field but Now has a default, its zero value.
type Options struct {
	// Seed chooses the world. The same seed, Founded, People and Rosters give the same world.
	Seed uint64
	// Now is the clock. It must be set.
	Now func() time.Time
	// Founded is when the world begins; by default the first session's start.
	Founded time.Time
	// People is how many there are, free or not; 6000 by default, 200 to 200000.
	People int
	// Pace is the mean time between two happenings; 3 s by default, 10 ms at least. Still stops the world.
	Pace time.Duration
	// Still keeps everything as it was founded, for tests of shapes.
	Still bool
	// Rosters are the jails and their vendors, at most one for each county; DefaultRosters by default.
	Rosters []Roster
	// Resume continues an earlier world. Its seed, people and rosters replace those given here.
	Resume *State
	// Chaos makes feeds misbehave, by Feed.ID; SetChaos changes it later.
	Chaos Chaos
}

// Roster is one county's jail and the vendor shape in which it publishes.
type Roster struct {
	// County is the slug, such as `ben-hill`.
	County string `json:"county"`
	// Shape is one of the Shape constants of jails.
	Shape string `json:"shape"`
}

// The vendor shapes of jails. The comment behind each is the shape's label in the list of real sources.
const (
	ShapeCommonCSV = "common-csv" // F1
	ShapeZuercher  = "zuercher"   // F3
	ShapeCitizen   = "citizen"    // F7, Police-to-Citizen
	ShapeNewWorld  = "new-world"  // F9
	ShapeEagle     = "eagle"      // F11
	ShapeConnect   = "connect"    // F12, Citizen Connect
	ShapeDocket    = "docket"     // F14
	ShapeRosterXML = "roster-xml" // F19
)

// The shapes that serve the whole state rather than one jail.
const (
	ShapeCourtDelta  = "court-delta"       // F22
	ShapeCorrections = "corrections-fixed" // F23
)

const (
	defaultPeople = 6000
	defaultPace   = 3 * time.Second
)

// DefaultRosters are twelve counties over eight vendors.
func DefaultRosters() []Roster {
	return []Roster{
		{"bartow", ShapeZuercher},
		{"bulloch", ShapeZuercher},
		{"coffee", ShapeZuercher},
		{"toombs", ShapeZuercher},
		{"dougherty", ShapeCommonCSV},
		{"glynn", ShapeCommonCSV},
		{"hall", ShapeCitizen},
		{"houston", ShapeNewWorld},
		{"laurens", ShapeEagle},
		{"lowndes", ShapeConnect},
		{"floyd", ShapeDocket},
		{"ben-hill", ShapeRosterXML},
	}
}

// settle fills in the defaults and checks the rest.
func (o Options) settle() (Options, error) {
	if o.Now == nil {
		return o, errors.New("simulator options: a clock is needed")
	}
	if o.Resume != nil {
		o.Seed, o.People, o.Founded = o.Resume.Seed, o.Resume.People, o.Resume.Founded
		o.Rosters = slices.Clone(o.Resume.Rosters)
	}
	if o.People == 0 {
		o.People = defaultPeople
	}
	if o.Pace == 0 {
		o.Pace = defaultPace
	}
	if len(o.Rosters) == 0 {
		o.Rosters = DefaultRosters()
	}
	if o.Founded.IsZero() {
		o.Founded = o.Now().Truncate(time.Second)
	}
	if o.People < 200 || o.People > 200_000 {
		return o, fmt.Errorf("simulator options: %d people is outside 200 to 200000", o.People)
	}
	if o.Pace < 10*time.Millisecond {
		return o, fmt.Errorf("simulator options: a pace of %s is under 10ms", o.Pace)
	}
	seen := map[string]bool{}
	for _, roster := range o.Rosters {
		if _, ok := jailShapes[roster.Shape]; !ok {
			return o, fmt.Errorf("simulator options: county %s has the unknown shape %q", roster.County, roster.Shape)
		}
		if roster.County == "" || strings.Trim(roster.County, "abcdefghijklmnopqrstuvwxyz-") != "" {
			return o, fmt.Errorf("simulator options: %q is no county slug", roster.County)
		}
		if seen[roster.County] {
			return o, fmt.Errorf("simulator options: county %s has two jails", roster.County)
		}
		seen[roster.County] = true
	}
	return o, nil
}

// CountyName is the display name of a slug: `ben-hill` is `Ben Hill`.
func CountyName(slug string) string {
	switch slug {
	case "dekalb":
		return "DeKalb"
	case "mcduffie":
		return "McDuffie"
	case "mcintosh":
		return "McIntosh"
	}
	words := strings.Split(slug, "-")
	for i, word := range words {
		if word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, " ")
}
