// Package mapping turns the raw records of a feed into typed rows: it finds values by the paths of the
// source document, cuts and converts them by a closed list of steps, brings them to one form
// (normalise) and checks that they make sense (validate). What does not is a Rejected row with reason
// and field, never a guess. It is pure: no database, no network, no clock; the same record gives the
// same row. Addresses, social security numbers and images have no target field here, so they can not
// get in; a number of that shape inside another text is blotted out.
package mapping

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
)

// Spec is the `fields` part of a source document: entity -> field -> where its value comes from.
type Spec map[string]*Entity

// Entity maps one kind of thing (a booking, a charge, a hearing).
type Entity struct {
	When   string           // only from records of this kind (multi-record feeds)
	Each   *Each            // entities of which a record holds several: how they are found
	Fields map[string]Field // by target field
}

// ReadNode reads an entity: the words `when` and `each`, all other keys are target fields.
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

// Each says how the several things of one record are found. Exactly one way is given.
type Each struct {
	// Path of records nested in the record (json, xml, html; `rows` itself for those of `decode.split`).
	Rows string `yaml:"rows" example:"Charges"`
	// Lists in several columns, paired by their position.
	Parallel *Parallel `yaml:"parallel"`
	// One text, cut into pieces.
	Segments *Segments `yaml:"segments"`
	// Columns with a number in their names.
	Numbered *Numbered `yaml:"numbered"`
}

// Parallel are columns that hold lists joined by On, paired by position with the first of them. An
// empty element counts. A column that holds one element while the first holds more speaks of the
// whole record, not of the first thing.
type Parallel struct {
	// The text between two elements of a list.
	On string `yaml:"on" required:"true" example:"'|'"`
	// The columns; fields read the elements under these names.
	Columns []string `yaml:"columns" required:"true" example:"[charges, bonds]"`
}

// Segments cut the text of From at any of On; the piece is read under `text`, its clauses, cut at
// Clauses, under `1`, `2`, ...
type Segments struct {
	// Path of the text.
	From string `yaml:"from" required:"true" example:"Offenses"`
	// The texts between two pieces; fields read a piece as `text`.
	On document.Texts `yaml:"on" required:"true" example:"[';', '<br />']"`
	// The text between two clauses of a piece; fields read the clauses as `1`, `2` and so on.
	Clauses string `yaml:"clauses" example:"','"`
}

// Numbered are columns with a number in their names; `%` in a path stands for it.
type Numbered struct {
	// The columns, with `%` for the number; fields name them in the same way.
	Columns []string `yaml:"columns" required:"true" example:"[charge_%, bond_%]"`
	// The first number.
	From int `yaml:"from" min:"0" absent:"0" example:"1"`
	// The last number, at most 1,000 above the first.
	To int `yaml:"to" min:"0" absent:"0" example:"12"`
}

// Field says where one value comes from. Written as a text it is a path; as a list, alternatives of
// which the first that gives a value counts.
type Field struct {
	ways []Way
}

// Way is one way to a value.
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
	Steps []Step `yaml:"steps" example:"[{before: T}, upper]"`
	// Dates and times: how the source writes them, in the form of Go's time package.
	Layouts document.Texts `yaml:"layouts" absent:"required for dates and times" example:"[01/02/2006 3:04PM, 01/02/2006]"`
	// What the source writes and what it means; `''` is blank and `'*'` is any other text.
	Values map[string]string `yaml:"values" absent:"required for a closed set of words" example:"{F: Felony, M: Misdemeanor, '*': Other}"`
	// Texts that mean "no value" here, besides the source's `sentinels`.
	None document.Texts `yaml:"none" example:"[SEE JUDGE]"`
	// Times: the text between several times; the latest counts, and none while one of them is missing.
	Latest string `yaml:"latest" example:"'|'"`
	// `keep` passes every blank to the steps; otherwise runs of blanks become one.
	Blanks string `yaml:"blanks" oneof:"keep" example:"keep"`
}

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

// Paths lists every path that the mapping reads, those within nested records as they are written.
func (s Spec) Paths() (paths []string) {
	for _, e := range s {
		if e == nil {
			continue
		}
		if each := e.Each; each != nil {
			paths = append(paths, each.Rows)
			if each.Parallel != nil {
				paths = append(paths, each.Parallel.Columns...)
			}
			if each.Segments != nil {
				paths = append(paths, each.Segments.From)
			}
			if each.Numbered != nil {
				paths = append(paths, each.Numbered.Columns...)
			}
		}
		for _, f := range e.Fields {
			for i := range f.ways {
				paths = append(append(paths, f.ways[i].If, f.ways[i].Unless), f.ways[i].From...)
			}
		}
	}
	return paths
}

// Identity is the `identity` part of a source document. Keys are made of mapped fields
// ("booking.number"), so that a change of spelling does not make another key.
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

// Privacy is the `privacy` part of a source document.
type Privacy struct {
	// Photographs: `none` says in the document what holds anyway, as no field can hold an image.
	Photographs string `yaml:"photographs" example:"none"`
}

// Rejected is a row that can not become a fact.
type Rejected struct {
	Reason string // no personal data
	Field  string // "booking.booked_at", or empty
	// Where the row stands in its document, from 1.
	Line  int64
	Raw   string // may hold personal data: encrypt it before it rests
	Who   string // the name that the row tells, as far as it could be read; empty: nobody knows
	Key   string // the booking key or offender id that it tells, likewise
	Child bool   // it speaks of a booking of somebody under 17
	value string // the text that did not fit, for the author of a source document only
}

// String gives field and reason.
func (r *Rejected) String() string {
	if r.Field == "" {
		return r.Reason
	}
	return r.Field + ": " + r.Reason
}

// InSample is the sentence for the author of a source document, with the text that did not fit:
// `fields.booking.booked_at: layout "15:04" does not match "11:00PM" in sample row 3`. The line must be that of
// the row within the sample.
func (r *Rejected) InSample() string {
	said := r.Reason
	if r.value != "" {
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

// reject makes an error of a field.
func reject(field, format string, args ...any) *Rejected {
	return &Rejected{Field: field, Reason: fmt.Sprintf(format, args...)}
}
