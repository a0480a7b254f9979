package mapping

import (
	"maps"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
	"rollcall/ingest/fingerprint"
	"rollcall/ingest/value"
	"rollcall/match"
	"rollcall/models"
)

// Config is what a Mapper is made of.
type Config struct {
	Kind      string // roster, courts, corrections
	Fields    Spec
	Identity  Identity
	Sentinels []string                              // texts that mean "no value" anywhere in the source
	County    int16                                 // of every row, 0: each row names its own
	Counties  func(name string) (id int16, ok bool) // by display name or slug
	Columns   map[string]bool                       // the columns that exist, nil: not known beforehand
	Held      bool                                  // of a roster: whoever it lists is held, unless the row says that he left
}

// Check notes every mistake of the mapping under the given paths.
func (c *Config) Check(problems *document.Problems) {
	c.Fields.check(c.Kind, "fields", c.Columns, problems)
	c.Identity.check(c.Fields, "identity", problems)
	c.Identity.checkRelease(c.Fields, "identity", problems)
	if c.Kind == "roster" && len(c.Identity.Booking) == 0 {
		problems.Add("identity.booking", "is missing: what makes two rows the same booking?")
	}
	entity := c.Fields[primary[c.Kind]]
	if c.Kind != "corrections" && c.County == 0 && entity != nil && !hasField(entity, "county") {
		problems.Add("county", "is missing; name one, or map fields.%s.county", primary[c.Kind])
	}
}

// Mapper maps records of one source. It is made for one run and not safe for concurrent use.
type Mapper struct {
	config Config
	// Prepared once a run.
	entities map[string]*entity
	// Parts of the keys of each identity.
	keys map[string][][]string
	// Ids by the spellings that the document allows.
	counties map[string]int16
	// Counts by field and text.
	unknown map[string]map[string]int
	// Counts by field and reason.
	dropped map[string]int
	// Reused from row to row.
	fingerprint fingerprint.Maker
	line        int64 // of the record being mapped
	rows        int   // mapped until now
	births      int   // of these, those that tell when the person was born
	obscure     int   // of these, those withheld for nothing but a birth date or age that can not be read
	// By path: rows in which it existed, of the paths that state who is a juvenile.
	signs map[string]int

	// Latest bounds the instant that a row may say it speaks of; zero: nothing does. A later one would make all
	// that follows older than what is known.
	Latest time.Time
	// Dropped, when set, is called with every value that was left out of its row.
	Dropped func(*Rejected)
}

type entity struct {
	// Kind of the records that hold it; empty: all do.
	when   string
	each   *Each
	fields map[string]*field
}

// New makes a Mapper. The configuration must have passed Check, but for layouts without a year: nothing is read
// by those.
func New(c Config) *Mapper {
	m := &Mapper{config: c, entities: map[string]*entity{}, keys: map[string][][]string{}, counties: map[string]int16{}, unknown: map[string]map[string]int{}, dropped: map[string]int{}}
	for name, e := range c.Fields {
		made := &entity{when: e.When, each: e.Each, fields: map[string]*field{}}
		for key, f := range e.Fields {
			made.fields[key] = f.ready(name+"."+key, targets[c.Kind][name][key], c.Sentinels)
		}
		m.entities[name] = made
	}
	m.signs = signsOf(m.entities)
	return m
}

// Unknown counts, by field, the texts that no value map knows. The texts are of closed sets (a
// status, a court type), so they hold no personal data; each is cut at 40 bytes.
func (m *Mapper) Unknown() map[string]map[string]int { return m.unknown }

// Omitted counts, by field and reason, the values that were left out of rows which are facts without them
// (a birth date that is none).
func (m *Mapper) Omitted() map[string]int { return m.dropped }

// noteUnknown counts a text that no value map has. At most 100 texts a field are told apart, so that a free text in
// place of a closed set cannot fill the report.
func (m *Mapper) noteUnknown(f *field, said string) {
	counts := m.unknown[f.name]
	if counts == nil {
		counts = map[string]int{}
		m.unknown[f.name] = counts
	}
	if len(said) > 40 {
		said = strings.ToValidUTF8(said[:40], "")
	}
	if _, known := counts[said]; known || len(counts) < 100 {
		counts[said]++
		return
	}
	counts["(others)"]++
}

