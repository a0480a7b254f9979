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
	Rows     string    `yaml:"rows"`     // nested records at a path
	Parallel *Parallel `yaml:"parallel"` // lists in several columns, paired by position
	Segments *Segments `yaml:"segments"` // one text, cut in pieces
	Numbered *Numbered `yaml:"numbered"` // charge_1, charge_2, ...
}

// Parallel are columns that hold lists joined by On, paired by position with the first of them. An
// empty element counts. A column that holds one element while the first holds more speaks of the
// whole record, not of the first thing.
type Parallel struct {
	On      string   `yaml:"on"`
	Columns []string `yaml:"columns"`
}

// Segments cut the text of From at any of On; the piece is read under `text`, its clauses, cut at
// Clauses, under `1`, `2`, ...
type Segments struct {
	From    string         `yaml:"from"`
	On      document.Texts `yaml:"on"`
	Clauses string         `yaml:"clauses"`
}

// Numbered are columns with a number in their names; `%` in a path stands for it.
type Numbered struct {
	Columns []string `yaml:"columns"`
	From    int      `yaml:"from"`
	To      int      `yaml:"to"`
}

// Field says where one value comes from. Written as a text it is a path; as a list, alternatives of
// which the first that gives a value counts.
type Field struct {
	ways []Way
}

// Way is one way to a value.
type Way struct {
	From    document.Texts    `yaml:"from"`    // paths; the first that is not blank, or all with Join
	Join    *string           `yaml:"join"`    // put between the values of From
	Const   string            `yaml:"const"`   // the value itself
	If      string            `yaml:"if"`      // this way only when the value at this path is not blank
	Unless  string            `yaml:"unless"`  // this way only when it is
	Steps   []Step            `yaml:"steps"`   // applied in order
	Layouts document.Texts    `yaml:"layouts"` // of dates and times, in the form of Go's time package
	Values  map[string]string `yaml:"values"`  // what the source writes -> what it means; "" blank, "*" anything else
	None    document.Texts    `yaml:"none"`    // texts that mean "no value" here, besides the source's sentinels
	Latest  string            `yaml:"latest"`  // times joined by this: none while one is missing, else the latest
	Blanks  string            `yaml:"blanks"`  // "keep": the steps see every blank, where two of them tell something
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
	Booking []Key `yaml:"booking"` // the first whose parts are all known
	Person  []Key `yaml:"person"`
	Locator []Key `yaml:"locator"`
}

// Key is one way to make an identity.
type Key struct {
	Of       []string `yaml:"of"`
	Strength string   `yaml:"strength"` // source: given by the source as a key; composite: made of facts
}

// Privacy is the `privacy` part of a source document.
type Privacy struct {
	Photographs string `yaml:"photographs"` // "none" or "": images of feeds have no field, no column and no store
}

// Rejected is a row that can not become a fact.
type Rejected struct {
	Reason string // no personal data
	Field  string // "booking.booked_at", or empty
	Line   int64
	Raw    string // may hold personal data: encrypt it before it rests
	Who    string // the name that the row tells, as far as it could be read; empty: nobody knows
	Key    string // the booking key or offender id that it tells, likewise
	Child  bool   // it speaks of a booking of somebody under 17
	value  string // the text that did not fit, for the author of a source document only
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
