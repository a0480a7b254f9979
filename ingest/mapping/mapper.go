package mapping

import (
	"maps"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/clean"
	"rollcall/ingest/decode"
	"rollcall/ingest/document"
	"rollcall/ingest/fingerprint"
	"rollcall/ingest/part"
	"rollcall/ingest/value"
	"rollcall/internal/ssn"
	"rollcall/match"
	"rollcall/models"
)

// Config is what a Mapper is made of: the parts of a source document that say what its columns mean.
type Config struct {
	// Kind is roster, courts or corrections.
	Kind string
	// Fields say which text is which field, and Identity which fields make a key.
	Fields   Spec
	Identity Identity
	// Sentinels are texts that mean "no value" anywhere in the source.
	Sentinels []string
	// County is the county of every row; 0 if each row names its own. A row that names another one is rejected.
	County int16
	// Counties finds counties by their spellings.
	Counties *models.Counties
	// Columns are the columns that exist, to find misspelled paths; nil if they are not known before a
	// document is read.
	Columns map[string]bool
	// Held is true of a roster that lists only people who are in jail, unless the row says that the person
	// left.
	Held bool
	// Changes is true of a roster that reports only what changed, or who left: what a row leaves blank it says nothing of.
	Changes bool
	// Grouped is true of documents whose records are made of several rows (decode.split).
	Grouped bool
	// WithholdUnknown withholds bookings whose row says nothing of an age.
	WithholdUnknown bool
}

// Check notes every mistake of the mapping in problems, each under its path in the document.
func (c *Config) Check(problems *document.Problems) {
	c.Fields.check(c.Kind, "fields", c.Columns, problems)
	c.Fields.checkRows(c.Kind, "fields", c.Grouped, problems)
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

// Mapper maps records of one source. It is made for one run and not safe for concurrent use: it counts what
// it sees.
type Mapper struct {
	config Config
	// entities are prepared once a run.
	entities map[string]*entity
	// keys are the parts of the keys of each identity.
	keys map[string][][]string
	// counties are ids by the spellings that were met, so that each is looked up once.
	counties map[string]int16
	// unknown counts by field and text.
	unknown map[string]map[string]int
	// dropped counts by field and reason.
	dropped map[string]int
	// fingerprint is reused from row to row.
	fingerprint fingerprint.Maker
	// line is that of the record being mapped.
	line int64
	// photographs says that rows name their photographs (ReadPhotographs).
	photographs bool
	// rows are those mapped until now.
	rows int
	// people are those of the rows that can state who somebody is.
	people int
	// births are those of the rows that say when the person was born.
	births int
	// flags are those of the rows whose own flag says whether the person is a juvenile.
	flags int
	// obscure are those of the rows that are withheld only for an unreadable birth date or age.
	obscure int
	// signs counts, by path that states who is a juvenile, the rows in which it existed.
	signs map[string]int

	// Latest bounds the instant that a row may say it speaks of; zero: nothing does. A later one would make all
	// that follows older than what is known.
	Latest time.Time
	// Within is the county of which the name of the file says that all of its rows are; 0: it says nothing. A row that names
	// another one is rejected.
	Within int16
	// Dropped, when set, is called with every value that was left out of its row.
	Dropped func(*Rejected)
}

// entity is an Entity made ready.
type entity struct {
	// when is the kind of the records that hold it; empty if all do.
	when   string
	each   *part.Each
	fields map[string]*field
}

// New returns a Mapper. The configuration must have passed Check. A layout without a year, which Check
// refuses, reads nothing.
func New(c Config) *Mapper {
	m := &Mapper{
		config: c, entities: map[string]*entity{}, keys: map[string][][]string{}, counties: map[string]int16{},
		unknown: map[string]map[string]int{}, dropped: map[string]int{},
	}
	for name, e := range c.Fields {
		made := &entity{when: e.When, each: e.Each, fields: map[string]*field{}}
		for key, f := range e.Fields {
			made.fields[key] = f.ready(name+"."+key, targets[c.Kind][name][key], c.Sentinels)
			made.fields[key].row = c.row(name, key, f)
		}
		m.entities[name] = made
	}
	m.signs = signsOf(m.entities)
	return m
}

// Unknown counts, by field, the texts that no value map knows. The texts are of closed sets (a status, a
// court type), so they hold no personal data; each is cut at 40 bytes.
func (m *Mapper) Unknown() map[string]map[string]int { return m.unknown }

// Omitted counts, by field and reason, the values that were left out of rows which are facts without them,
// such as an impossible birth date.
func (m *Mapper) Omitted() map[string]int { return m.dropped }

// noteUnknown counts a text that no value map has. At most 100 texts a field are counted apart, so that a
// free text in place of a closed set cannot fill the report.
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

// observed reads the instant that a row says it speaks of, if it says one. One after Latest rejects the row.
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

// enum returns what an enum field means, and the text that the source wrote. An unknown text means nothing
// and is counted; the caller decides what stands in for it.
func (m *Mapper) enum(f *field, rec decode.Fields) (means, said string, bad *Rejected) {
	v, bad := f.find(rec)
	if bad != nil {
		return "", "", bad
	}
	v.text = ssn.Blot(v.text)
	if v.unknown {
		m.noteUnknown(f, v.text)
	}
	return v.means, v.text, nil
}

// name returns a person's name as reported: as a whole, or put together of its parts in the order `LAST,
// FIRST MIDDLE SUFFIX`. A row without a name, or with one that folds to nothing, is rejected.
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
		if e.fields["last"] != nil && parts[0] == "" && parts[1] != "" {
			return "", reject("last", "is missing") // who has one name has it there; half a name is no news of anybody
		}
		said = parts[0]
		if rest := value.Squeeze(strings.Join(parts[1:], " ")); rest != "" {
			said = strings.TrimPrefix(parts[0]+", "+rest, ", ")
		}
	}
	// "SMITH , JOHN" and "SMITH, JOHN" are one name to readers, and one key where names make keys.
	said = strings.Replace(said, " ,", ",", 1)
	if len(said) > 200 {
		return "", reject(whole, "is longer than 200 bytes")
	}
	if match.Fold(said) == "" {
		return "", reject(whole, "is missing")
	}
	return said, nil
}

