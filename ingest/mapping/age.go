package mapping

import (
	"rollcall/ingest/decode"
	"rollcall/ingest/value"
)

// age reads the age that a record states. An age is read however it is written. A text that is no age leaves
// in doubt whether it speaks of a child, unless it is an ordinary word for an age that is not known
// (docs/sources-rules.md, "Juveniles"). now is the year of the row.
func (m *Mapper) age(f *field, rec decode.Fields, now int) value.Age {
	v, bad := f.find(rec)
	// A value that is not even text may be anything, also a child's age.
	if bad != nil {
		m.drop(bad)
		return value.Age{Odd: true, Hint: true}
	}
	text := v.text
	if v.means != "" {
		text = v.means
	}
	said := f.written(rec, v.way, text)
	a, good := value.ReadAge(said, now)
	// The steps of the document may take an age out of a longer text. They count for an adult only: what
	// protects a child is read from the text as the source wrote it.
	if !good && said != text && a.Least > 0 { // steps of the document took an adult's number out of it
		if b, ok := value.ReadAge(text, now); ok && b.Years >= a.Least {
			return b
		}
	}
	if !good {
		bad := reject(f.name, "is not a whole number")
		bad.value = said
		m.drop(bad)
	}
	return a
}

// written is the text of a field as the source wrote it, where steps that only tidy made another one of it:
// the digits of "16Y 3M" are 163, which is no age. w is the way that led to the text; nil if none did.
func (f *field) written(rec decode.Fields, w *way, text string) string {
	if f == nil || w != nil && !w.tidied {
		return text
	}
	for i := range f.ways {
		from := &f.ways[i]
		if !from.tidied || w != nil && w != from || !from.open(rec) {
			continue
		}
		for _, path := range from.From {
			said, _ := rec.Value(path)
			if said = from.clean(said); said != "" {
				return said
			}
		}
	}
	return text
}
