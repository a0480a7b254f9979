// Package ingest brings feeds into the tables: a source is one YAML document, and every source, of
// whatever vendor, goes the same way: fetch -> archive -> decode -> split -> map -> normalise ->
// validate -> reconcile. Adding a county is adding a document (sources/<id>/source.yaml with samples
// and expectations), never Go code.
//
// The stages are packages of their own (fetch, decode, mapping, reconcile); this one holds the source
// document, the runner that takes a source through all stages, and its report. SQL lives in models.
package ingest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
	"rollcall/ingest/fetch"
	"rollcall/ingest/mapping"
)

// Source is a source document.
type Source struct {
	ID        string           `yaml:"id"`
	Title     string           `yaml:"title"`
	Kind      string           `yaml:"kind"`   // roster, courts, corrections
	County    string           `yaml:"county"` // slug; empty: each row names its own
	Publish   Publish          `yaml:"publish"`
	Schedule  Timing           `yaml:"schedule"`
	Transport fetch.Spec       `yaml:"transport"`
	Decode    decode.Spec      `yaml:"decode"`
	Sentinels []string         `yaml:"sentinels"` // texts that mean "no value" in any field
	Fields    mapping.Spec     `yaml:"fields"`
	Identity  mapping.Identity `yaml:"identity"`
	Complete  Complete         `yaml:"complete"`
	Drift     string           `yaml:"drift"` // unknown or moved columns: warn (default) or hold
	Privacy   mapping.Privacy  `yaml:"privacy"`
	Limits    Limits           `yaml:"limits"`
}

// Publish says what the source shows of the world, and so what the absence of a record means.
type Publish struct {
	Policy        string `yaml:"policy"`        // full_roster, window, releases, delta, lookup
	Absence       string `yaml:"absence"`       // released, unknown, nothing
	Confirmations int    `yaml:"confirmations"` // complete snapshots in a row that must lack a record, default 1, without a proof in `complete` 2
	WindowDays    int    `yaml:"window_days"`   // of policy window
	Left          bool   `yaml:"left"`          // of policy full_roster: it goes on listing those who left it lately, so that to be listed is not to be held
}

// Timing says how often the source is asked. Without Every it is not: an operator reads it. How often it has
// newer data is known all the same where files are dropped, so that it is late when none comes.
type Timing struct {
	Every  time.Duration `yaml:"every"`
	Jitter time.Duration `yaml:"jitter"`
	Data   time.Duration `yaml:"data"` // how often it has newer data, by its own stamps; default a day for files, an hour else, never less than Every; zero: nobody knows, its files are brought by hand
}

// Complete says what proves that a snapshot is whole. Only then may absence be read.
type Complete struct {
	Total     bool    `yaml:"total"`      // the declared total equals the rows
	EndMarker bool    `yaml:"end_marker"` // the decoder's end marker was seen
	Shrink    float64 `yaml:"shrink"`     // the greatest share of rows that may be gone since the last one, default 0.4
	Turnover  float64 `yaml:"turnover"`   // the greatest share that may come and go at once within a day, default 0.5; 1: all of it
	Rewrite   float64 `yaml:"rewrite"`    // the greatest share of the known whose charges, bond or other facts may change at once, default 0.5; 1: all of it
	MinRows   int     `yaml:"min_rows"`   // so many rows at least; 0: one, or none where that is proven and an operator says so
}

// proves tells whether a snapshot shows its end.
func (s *Source) proves() bool {
	return s.Complete.Total || s.Complete.EndMarker || s.Transport.Counts()
}

// unprovenConfirmations is how many snapshots that do not show their end must lack somebody: one may have been
// cut off where nobody can see it.
const unprovenConfirmations = 2

// Limits bound what one run may cost; zero values take defaults that fit any county.
type Limits struct {
	Bytes    int64         `yaml:"bytes"`     // of all documents, unpacked; default 4 GiB
	Pages    int           `yaml:"pages"`     // default 2,000
	Rows     int           `yaml:"rows"`      // default 20 million
	RowBytes int           `yaml:"row_bytes"` // default 1 MiB
	Nesting  int           `yaml:"nesting"`   // default 64
	Time     time.Duration `yaml:"time"`      // of a whole fetch; default 15 minutes
}

var sourceID = regexp.MustCompile(`^[a-z][a-z0-9-]{1,62}$`)

// Parse reads and checks a source document. The error is document.Problems, each with its path, when
// the text is YAML at all.
func Parse(data []byte) (*Source, error) {
	d, err := draft(data)
	if err != nil {
		return nil, err
	}
	if err := d.Mistakes.Err(); err != nil {
		return nil, err
	}
	return d.Source, nil
}

func (s *Source) defaults() {
	if s.Publish.Confirmations == 0 {
		s.Publish.Confirmations = 1
		if s.Publish.Absence == "released" && !s.proves() {
			s.Publish.Confirmations = unprovenConfirmations
		}
	}
	if s.Complete.Shrink == 0 {
		s.Complete.Shrink = 0.4
	}
	if s.Complete.Rewrite == 0 {
		s.Complete.Rewrite = 0.5
	}
	if s.Complete.Turnover == 0 {
		s.Complete.Turnover = 0.5
	}
	if s.Limits.Bytes == 0 {
		s.Limits.Bytes = 4 << 30
	}
	if s.Limits.Pages == 0 {
		s.Limits.Pages = 2000
	}
	if s.Limits.Time == 0 {
		s.Limits.Time = 15 * time.Minute
	}
	if s.Schedule.Data == 0 && (s.Schedule.Every > 0 || s.Transport.Drops()) {
		s.Schedule.Data = time.Hour
		if s.Transport.Kind != "http" {
			s.Schedule.Data = 24 * time.Hour
		}
	}
	if s.Drift == "" {
		s.Drift = "warn"
	}
}

