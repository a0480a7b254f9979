package demo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rollcall/ingest"
	"rollcall/ingest/decode"
	"rollcall/ingest/fetch"
	"rollcall/ingest/mapping"
	"rollcall/internal/simulator"
)

// prefix marks the sources of the demo, which must never be mixed with real ones.
const prefix = "demo-"

// Has reports whether an id is that of a source of the demo.
func Has(id string) bool { return strings.HasPrefix(id, prefix) }

// rosters are the simulator's jails whose vendor has a shipped source document.
func rosters() []simulator.Roster {
	shipped := ingest.Shipped()
	return slices.DeleteFunc(simulator.DefaultRosters(), func(r simulator.Roster) bool {
		return !slices.Contains(shipped, r.Shape)
	})
}

// sourceID returns the id of the source that reads a feed.
func sourceID(feed string) string { return prefix + strings.ReplaceAll(feed, "/", "-") }

// document returns the shipped document of a feed's vendor, pointed at the simulator. The interval is the feed's,
// or a tenth of the pace if that is longer: asking more often would find nothing new.
func document(feed simulator.Feed, base string, pace time.Duration) (*ingest.Source, error) {
	s, err := ingest.Load(feed.Shape)
	if err != nil {
		return nil, err
	}
	// The document is a copy of its own: several feeds share one vendor.
	s.ID = sourceID(feed.ID)
	vendor, _, _ := strings.Cut(s.Title, " (")
	s.Title = vendor
	if feed.County != "" {
		s.Title = fmt.Sprintf("%s, %s County", vendor, simulator.CountyName(feed.County))
		s.County = feed.County
	}
	every := max(feed.Interval, pace/10)
	s.Schedule = ingest.Timing{Every: every, Jitter: every / 5}
	// The key-turnover guard is off: the demo's days last minutes, so most keys change between two runs.
	s.Complete.Turnover = 1 // its days last minutes
	takePhotographs(s, feed.Shape)
	// Documents of the web have their host in a setting, and some have the county in another.
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

// basis is why the demo takes photographs.
const basis = "The demo's people are invented, and so are their portraits: drawings of nobody"

// takePhotographs has a source take the photographs that its feed names. Two shipped documents map the field, because their vendors
// show photographs. The files of two others have a column for them in the demo alone.
func takePhotographs(s *ingest.Source, shape string) {
	switch shape {
	case simulator.ShapeZuercher, simulator.ShapeNewWorld:
	case simulator.ShapeCommonCSV:
		s.Fields["booking"].Fields["photograph"] = mapping.FieldOf("other")
	case simulator.ShapeCorrections:
		s.Decode.Spans["photograph"] = decode.Span{Start: 288, Length: 12}
		s.Fields["offender"].Fields["photograph"] = mapping.FieldOf("photograph")
	default:
		return
	}
	s.Privacy.Photographs = basis
}

// orderByKind puts corrections first, then rosters, then courts, so that links are found with the first
// booking.
func orderByKind(all []*ingest.Source) {
	rank := map[string]int{"corrections": 0, "roster": 1, "courts": 2}
	slices.SortStableFunc(all, func(a, b *ingest.Source) int { return cmp.Compare(rank[a.Kind], rank[b.Kind]) })
}
