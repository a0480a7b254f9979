// Package ingest turns what sources publish into records. A source is one YAML document, and every source, of
// whatever vendor, takes the same way: fetch -> archive -> decode -> split -> map -> normalise ->
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
	// Name of the source in commands, tables and answers: small letters, digits and hyphens, at most 63.
	ID string `yaml:"id" required:"true" example:"pinewood"`
	// Name of the source for people.
	Title string `yaml:"title" required:"true" example:"Pinewood jail list (Ware)"`
	// What the records are; it decides which fields there are.
	Kind string `yaml:"kind" required:"true" oneof:"roster courts corrections" example:"roster"`
	// The county of all rows, by any [spelling](sources-rules.md#counties); without it each row names its own, by the field
	// `county`, and each county is judged and held by itself.
	County string `yaml:"county" example:"ben-hill"`
	// What the source shows of the world.
	Publish Publish `yaml:"publish"`
	// How often the source is asked, and how often it has newer data.
	Schedule Timing `yaml:"schedule"`
	// Where the documents come from.
	Transport fetch.Spec `yaml:"transport"`
	// How a document is cut into records.
	Decode decode.Spec `yaml:"decode"`
	// Texts that mean "no value" in any field.
	Sentinels []string `yaml:"sentinels" example:"[N/A, 00/00/0000, Still Confined]"`
	// Which value of a record goes into which field; see [Fields](#fields).
	Fields mapping.Spec `yaml:"fields"`
	// What makes two rows the same booking, person or place.
	Identity mapping.Identity `yaml:"identity"`
	// What proves that a snapshot is complete, and which changes are too large to believe.
	Complete Complete `yaml:"complete"`
	// What happens when columns or keys change: `warn` reports it, `hold` also holds the source.
	Drift string `yaml:"drift" oneof:"warn hold" default:"warn" example:"hold"`
	// What is never taken from the source.
	Privacy mapping.Privacy `yaml:"privacy"`
	// What one run may cost; more ends the run as failed, or sends the row to quarantine.
	Limits Limits `yaml:"limits"`
}

// Publish says what the source shows of the world, and so what the absence of a record means.
type Publish struct {
	// Which records the source lists; see [What an absent record means](sources-rules.md#what-an-absent-record-means).
	Policy string `yaml:"policy" required:"true" oneof:"full_roster window releases delta lookup" example:"full_roster"`
	// What it means that a complete snapshot lacks a record; `released` needs policy `full_roster` or `window`.
	Absence string `yaml:"absence" required:"true" oneof:"released unknown nothing" example:"released"`
	// How many complete snapshots in a row must lack a record before that counts.
	Confirmations int `yaml:"confirmations" min:"0" absent:"1; 2 where absence means released and nothing proves the end of a snapshot" example:"2"`
	// How many days the list of policy `window` covers.
	WindowDays int `yaml:"window_days" min:"1" absent:"required with policy window" example:"7"`
	// Whether a `full_roster` goes on listing people who left lately, so that being listed does not mean being held.
	Left bool `yaml:"left" absent:"false" example:"true"`
	// What happens to a booking whose rows state neither a birth, an age nor a flag: `withhold` hides it until a row or another
	// source states an adult's birth or age, or an operator reviews it. It is meant for a roster that never states any.
	UnknownAge string `yaml:"unknown_age" oneof:"publish withhold" default:"publish" example:"withhold"`
}

// Timing says how often the source is asked. Without Every it is not: an operator reads it. How often it has
// newer data is known all the same where files are dropped, so that it is late when none comes.
type Timing struct {
	// How often the source is asked; without it an operator reads the source.
	Every time.Duration `yaml:"every" min:"0s" absent:"not asked" example:"30m"`
	// The longest random delay added to each request, so that sources are not asked at the same moment.
	Jitter time.Duration `yaml:"jitter" min:"0s" absent:"0s" example:"5m"`
	// How often the source has newer data, by its own stamps; the source is `late` after two of these and `down` after three.
	Data time.Duration `yaml:"data" min:"1s" absent:"24h for dropped files, 1h for http; unknown where files are brought by hand" example:"24h"`
}

// Complete says what proves that a snapshot is whole. Only then may absence be read.
type Complete struct {
	// Whether the declared number of rows (`decode.total`) must equal the rows read.
	Total bool `yaml:"total" absent:"false" example:"true"`
	// Whether every document must end with `decode.end_marker`.
	EndMarker bool `yaml:"end_marker" absent:"false" example:"true"`
	// The greatest share of rows that may be gone since the last complete snapshot; more holds the source.
	Shrink float64 `yaml:"shrink" min:"0" max:"1" default:"0.4" example:"0.3"`
	// The greatest share of keys that may be new, and of known keys that may be gone, within a day; 1 switches the guard off.
	Turnover float64 `yaml:"turnover" min:"0" max:"1" default:"0.5" example:"0.5"`
	// The greatest share of known people whose facts may change in one run; 1 switches the guard off.
	Rewrite float64 `yaml:"rewrite" min:"0" max:"1" default:"0.5" example:"0.5"`
	// The fewest rows of a complete snapshot.
	MinRows int `yaml:"min_rows" min:"0" absent:"1; none where the end is proven and an operator releases the empty list" example:"1"`
}