// observed reads the instant that a row says it speaks of, where it says one.
func (m *Mapper) observed(f *field, rec decode.Fields, into *time.Time) *Rejected {
	at, ok, bad := f.moment(rec)
	switch {
	case bad != nil || !ok:
		return bad
	case !m.Latest.IsZero() && at.At.After(m.Latest):
		return reject(f.name, "lies in the future")
	}
	*into = at.At
	return nil
}

// county gives the county of a row.
func (m *Mapper) county(f *field, rec decode.Fields) (int16, *Rejected) {
	if m.config.County != 0 {
		return m.config.County, nil
	}
	name, bad := f.text(rec)
	if bad != nil {
		return 0, bad
	}
	if id, ok := m.counties[name]; ok {
		return id, nil
	}
	id, ok := m.config.Counties(name)
	if !ok {
		return 0, reject(primary[m.config.Kind]+".county", "is no county of Georgia")
	}
	m.counties[name] = id
	return id, nil
}

// enum gives what an enum field means; where it is not known, known is false and said the text.
func (m *Mapper) enum(f *field, rec decode.Fields) (means, said string, bad *Rejected) {
	v, bad := f.find(rec)
	if bad != nil {
		return "", "", bad
	}
	v.text = value.BlotSSN(v.text)
	if v.unknown {
		m.noteUnknown(f, v.text)
	}
	return v.means, v.text, nil
}

// name gives a person's name as reported: as a whole, or put together of its parts in the order
// `LAST, FIRST MIDDLE SUFFIX`.
func name(e *entity, whole string, rec decode.Fields) (string, *Rejected) {
	said, bad := e.fields[whole].text(rec)
	if bad != nil {
		return "", bad
	}
	if said == "" {
		var parts [4]string
		for i, key := range [...]string{"last", "first", "middle", "suffix"} {
			if parts[i], bad = e.fields[key].text(rec); bad != nil {
				return "", bad
			}
		}
		said = parts[0]
		if rest := value.Squeeze(strings.Join(parts[1:], " ")); rest != "" {
			said = strings.TrimPrefix(parts[0]+", "+rest, ", ")
		}
	}
	said = strings.Replace(said, " ,", ",", 1)
	if len(said) > 200 {
		return "", reject(whole, "is longer than 200 bytes")
	}
	if match.Fold(said) == "" {
		return "", reject(whole, "is missing")
	}
	return said, nil
}

// key makes an identity of the first keys whose parts are all known.
func key(keys []Key, part func(of string) string) string {
	for _, k := range keys {
		parts := make([]string, 0, len(k.Of))
		for _, of := range k.Of {
			p := part(of)
			if p == "" {
				break
			}
			parts = append(parts, p)
		}
		if len(parts) == len(k.Of) {
			return strings.Join(parts, "|")
		}
	}
	return ""
}

// juvenile tells why a person must not be published who was born on dob: under 17 at the time, or called so
// by the source itself.
func juvenile(stated bool, dob *models.Date, at time.Time) string {
	if stated || dob != nil && models.DateOf(at.In(models.Georgia)).In(time.UTC).Before(dob.In(time.UTC).AddDate(value.Adult, 0, 0)) {
		return withheldJuvenile
	}
	return ""
}

// Juvenile tells why a person born on dob must not be published: under 17 at the time at. Empty: nothing
// speaks against it.
func Juvenile(dob *models.Date, at time.Time) string { return juvenile(false, dob, at) }

// Reasons for withholding.
const (
	withheldJuvenile      = "juvenile"
	withheldMaybeJuvenile = "maybe juvenile"
)

// get gives a field of an entity that may not be mapped at all.
func (e *entity) get(name string) *field {
	if e == nil {
		return nil
	}
	return e.fields[name]
}

// Entities are the mapped entities, for reports.
func (m *Mapper) Entities() []string { return slices.Sorted(maps.Keys(m.entities)) }

// qualified puts the entity before the name of a field that does not have it yet.
func qualified(entity, field string) string {
	if strings.Contains(field, ".") {
		return field
	}
	return entity + "." + field
}
