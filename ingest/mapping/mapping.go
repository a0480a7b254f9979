// Package mapping turns the raw records of a source into typed rows. It finds values by the paths of the
// source document, cuts and converts them by its steps (package step), brings them to one form and checks that
// they make sense. What does not is a Rejected row with field and reason, never a guess. A value that a row
// can do without is left out and counted instead (Mapper.Dropped).
//
// Package decode yields the records; package ingest calls Roster, Court or Corrections for each, by the kind
// of the source, and archives what is rejected. It is pure: no database, no network, no clock; the same
// record makes the same row.
//
// Addresses and social security numbers have no target field here, so they cannot get in; a number of that shape inside another
// text is masked. A photograph is only named: no row that is stored has it. It is not for deciding what a row means for a record, which
// package resolve does.
package mapping

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
	"rollcall/ingest/part"
	"rollcall/ingest/step"
)

// Spec is the `fields` part of a source document: entity, field, and where its value comes from.
type Spec map[string]*Entity

// Entity maps one kind of thing: a booking, a charge, a hearing.
type Entity struct {
	// When restricts it to records of this kind, in sources of several record kinds; empty is all.
	When string
	// Each says how the several things of one record are found; nil if a record holds one.
	Each *part.Each
	// Fields are by the name of the target field.
	Fields map[string]Field
}

// ReadNode reads an entity: the words `when` and `each`; all other keys are target fields.
func (e *Entity) ReadNode(path string, node *yaml.Node, problems *document.Problems) {
	e.Fields = map[string]Field{}
	document.Each(path, node, problems, func(key string, value *yaml.Node) {
		at := document.At(path, key)
		switch key {
		case "when":
			document.Value(at, value, &e.When, problems)
		case "each":
			document.Value(at, value, &e.Each, problems)
		default:
			var f Field
			document.Value(at, value, &f, problems)
			e.Fields[key] = f
		}
	})
}

// Field says where one value comes from. Written as a text it is a path; as a list, alternatives of which the
// first with a value counts.
type Field struct {
	ways []Way
}

// Way is one way to a value: paths, then steps, then what the result means. The sentences above its fields
// are printed in docs/sources-reference.md.
type Way struct {
	// Paths of the value, of which the first that is not blank counts; with `join`, all of them.
	From document.Texts `yaml:"from" example:"[Name, Inmate]"`
	// The text put between the values of `from`.
	Join *string `yaml:"join" example:"' '"`
	// The value itself, instead of `from`.
	Const string `yaml:"const" example:"superior"`
	// This way counts only when the value at this path is not blank.
	If string `yaml:"if" example:"tail"`
	// This way counts only when the value at this path is blank.
	Unless string `yaml:"unless" example:"tail"`
	// Transforms of the text, in their order; see [Steps of a field](#steps-of-a-field).
	Steps []step.Step `yaml:"steps" example:"[{before: T}, upper]"`
	// Dates and times: how the source writes them, in the form of Go's time package.
	Layouts document.Texts `yaml:"layouts" absent:"required for dates and times" example:"[01/02/2006 3:04PM, 01/02/2006]"`
	// What the source writes, in any letter case, and what it means; `''` is blank and `'*'` is any other text, which `county` does not
	// take. A field of free text keeps a text that is not listed; a field of a closed set has no value then, and the text is counted.
	Values map[string]string `yaml:"values" absent:"required for a closed set of words" example:"{F: Felony, M: Misdemeanor, '*': Other}"`
	// Texts that mean "no value" here, besides the source's `sentinels`.
	None document.Texts `yaml:"none" example:"[SEE JUDGE]"`
	// With `group` or `begin` of `decode.split`, the row of the record that the value is of: `first` or `last`, or of times `earliest` or `latest`; `every` is the latest time, or a yes, once every row states one.
	Row string `yaml:"row" absent:"first; released_at and released of a booking: every" oneof:"first last earliest latest every" example:"latest"`
	// Times: the text between several times; the latest counts, and none while one of them is missing.
	Latest string `yaml:"latest" example:"'|'"`
	// `keep` passes every blank to the steps; otherwise runs of blanks become one.
	Blanks string `yaml:"blanks" oneof:"keep" example:"keep"`
}

// FieldOf returns a field that stands at one path, as `field: path` in a document.
func FieldOf(path string) Field { return Field{ways: []Way{{From: document.Texts{path}}}} }

