package mapping

import (
	"slices"

	"rollcall/ingest/decode"
	"rollcall/ingest/part"
)

// parts returns the records of an entity within a record. Values of parallel lists that pair with none of
// them are left out and counted, unless one value for all of them is read by another field.
func (m *Mapper) parts(name string, rec decode.Fields) (list []decode.Fields, unpaired []part.Loose) {
	e := m.entities[name]
	list, unpaired = e.within(rec)
	for _, l := range unpaired {
		if l.Lone && m.readElsewhere(name, l.Column) {
			continue
		}
		for key, f := range e.fields {
			switch {
			case !f.says(l):
			case l.Few:
				m.drop(reject(f.name, "has fewer values than there are %ss to pair them with", name))
			case !l.Lone:
				m.drop(reject(f.name, "has more values than there are %ss to pair them with", name))
			case key != "bond": // of the whole record, so it is the booking's
				m.drop(reject(f.name, "is one value for several of them"))
			}
		}
	}
	return list, unpaired
}

// says reports whether the field reads the column and finds a value in it.
func (f *field) says(l part.Loose) bool {
	for i := range f.ways {
		if w := &f.ways[i]; slices.Contains(w.From, l.Column) && slices.ContainsFunc(l.Texts, func(said string) bool { return w.clean(said) != "" }) {
			return true
		}
	}
	return false
}

// readElsewhere reports whether a field of another entity reads the column.
func (m *Mapper) readElsewhere(name, column string) bool {
	for other, e := range m.config.Fields {
		for _, f := range e.Fields {
			if other != name && slices.ContainsFunc(f.ways, func(w Way) bool { return slices.Contains(w.From, column) }) {
				return true
			}
		}
	}
	return false
}

// within returns the records of an entity within a record, and the columns of parallel lists that pair with
// none.
func (e *entity) within(rec decode.Fields) (list []decode.Fields, unpaired []part.Loose) {
	switch {
	case e == nil:
		return nil, nil
	case e.each == nil:
		return []decode.Fields{rec}, nil
	}
	return e.each.Within(rec)
}