func (s *Source) check(problems *document.Problems) {
	oneOf := func(path, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			problems.Add(path, "%q is none of %q", value, allowed)
		}
	}
	if !sourceID.MatchString(s.ID) {
		problems.Add("id", "%q is no id such as my-county (small letters, digits, hyphens)", s.ID)
	}
	if s.Title == "" {
		problems.Add("title", "is missing")
	}
	oneOf("kind", s.Kind, "roster", "courts", "corrections")
	oneOf("publish.policy", s.Publish.Policy, "full_roster", "window", "releases", "delta", "lookup")
	oneOf("publish.absence", s.Publish.Absence, "released", "unknown", "nothing")
	oneOf("drift", s.Drift, "warn", "hold")
	if s.Privacy.Photographs != "" && s.Privacy.Photographs != "none" {
		problems.Add("privacy.photographs", "%q: photographs of feeds are never kept, so there is nothing to allow; leave it out, or write none", s.Privacy.Photographs)
	}
	if s.Publish.Absence == "released" && slices.Contains([]string{"releases", "delta", "lookup"}, s.Publish.Policy) {
		problems.Add("publish.absence", "a source of policy %s does not list everyone, so absence can not mean released", s.Publish.Policy)
	}
	if s.Publish.Absence == "released" && !s.proves() && s.Publish.Confirmations < unprovenConfirmations {
		problems.Add("publish.confirmations", "nothing in a snapshot shows that it is whole: give complete.total or complete.end_marker, or confirmations: %d", unprovenConfirmations)
	}
	if s.Publish.Policy == "window" && s.Publish.WindowDays < 1 {
		problems.Add("publish.window_days", "is needed for policy window")
	}
	if s.Publish.Left && s.Publish.Policy != "full_roster" {
		problems.Add("publish.left", "is for policy full_roster: other policies list who left anyway")
	}
	if data := s.Schedule.Data; data != 0 && data < time.Second {
		problems.Add("schedule.data", "is shorter than a second")
	}
	if s.Complete.Shrink < 0 || s.Complete.Shrink > 1 {
		problems.Add("complete.shrink", "is a share between 0 and 1")
	}
	if s.Complete.Rewrite < 0 || s.Complete.Rewrite > 1 {
		problems.Add("complete.rewrite", "is a share between 0 and 1")
	}
	if s.Complete.Turnover < 0 || s.Complete.Turnover > 1 {
		problems.Add("complete.turnover", "is a share between 0 and 1")
	}
	if s.Complete.Total && s.Decode.Total == "" {
		problems.Add("complete.total", "needs decode.total, the place of the declared number")
	}
	if s.Complete.EndMarker && s.Decode.EndMarker == "" {
		problems.Add("complete.end_marker", "needs decode.end_marker")
	}
	s.Transport.Check("transport", problems)
	s.Decode.Check("decode", problems)
	if _, known := map[string]bool{"roster": true, "courts": true, "corrections": true}[s.Kind]; !known {
		return
	}
	config := s.mapping()
	if s.County != "" {
		config.County = -1 // which one is known with the database only
	}
	config.Check(problems)
	s.checkKinds(problems)
}

// checkKinds notes record kinds that are mapped but not decoded.
func (s *Source) checkKinds(problems *document.Problems) {
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		when := s.Fields[name].When
		if _, known := s.Decode.Kinds[when]; when != "" && !known {
			problems.Add(fmt.Sprintf("fields.%s.when", name), "there is no record kind %q%s", when, document.Suggest(when, slices.Sorted(maps.Keys(s.Decode.Kinds))))
		}
	}
}

func (s *Source) mapping() *mapping.Config {
	return &mapping.Config{Kind: s.Kind, Fields: s.Fields, Identity: s.Identity, Sentinels: s.Sentinels, Columns: s.Decode.Paths(), Held: s.Publish.Policy == "full_roster" && !s.Publish.Left}
}

// unnumbered tells whether its booking keys are made of facts alone, without a number or place that the source gives.
func (s *Source) unnumbered() bool {
	given := func(of string) bool { return of == "booking.number" || of == "booking.locator" }
	return s.composite() && !slices.ContainsFunc(s.Identity.Booking, func(k mapping.Key) bool { return slices.ContainsFunc(k.Of, given) })
}

// composite tells whether its booking keys are made of facts, so that a correction makes another key.
func (s *Source) composite() bool {
	return len(s.Identity.Booking) > 0 && !slices.ContainsFunc(s.Identity.Booking, func(k mapping.Key) bool { return k.Strength != "composite" })
}

func (s *Source) decodeLimits() decode.Limits {
	return decode.Limits{Row: s.Limits.RowBytes, Rows: s.Limits.Rows, Nesting: s.Limits.Nesting}
}
