package mapping

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
	"rollcall/models"
)

// county returns the number of a row's county. A name that is none in Georgia rejects the row, and so does one of another
// county than the document's, or than the name of its file states: its people would be shown in a jail where they are not.
func (m *Mapper) county(f *field, rec decode.Fields) (int16, *Rejected) {
	of, by := m.config.County, "document"
	switch {
	case m.Within == 0:
	case of == 0:
		of, by = m.Within, "name of its file"
	case of != m.Within:
		return 0, reject("", "the name of its file says another county than the document")
	}
	if of != 0 && f == nil {
		return of, nil
	}
	name, bad := f.text(rec)
	if bad != nil {
		return 0, bad
	}
	id, known := m.counties[name]
	switch {
	case known:
	case of != 0 && name == "":
		return of, nil
	default:
		found := m.config.Counties.Find(name)
		if found == nil {
			return 0, rejectNamed(f.name, name, strings.TrimSuffix("is not a county of Georgia; "+m.config.Counties.Suggest(name), "; "))
		}
		id, m.counties[name] = found.ID, found.ID
	}
	if of != 0 && id != of {
		return 0, rejectNamed(f.name, name, "names another county than the "+by)
	}
	return id, nil
}

// rejectNamed returns a Rejected whose sentence for the author of a document begins with the text that did not fit.
func rejectNamed(field, text, reason string) *Rejected {
	bad := reject(field, "%s", reason)
	bad.value, bad.first = text, true
	return bad
}

// anyOther is the key of a value map that stands for any other text.
const anyOther = "*"

// checkCounty notes ways that place a row in a county without a text that names it: a constant, which no column can
// contradict, and a value map for any other text. A county is never guessed.
func (f Field) checkCounty(at string, problems *document.Problems) {
	for i := range f.ways {
		if f.ways[i].Const != "" {
			problems.Add(document.At(at, "const"), "a constant here checks nothing; write county: at the top of the document")
		}
		if _, all := f.ways[i].Values[anyOther]; all {
			problems.Add(document.At(at, "values"), "'*' would place every other row in one county; list the words that are not spellings of it")
		}
	}
}

// CheckCounties notes value maps that make a county of a text which is none.
func (s Spec) CheckCounties(counties *models.Counties, path string, problems *document.Problems) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if s[name] == nil {
			continue
		}
		ways := s[name].Fields["county"].ways
		for i := range ways {
			at := document.At(document.At(path, name), "county")
			if len(ways) > 1 {
				at = document.Index(at, i)
			}
			for _, said := range slices.Sorted(maps.Keys(ways[i].Values)) {
				if means := ways[i].Values[said]; means != "" && said != anyOther && counties.Find(means) == nil {
					problems.Add(document.At(document.At(at, "values"), said), "%s", strings.TrimSuffix(strconv.Quote(means)+" is not a county of Georgia; "+counties.Suggest(means), "; "))
				}
			}
		}
	}
}
