package mapping

import (
	"fmt"
	"slices"

	"rollcall/ingest/decode"
)

// Absent looks for what a document maps and no record of a sample holds: likely a slip of the document, such
// as a misspelled column. Every record counts, also one that is rejected for something else before all of its
// fields were read. Previews of a document use it, runs do not.
type Absent struct {
	entities map[string]*entity
	// met has "booking.bond" if some record has a value at one of its paths, and "booking" if some record
	// holds one. part.Each adds the columns of lists, and what cuts them.
	met map[string]bool
	// kinds are the kinds of records that were seen, in format tagged.
	kinds map[string]bool
	// records is the number of records that could be read. Without any, nothing can be said to be absent.
	records int
}

// Absent returns an Absent for the mapping of m.
func (m *Mapper) Absent() *Absent {
	return &Absent{entities: m.entities, met: map[string]bool{}, kinds: map[string]bool{}}
}

// See looks at one record. It reads the paths alone, so it needs no Mapper and changes no counts.
func (a *Absent) See(rec *decode.Record) {
	if rec.Fields == nil {
		return
	}
	if rec.Bad == "" {
		a.records++
	}
	a.kinds[rec.Kind] = true
	for name, e := range a.entities {
		if e.when != rec.Kind {
			continue
		}
		e.each.Meet(name, rec, a.met)
		parts, _ := e.within(rec)
		for _, part := range parts {
			a.met[name] = true
			e.meet(part, a.met)
		}
	}
}

// meet notes the fields for which a record has a value. A constant is always there.
func (e *entity) meet(rec decode.Fields, met map[string]bool) {
	for _, f := range e.fields {
		if met[f.name] {
			continue
		}
		for i := range f.ways {
			for _, path := range f.ways[i].From {
				if _, ok := rec.Value(path); ok {
					met[f.name] = true
				}
			}
			if f.ways[i].Const != "" {
				met[f.name] = true
			}
		}
	}
}

// Sentences says what is absent, each with the path of the document, sorted; none when no record could be
// read.
func (a *Absent) Sentences() []string {
	var said []string
	if a.records == 0 {
		return nil
	}
	for name, e := range a.entities {
		switch {
		case !a.kinds[e.when]:
			said = append(said, fmt.Sprintf("fields.%s: no sample row is of kind %q", name, e.when))
		case !a.met[name]:
			said = append(said, fmt.Sprintf("fields.%s.each: no sample row holds any", name))
		default:
			said = append(said, e.each.Absent(name, a.met)...)
			for _, f := range e.fields {
				if !a.met[f.name] && len(f.ways) > 0 {
					said = append(said, fmt.Sprintf("fields.%s: no sample row has a value at %q", f.name, f.paths()))
				}
			}
		}
	}
	slices.Sort(said)
	return said
}

// paths are those of all ways.
func (f *field) paths() (paths []string) {
	for i := range f.ways {
		paths = append(paths, f.ways[i].From...)
	}
	return paths
}
