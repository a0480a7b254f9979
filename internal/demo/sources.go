package demo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rollcall/ingest"
	"rollcall/internal/simulator"
)

// prefix marks the sources of the demo, which must never be mixed with real ones.
const prefix = "demo-"

// has reports whether an id is that of a source of the demo.
func has(id string) bool { return strings.HasPrefix(id, prefix) }

// rosters are the simulator's jails whose vendor has a shipped source document.
func rosters() []simulator.Roster {
	shipped := ingest.Shipped()
	return slices.DeleteFunc(simulator.DefaultRosters(), func(r simulator.Roster) bool {
		return !slices.Contains(shipped, r.Shape)
	})
}

// sourceID returns the id of the source that reads a feed.
func sourceID(feed string) string { return prefix + strings.ReplaceAll(feed, "/", "-") }

// document returns the text of the shipped document of a feed's vendor, pointed at the simulator. The interval is the feed's,
// or a tenth of the pace if that is longer: asking more often would find nothing new.
func document(feed simulator.Feed, base string, pace time.Duration) (string, error) {
	shipped, err := ingest.Load(feed.Shape)
	if err != nil {
		return "", err
	}
	text, err := ingest.DocumentText(feed.Shape)
	if err != nil {
		return "", err
	}
	e, err := newEdit(text)
	if err != nil {
		return "", err
	}
	e.set("id", sourceID(feed.ID))
	vendor, _, _ := strings.Cut(shipped.Title, " (")
	if feed.County == "" {
		e.set("title", vendor)
	} else {
		e.set("title", fmt.Sprintf("%s, %s County", vendor, simulator.CountyName(feed.County)))
		e.set("county", feed.County)
	}
	every := max(feed.Interval, pace/10)
	e.set("schedule", map[string]string{"every": every.String(), "jitter": (every / 5).String(), "data": max(every, time.Second).String()})
	// The key-turnover guard is off: the demo's days last minutes, so most keys change between two runs.
	e.set("complete.turnover", 1)
	takePhotographs(e, feed.Shape)
	// Documents of the web have their host in a setting, and some have the county in another.
	if shipped.Transport.Kind == "http" {
		e.set("transport.settings.base", base+feed.Base)
		if _, named := shipped.Transport.Settings["county"]; named {
			e.set("transport.settings.county", feed.County)
		}
	} else { // the vendor's files, fetched instead of dropped
		e.set("transport.kind", "http")
		e.set("transport.steps", []map[string]any{{"url": base + feed.Path, "keep": true}})
		e.drop("transport.pattern")
		e.drop("transport.county")
	}
	e.set("transport.pause", "5ms") // the demo's sources are this machine
	return e.text()
}

// basis is why the demo takes photographs.
const basis = "The demo's people are invented, and so are their portraits: drawings of nobody"

// takePhotographs has a source take the photographs that its feed names. Two shipped documents map the field, because their vendors
// show photographs. The files of two others have a column for them in the demo alone.
func takePhotographs(e *edit, shape string) {
	switch shape {
	case simulator.ShapeZuercher, simulator.ShapeNewWorld:
	case simulator.ShapeCommonCSV:
		e.set("fields.booking.photograph", "other")
	case simulator.ShapeCorrections:
		e.set("decode.spans.photograph", "288,12")
		e.set("fields.offender.photograph", "photograph")
	default:
		return
	}
	e.set("privacy.photographs", basis)
}

// orderByKind puts corrections first, then rosters, then courts, so that links are found with the first
// booking.
func orderByKind(all []*ingest.Source) {
	rank := map[string]int{"corrections": 0, "roster": 1, "courts": 2}
	slices.SortStableFunc(all, func(a, b *ingest.Source) int { return cmp.Compare(rank[a.Kind], rank[b.Kind]) })
}
