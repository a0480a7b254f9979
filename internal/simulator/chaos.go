package simulator

import (
	"fmt"
	"slices"
	"time"
)

// Fault is a way in which a source misbehaves. All of them answer with status 200.
type Fault string

// The faults.
const (
	// Truncated cuts every answer after three fifths of its bytes.
	Truncated Fault = "truncated-page"
	// Captcha answers with a page that wants a human being.
	Captcha Fault = "captcha-page"
	// Layout renames and reorders columns, members and headings.
	Layout Fault = "layout-change"
	// Duplicated repeats the first page for every later one.
	Duplicated Fault = "duplicated-pages"
	// Late answers with what was true LateBy ago.
	Late Fault = "late-snapshot"
	// ErrorAs200 answers with the vendor's error message as if all were well.
	ErrorAs200 Fault = "error-as-200"
	// Shifting lets rows move between pages while a reader turns them; otherwise a reader who starts at the first page
	// sees one snapshot.
	Shifting Fault = "shifting-pages"
)

// LateBy is how old a late snapshot is.
const LateBy = 10 * time.Minute

// Faults lists all faults.
func Faults() []Fault {
	return []Fault{Truncated, Captcha, Layout, Duplicated, Late, ErrorAs200, Shifting}
}

// Chaos has the faults of each feed that misbehaves, by Feed.ID.
type Chaos map[string][]Fault

// SomeChaos spreads the first six faults over six feeds, so that every fault shows: pages are duplicated only where
// there are pages. The other feeds stay well.
func SomeChaos(feeds []Feed) Chaos {
	chaos := Chaos{}
	wanted := []struct {
		fault Fault
		shape string
	}{
		{Duplicated, ShapeConnect},
		{Truncated, ShapeNewWorld},
		{Captcha, ShapeEagle},
		{Layout, ShapeDocket},
		{Late, ShapeCommonCSV},
		{ErrorAs200, ShapeCitizen},
	}
	for _, want := range wanted {
		at := slices.IndexFunc(feeds, func(f Feed) bool { return f.Shape == want.shape && chaos[f.ID] == nil })
		if at >= 0 {
			chaos[feeds[at].ID] = []Fault{want.fault}
		}
	}
	return chaos
}

// SetChaos replaces all faults; nil heals every feed. The error names an unknown feed or fault.
func (s *Simulator) SetChaos(chaos Chaos) error {
	next := Chaos{}
	for id, faults := range chaos {
		if !slices.ContainsFunc(s.feeds, func(f Feed) bool { return f.ID == id }) {
			return fmt.Errorf("simulator chaos: no source %q", id)
		}
		for _, fault := range faults {
			if !slices.Contains(Faults(), fault) {
				return fmt.Errorf("simulator chaos: no fault %q", fault)
			}
		}
		next[id] = slices.Clone(faults)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chaos = next
	return nil
}