// proves reports whether a snapshot shows its end.
func (s *Source) proves() bool {
	return s.Complete.Total || s.Complete.EndMarker || s.Transport.Counts()
}

// unprovenConfirmations is how many snapshots that do not show their end must lack somebody: one may have been
// cut off where nobody can see it.
const unprovenConfirmations = 2

// Limits bound what one run may cost; zero values take defaults that fit any county.
type Limits struct {
	// Bytes of all documents of a run, unpacked.
	Bytes int64 `yaml:"bytes" min:"1" default:"4294967296" example:"1_073_741_824"`
	// Documents of a run.
	Pages int `yaml:"pages" min:"1" default:"2000" example:"500"`
	// Rows of a document.
	Rows int `yaml:"rows" min:"1" default:"20000000" example:"100_000"`
	// Bytes of a row.
	RowBytes int `yaml:"row_bytes" min:"1" default:"1048576" example:"65_536"`
	// Depth of nested values.
	Nesting int `yaml:"nesting" min:"1" default:"64" example:"32"`
	// Time of a whole fetch.
	Time time.Duration `yaml:"time" min:"1s" default:"15m" example:"30m"`
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

// defaults fills in what the document leaves out. Defaults that depend on other keys stand here, the others in the tags.
func (s *Source) defaults() {
	document.Defaults(s)
	if s.Publish.Confirmations == 0 {
		s.Publish.Confirmations = 1
		if s.Publish.Absence == "released" && !s.proves() {
			s.Publish.Confirmations = unprovenConfirmations
		}
	}
	if s.Schedule.Data == 0 && (s.Schedule.Every > 0 || s.Transport.Drops()) {
		s.Schedule.Data = time.Hour
		if s.Transport.Kind != "http" {
			s.Schedule.Data = 24 * time.Hour
		}
	}
}

// photographPause is the longest pause between requests with which photographs are asked for: a look for them takes 50 seconds, and
// has to wait for its turn at the host first.
const photographPause = 30 * time.Second

func (s *Source) check(problems *document.Problems) {
	document.Check("", s, problems)
	if s.ID != "" && !sourceID.MatchString(s.ID) {
		problems.Add("id", "%q is not an id such as my-county (small letters, digits, hyphens)", s.ID)
	}
	s.Privacy.Check(s.Kind, s.Fields, "privacy", problems)
	if s.Privacy.Taken() && s.Transport.Pause > photographPause {
		problems.Add("transport.pause", "is longer than %s, so photographs would never come: shorten it, or write privacy.photographs: none", photographPause)
	}
	if s.Publish.Absence == "released" && slices.Contains([]string{"releases", "delta", "lookup"}, s.Publish.Policy) {
		problems.Add("publish.absence", "a source of policy %s does not list everyone, so absence cannot mean released", s.Publish.Policy)
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
	if s.Publish.UnknownAge == withholdUnknown && s.Kind != "roster" {
		problems.Add("publish.unknown_age", "withhold is for kind roster")
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
	if s.Fields["release"] != nil && s.County == "" {
		problems.Add("county", "is missing: fields.release names bookings by their number alone, and two counties may use the same")
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
	return &mapping.Config{
		Kind: s.Kind, Fields: s.Fields, Identity: s.Identity, Sentinels: s.Sentinels, Columns: s.Decode.Paths(), Held: s.Publish.Policy == "full_roster" && !s.Publish.Left,
		Changes:         s.ReportsChanges(),
		Grouped:         s.Decode.Split.Groups(),
		WithholdUnknown: s.Publish.UnknownAge == withholdUnknown,
	}
}

// withholdUnknown is the value of publish.unknown_age that hides people of an age that nobody states.
const withholdUnknown = "withhold"

// unnumbered reports whether its booking keys are made of facts alone, without a number or place of the source.
func (s *Source) unnumbered() bool {
	given := func(of string) bool { return of == "booking.number" || of == "booking.locator" }
	return s.composite() && !slices.ContainsFunc(s.Identity.Booking, func(k mapping.Key) bool { return slices.ContainsFunc(k.Of, given) })
}

// composite reports whether its booking keys are made of facts, so that a correction makes another key.
func (s *Source) composite() bool {
	return len(s.Identity.Booking) > 0 && !slices.ContainsFunc(s.Identity.Booking, func(k mapping.Key) bool { return k.Strength != "composite" })
}

func (s *Source) decodeLimits() decode.Limits {
	return decode.Limits{Row: s.Limits.RowBytes, Rows: s.Limits.Rows, Nesting: s.Limits.Nesting}
}
