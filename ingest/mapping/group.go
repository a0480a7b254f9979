package mapping

import (
	"maps"
	"slices"
	"strings"

	"rollcall/ingest/decode"
	"rollcall/ingest/document"
	"rollcall/ingest/value"
)

// The rows of a grouped record that a field may be taken from (Way.Row).
const (
	rowFirst    = "first"
	rowLast     = "last"
	rowEarliest = "earliest"
	rowLatest   = "latest"
	rowEvery    = "every"
)

// row returns which row of a grouped record a field is of; empty for a record that is one row. Somebody whose booking has
// several rows is out when every row says so.
func (c *Config) row(entity, key string, f Field) string {
	if !c.Grouped || c.Fields[entity].Each != nil {
		return ""
	}
	for i := range f.ways {
		if row := f.ways[i].Row; row != "" {
			return row
		}
	}
	if c.Kind == "roster" && entity == "booking" && (key == "released_at" || key == "released") {
		return rowEvery
	}
	return rowFirst
}

// checkRows notes rows that a document or field has not.
func (s Spec) checkRows(kind, path string, grouped bool, problems *document.Problems) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		for _, key := range slices.Sorted(maps.Keys(s[name].Fields)) {
			ways := s[name].Fields[key].ways
			for i := range ways {
				at := document.At(document.At(path, name), key)
				if len(ways) > 1 {
					at = document.Index(at, i)
				}
				at = document.At(at, "row")
				row, form := ways[i].Row, targets[kind][name][key].form
				timely := form == timeF || form == dateF
				switch {
				case row == "" || !slices.Contains([]string{rowFirst, rowLast, rowEarliest, rowLatest, rowEvery}, row): // noted by the schema
				case !grouped:
					problems.Add(at, "needs group or begin in decode.split: a record is one row otherwise")
				case s[name].Each != nil:
					problems.Add(at, "%s has each, which reads every row", name)
				case row != ways[0].Row:
					problems.Add(at, "all ways to read a field must take the same row")
				case (row == rowEarliest || row == rowLatest) && !timely, row == rowEvery && !timely && form != boolF:
					problems.Add(at, "%s is for times, and every for yes and no too; this field takes first or last", row)
				}
			}
		}
	}
}

// members returns the rows of a grouped record that a field weighs; nil if it takes its value from one row.
func (f *field) members(rec decode.Fields) (rows []decode.Fields, whole bool) {
	if f == nil || f.row != rowEarliest && f.row != rowLatest && f.row != rowEvery {
		return nil, true
	}
	return f.stating(rec)
}

// stating returns the rows of a grouped record that have the field, the first one always. One may be blank, which states that
// there is no value; a row that only continues another one states what it has.
func (f *field) stating(rec decode.Fields) (rows []decode.Fields, whole bool) {
	members, whole := decode.Members(rec)
	for i, row := range members {
		if i == 0 || f.within(row) {
			rows = append(rows, row.Fields)
		}
	}
	return rows, whole
}

// within reports whether a row states one of the field's columns or keys.
func (f *field) within(row decode.Member) bool {
	return slices.ContainsFunc(f.ways, func(w way) bool {
		return slices.ContainsFunc(w.From, func(path string) bool {
			text, ok := row.Value(path)
			if row.Continues {
				return strings.TrimSpace(text) != ""
			}
			return ok || row.Null(path)
		})
	})
}

// lastRow returns the last row of a grouped record that states the field.
func (f *field) lastRow(rec decode.Fields) decode.Fields {
	if rows, _ := f.stating(rec); len(rows) > 0 {
		return rows[len(rows)-1]
	}
	return rec
}

// momentOfRows returns the earliest or the latest time of some rows. With `every` it is the latest, and none while a row has
// none, or a row that may belong to the record could not be read.
func (f *field) momentOfRows(rows []decode.Fields, whole bool) (m value.Moment, ok bool, bad *Rejected) {
	defer f.countOnce()()
	open := f.row == rowEvery && !whole
	for _, row := range rows {
		next, stated, bad := f.momentOf(row)
		switch {
		case bad != nil:
			return value.Moment{}, false, bad
		case !stated:
			open = open || f.row == rowEvery
		case !ok || next.At.After(m.At) != (f.row == rowEarliest):
			m, ok = next, true
		}
	}
	if open {
		return value.Moment{}, false, nil
	}
	return m, ok, nil
}

// yesOfRows returns a flag of some rows: yes once every row says so, no if one of them does.
func (f *field) yesOfRows(rows []decode.Fields, whole bool) (yes, said bool, bad *Rejected) {
	defer f.countOnce()()
	yes, said = whole, false
	for _, row := range rows {
		one, stated, bad := f.yesOf(row)
		if bad != nil {
			return false, false, bad
		}
		yes, said = yes && one, said || stated && !one
	}
	return yes, yes || said, nil
}

// countOnce has the rows of a record count once in what its source reports. It returns what ends that.
func (f *field) countOnce() func() {
	before := make([]int, len(f.ways))
	for i := range f.ways {
		before[i] = f.ways[i].told
	}
	return func() {
		for i := range f.ways {
			f.ways[i].told = min(f.ways[i].told, before[i]+1)
		}
	}
}