// ReadNode reads a path, one way, or a list of these.
func (f *Field) ReadNode(path string, node *yaml.Node, problems *document.Problems) {
	switch node.Kind {
	case yaml.ScalarNode:
		f.ways = []Way{{From: document.Texts{node.Value}}}
	case yaml.SequenceNode:
		for i, item := range node.Content {
			at := document.Index(path, i)
			if item.Kind == yaml.SequenceNode {
				problems.Add(at, "want a path or a map of keys, have a list (line %d)", item.Line)
				continue
			}
			var one Field
			document.Value(at, item, &one, problems)
			f.ways = append(f.ways, one.ways...)
		}
	default:
		var w Way
		document.Value(path, node, &w, problems)
		f.ways = []Way{w}
	}
}

// Paths lists every path that the mapping reads, those within nested records as they are written. Empty paths
// and repetitions are among them. Unknown keys of a page are found by comparing with it.
func (s Spec) Paths() (paths []string) {
	for _, e := range s {
		if e == nil {
			continue
		}
		paths = append(paths, e.Each.Paths()...)
		for _, f := range e.Fields {
			for i := range f.ways {
				paths = append(append(paths, f.ways[i].If, f.ways[i].Unless), f.ways[i].From...)
			}
		}
	}
	return paths
}

// Identity is the `identity` part of a source document. Keys are made of mapped fields ("booking.number"),
// after normalising, so that a change of spelling makes no other key.
type Identity struct {
	// Keys of a booking, of which the first counts whose parts are all known.
	Booking []Key `yaml:"booking"`
	// Keys of a person, written as those of `booking`.
	Person []Key `yaml:"person"`
	// Keys of the place where the source shows the booking, written as those of `booking`.
	Locator []Key `yaml:"locator"`
}

// Key is one way to make an identity.
type Key struct {
	// The mapped fields that make the key; never the time of the run.
	Of []string `yaml:"of" required:"true" example:"[booking.number]"`
	// `source` for a key of the source itself, `composite` for one made of facts.
	Strength string `yaml:"strength" required:"true" oneof:"source composite" example:"source"`
}

// Rejected is a row that cannot become a fact. It goes to quarantine, and exempts from absence the people it
// may speak of.
type Rejected struct {
	// Reason holds no personal data, so it may be logged and shown.
	Reason string
	// Field is like "booking.booked_at", or empty.
	Field string
	// Line is where the row stands in its document, from 1.
	Line int64
	// County is the county that the row states; 0 if that is not known.
	County int16
	// Raw may hold personal data: it is encrypted before it is stored.
	Raw string
	// Who is the name that the row states, as far as it could be read; empty if it is not known.
	Who string
	// Key is the booking key or offender id that it states, likewise.
	Key string
	// Child reports whether it speaks of a booking of somebody under 17, which hides the booking even so.
	Child bool
	// value is the text that did not fit, for the author of a source document only.
	value string
	// first reports whether that text is the subject of Reason.
	first bool
}

// String returns field and reason, without personal data.
func (r *Rejected) String() string {
	if r.Field == "" {
		return r.Reason
	}
	return r.Field + ": " + r.Reason
}

// InSample returns the sentence for the author of a source document, with the text that did not fit:
// `fields.booking.booked_at: layout "15:04" does not match "11:00PM" in sample row 3`. The line must be that
// of the row within the sample. Only the author of a document sees it, who has the sample.
func (r *Rejected) InSample() string {
	said := r.Reason
	switch {
	case r.value == "":
	case r.first:
		said = fmt.Sprintf("%q %s", r.value, said)
	default:
		said = fmt.Sprintf("%s %q", said, r.value)
	}
	switch {
	case strings.HasPrefix(r.Field, "identity."):
		said = r.Field + ": " + said
	case r.Field != "":
		said = "fields." + r.Field + ": " + said
	}
	return fmt.Sprintf("%s in sample row %d", said, r.Line)
}

// Text returns the text that did not fit; empty where there is none. Like InSample it is for the author of a source document
// only.
func (r *Rejected) Text() string { return r.value }

// Subject returns that text where the sentence begins with it, as with a word that is no county; else an empty one.
func (r *Rejected) Subject() string {
	if r.first {
		return r.value
	}
	return ""
}

// reject returns a Rejected for a field.
func reject(field, format string, args ...any) *Rejected {
	return &Rejected{Field: field, Reason: fmt.Sprintf(format, args...)}
}
