package part

import (
	"strconv"
	"strings"

	"rollcall/ingest/decode"
	"rollcall/ingest/value"
)

// tooMany is where counting the things may end.
const tooMany = Max + 2

// Within returns the records of the things within a record, and the columns of parallel lists that pair with none.
func (e *Each) Within(rec decode.Fields) (list []decode.Fields, unpaired []Loose) {
	switch {
	case e.Rows == "":
		return e.within(rec)
	case e.Parallel == nil && e.Segments == nil && e.Numbered == nil:
		return rec.Rows(e.Rows), nil
	}
	for _, row := range rec.Rows(e.Rows) {
		more, loose := e.within(row)
		list, unpaired = append(list, more...), append(unpaired, loose...)
		if len(list) > Max {
			break // too many anyway
		}
	}
	return list, unpaired
}

// within returns the things that one row holds in lists, in a text, or in numbered columns.
func (e *Each) within(rec decode.Fields) (list []decode.Fields, unpaired []Loose) {
	switch {
	case e.Parallel != nil:
		return e.Parallel.within(rec)
	case e.Segments != nil:
		return e.Segments.within(rec), nil
	default:
		return e.Numbered.within(rec), nil
	}
}

// piece is a record made of a part of another; what it does not hold is read from the whole.
type piece struct {
	decode.Fields
	// parts are values by path.
	parts map[string]string
}

// Value returns the part's own value, else that of the whole record.
func (p piece) Value(path string) (string, bool) {
	if v, ok := p.parts[path]; ok {
		return v, true
	}
	return p.Fields.Value(path)
}

// element is one position of parallel lists.
type element struct {
	decode.Fields
	// columns are shared by all positions; parts are those of this one.
	columns []string
	parts   []string
}

// Value returns this position of a list, else the value of the whole record.
func (e element) Value(path string) (string, bool) {
	for i, c := range e.columns {
		if c == path {
			return e.parts[i], true
		}
	}
	return e.Fields.Value(path)
}

// Loose is a column of parallel lists whose values pair with none of the things.
type Loose struct {
	Column string
	// Texts are its values, one or many.
	Texts []string
	// Lone is one value, which speaks of the whole record.
	Lone bool
	// Few is several values, and fewer than there are things.
	Few bool
}

// In returns the record with the values of the column as they stand.
func (l Loose) In(rec decode.Fields) decode.Fields {
	return element{rec, []string{l.Column}, l.Texts}
}

// within pairs the lists. One that is longer or shorter than the first, except for blanks at the end, pairs
// with nothing: which of its values belongs to which thing cannot be known. `THEFT|DUI` beside `500|` is two
// charges, the first with a bond; beside `500|300|100` it is two charges without bonds.
func (p *Parallel) within(rec decode.Fields) (list []decode.Fields, unpaired []Loose) {
	lists := make([][]string, len(p.Columns))
	for i, c := range p.Columns {
		v, _ := rec.Value(c)
		if strings.TrimSpace(v) != "" {
			lists[i] = strings.SplitN(v, p.On, tooMany)
		}
	}
	n := len(lists[0])
	// Only blanks at the end may be missing or too many. Of a single value beside many things, and of any
	// other length, it is unknown which thing each value belongs to: a bond paired with the wrong charge
	// would be a wrong fact.
	for j, values := range lists {
		lists[j] = values[:max(min(n, len(values)), filled(values))]
		switch {
		case len(lists[j]) == 1 && n != 1:
			unpaired = append(unpaired, Loose{Column: p.Columns[j], Texts: lists[j], Lone: true})
			lists[j] = nil
		case len(lists[j]) > n:
			unpaired = append(unpaired, Loose{Column: p.Columns[j], Texts: lists[j]})
			lists[j] = nil
		case len(lists[j]) > 0 && len(lists[j]) < filled(lists[0]):
			unpaired = append(unpaired, Loose{Column: p.Columns[j], Texts: lists[j], Few: true})
			lists[j] = nil
		}
	}
	list = make([]decode.Fields, 0, n)
	all := make([]string, n*len(p.Columns))
	for i := range n {
		parts := all[i*len(p.Columns) : (i+1)*len(p.Columns)]
		for j := range p.Columns {
			if i < len(lists[j]) {
				parts[j] = strings.TrimSpace(lists[j][i])
			}
		}
		list = append(list, element{rec, p.Columns, parts})
	}
	return list, unpaired
}

// filled is the length of a list without the blanks at its end.
func filled(values []string) int {
	n := len(values)
	for n > 0 && strings.TrimSpace(values[n-1]) == "" {
		n--
	}
	return n
}

// within cuts a text into segments. All separators become the first one, so that one cut is enough.
func (s *Segments) within(rec decode.Fields) []decode.Fields {
	text, _ := rec.Value(s.From)
	for _, on := range s.On[1:] {
		text = strings.ReplaceAll(text, on, s.On[0])
	}
	var list []decode.Fields
	for segment := range strings.SplitSeq(text, s.On[0]) {
		segment = value.StripTags(segment)
		if segment == "" {
			continue
		}
		if len(list) > Max {
			break
		}
		parts := map[string]string{"text": segment}
		if s.Clauses != "" {
			for i, clause := range strings.SplitN(segment, s.Clauses, tooMany) {
				parts[strconv.Itoa(i+1)] = strings.TrimSpace(clause)
			}
		}
		list = append(list, piece{rec, parts})
	}
	return list
}

// within returns a thing for each number that has any value.
func (n *Numbered) within(rec decode.Fields) []decode.Fields {
	var list []decode.Fields
	for i := n.From; i <= n.To; i++ {
		parts := make(map[string]string, len(n.Columns))
		some := false
		for _, c := range n.Columns {
			v, _ := rec.Value(strings.ReplaceAll(c, "%", strconv.Itoa(i)))
			parts[c] = v
			some = some || strings.TrimSpace(v) != ""
		}
		if some {
			list = append(list, piece{rec, parts})
		}
	}
	return list
}