// dirty rejects a row of which a text cannot be stored; nil for nil. The fields are checked as they are read, so this is the
// second look that no text escapes.
func dirty(bad *clean.Bad) *Rejected {
	if bad == nil {
		return nil
	}
	return &Rejected{Field: bad.Field, Reason: bad.Reason}
}

// key makes an identity of the first keys whose parts are all known; empty if there is none. The parts are
// joined by a bar.
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

// juvenile returns why a person must not be published who was born on dob: under 17 at the time, or called a
// juvenile by the source itself. It is the certain part of birth.withheld.
func juvenile(stated bool, dob *models.Date, at time.Time) models.WithheldReason {
	if stated || dob != nil && models.DateOf(at.In(models.Georgia)).In(time.UTC).Before(dob.In(time.UTC).AddDate(value.Adult, 0, 0)) {
		return models.WithheldJuvenile
	}
	return ""
}

// Juvenile returns why a person born on dob must not be published: under 17 at the time at. It is empty if
// nothing speaks against it, also for a nil dob.
func Juvenile(dob *models.Date, at time.Time) models.WithheldReason { return juvenile(false, dob, at) }

// get returns a field of an entity, nil if either is not mapped.
func (e *entity) get(name string) *field {
	if e == nil {
		return nil
	}
	return e.fields[name]
}

// Entities are the names of the mapped entities, sorted, for reports.
func (m *Mapper) Entities() []string { return slices.Sorted(maps.Keys(m.entities)) }

// qualified puts the entity before the name of a field that does not have it yet.
func qualified(entity, field string) string {
	if strings.Contains(field, ".") {
		return field
	}
	return entity + "." + field
}
