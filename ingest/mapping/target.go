package mapping

import (
	"maps"
	"slices"
	"strings"

	"rollcall/ingest/document"
	"rollcall/ingest/value"
)

// form is what a target field holds, and so how its text is read.
type form int

const (
	text form = iota
	// moneyF is dollars and becomes whole cents.
	moneyF
	// timeF is an instant, from a civil time of Georgia or with an offset.
	timeF
	// dateF is a calendar day; a year alone where the field allows it.
	dateF
	// wholeF is a whole number.
	wholeF
	boolF
	// clockF is HH:MM.
	clockF
	enumF
)

// target is one field that a source document may map to.
type target struct {
	// form is how its text is read.
	form form
	// values are those of an enum.
	values []string
	// need rejects a row without it.
	need bool
	// says is what it holds, for authors of source documents.
	says string
}

// with returns the fields of both.
func with(a, b map[string]target) map[string]target {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// primary is the entity that a record of a kind is about.
var primary = map[string]string{"roster": "booking", "courts": "case", "corrections": "offender"}

// needed are the entities without which a source of the kind makes no sense.
var needed = map[string][]string{"roster": {"booking", "person"}, "courts": {"case"}, "corrections": {"offender"}}

// check notes fields and entities that are not in the list, and settings that do not fit the field.
func (s Spec) check(kind, path string, known map[string]bool, problems *document.Problems) {
	entities := targets[kind]
	for _, name := range needed[kind] {
		if s[name] == nil {
			problems.Add(document.At(path, name), "is missing")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		at := document.At(path, name)
		fields, ok := entities[name]
		if !ok {
			problems.Add(at, "a source of kind %s has no such entity%s", kind, document.Suggest(name, slices.Sorted(maps.Keys(entities))))
			continue
		}
		entity := s[name]
		entity.Each.Check(document.At(at, "each"), known, problems)
		for _, field := range slices.Sorted(maps.Keys(entity.Fields)) {
			t, ok := fields[field]
			if !ok {
				problems.Add(document.At(at, field), "%s has no such field%s", name, document.Suggest(field, slices.Sorted(maps.Keys(fields))))
				continue
			}
			entity.Fields[field].check(document.At(at, field), t, entity, known, problems)
			if field == "county" {
				entity.Fields[field].checkCounty(document.At(at, field), problems)
			}
		}
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			if _, mapped := entity.Fields[field]; fields[field].need && !mapped {
				problems.Add(document.At(at, field), "is missing, and each %s needs it", name)
			}
		}
	}
}

// check notes mistakes of a field. known are the columns that the decoder declares; nil if they are not known
// before a document is read.
func (f Field) check(path string, t target, e *Entity, known map[string]bool, problems *document.Problems) {
	if len(f.ways) == 0 {
		problems.Add(path, "has no way to read a value")
	}
	for i := range f.ways {
		w, at := &f.ways[i], path
		if len(f.ways) > 1 {
			at = document.Index(path, i)
		}
		w.check(at, t, problems)
		paths := slices.Clone(w.From)
		for _, condition := range []string{w.If, w.Unless} {
			if condition != "" {
				paths = append(paths, condition)
			}
		}
		for _, from := range paths {
			if strings.Contains(from, "@fromstr") {
				problems.Add(document.At(at, "from"), "list the text in decode.embedded and go on behind it with a dot, instead of @fromstr")
			}
			if known != nil && !known[from] && (e.Each == nil || e.Each.Segments == nil && e.Each.Numbered == nil) && !strings.HasPrefix(from, "outer.") {
				problems.Add(document.At(at, "from"), "there is no column %q%s", from, document.Suggest(from, slices.Sorted(maps.Keys(known))))
			}
		}
	}
}

// check notes mistakes of one way.
func (w *Way) check(at string, t target, problems *document.Problems) {
	if (len(w.From) == 0) == (w.Const == "") {
		problems.Add(at, "needs either from or const")
	}
	for i, text := range w.Layouts {
		if value.NewLayout(text).NoYear && t.form != clockF {
			problems.Add(document.Index(document.At(at, "layouts"), i), "layout %q names no year (the year is written 2006, the day 02, the time 15:04:05)", text)
		}
	}
	timely := t.form == timeF || t.form == dateF || t.form == clockF
	if timely && len(w.Layouts) == 0 && w.Const == "" {
		problems.Add(document.At(at, "layouts"), "is needed for a date or time")
	}
	if !timely && len(w.Layouts) > 0 {
		problems.Add(document.At(at, "layouts"), "this field is not a date or time")
	}
	document.Check(at, w, problems)
	if w.Latest != "" && t.form != timeF {
		problems.Add(document.At(at, "latest"), "this field is not a time")
	}
	if t.form == enumF {
		if len(w.Values) == 0 && w.Const == "" {
			problems.Add(document.At(at, "values"), "is needed: which of %s is it?", strings.Join(t.values, ", "))
		}
		for _, said := range slices.Sorted(maps.Keys(w.Values)) {
			if means := w.Values[said]; !slices.Contains(t.values, means) {
				problems.Add(document.At(document.At(at, "values"), said), "%q is not one of %s", means, strings.Join(t.values, ", "))
			}
		}
		if w.Const != "" && !slices.Contains(t.values, w.Const) {
			problems.Add(document.At(at, "const"), "%q is not one of %s", w.Const, strings.Join(t.values, ", "))
		}
	}
}

// check notes keys that name no mapped field, and the time of the run, which would make every run a new
// record.
func (id *Identity) check(spec Spec, path string, problems *document.Problems) {
	for name, keys := range map[string][]Key{"booking": id.Booking, "person": id.Person, "locator": id.Locator} {
		for i, key := range keys {
			at := document.Index(document.At(path, name), i)
			for j, of := range key.Of {
				entity, field, _ := strings.Cut(of, ".")
				mapped := spec[entity] != nil && hasField(spec[entity], field)
				switch {
				case field == "observed_at":
					problems.Add(document.Index(document.At(at, "of"), j), "the time of a run cannot identify a record")
				case !mapped && of != "person.name":
					problems.Add(document.Index(document.At(at, "of"), j), "%q is not a mapped field", of)
				}
			}
		}
	}
}

// hasField reports whether the document maps a field.
func hasField(e *Entity, field string) bool {
	_, ok := e.Fields[field]
	return ok
}
