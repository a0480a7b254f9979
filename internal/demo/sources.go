package demo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rollcall/ingest"
	"rollcall/ingest/fetch"
	"rollcall/internal/simulator"
)

// prefix marks the sources of the demo, which must never stand beside real ones.
const prefix = "demo-"

// rosters are the simulator's jails whose vendor has a shipped source document.
func rosters() []simulator.Roster {
	shipped := ingest.Shipped()
	return slices.DeleteFunc(simulator.DefaultRosters(), func(r simulator.Roster) bool {
		return !slices.Contains(shipped, r.Shape)
	})
}

// sourceID is the id of the source that reads a feed.
func sourceID(feed string) string { return prefix + strings.ReplaceAll(feed, "/", "-") }

// source is the shipped document of a feed's vendor, pointed at the simulator. Where something happens only once in a
// pace, it is read no more than ten times in one.
func source(feed simulator.Feed, base string, pace time.Duration) (*ingest.Source, error) {
	s, err := ingest.Load(feed.Shape)
	if err != nil {
		return nil, err
	}
	s.ID = sourceID(feed.ID)
	vendor, _, _ := strings.Cut(s.Title, " (")
	s.Title = vendor
	if feed.County != "" {
		s.Title = fmt.Sprintf("%s, %s County", vendor, simulator.CountyName(feed.County))
		s.County = feed.County
	}
	every := max(feed.Interval, pace/10)
	s.Schedule = ingest.Timing{Every: every, Jitter: every / 5}
	s.Complete.Turnover = 1 // its days last minutes
	if s.Transport.Kind == "http" {
		s.Transport.Settings["base"] = base + feed.Base
		if _, named := s.Transport.Settings["county"]; named {
			s.Transport.Settings["county"] = feed.County
		}
	} else { // the vendor's files, fetched instead of dropped
		s.Transport = fetch.Spec{Kind: "http", Observed: s.Transport.Observed, Steps: []fetch.Step{{URL: base + feed.Path, Keep: true}}}
	}
	s.Transport.Pause = 5 * time.Millisecond // the demo's sources are this machine
	return s, nil
}

// orderByKind puts corrections first, then rosters, then courts.
func orderByKind(all []*ingest.Source) {
	rank := map[string]int{"corrections": 0, "roster": 1, "courts": 2}
	slices.SortStableFunc(all, func(a, b *ingest.Source) int { return cmp.Compare(rank[a.Kind], rank[b.Kind]) })
}
