package decode

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
	"rollcall/internal/plural"
)

// Columns are the lists of columns that records of one kind may have; mostly it is one.
type Columns [][]string

// ReadNode reads a list of columns, or a list of such lists.
func (c *Columns) ReadNode(path string, node *yaml.Node, problems *document.Problems) {
	if node.Kind == yaml.SequenceNode && len(node.Content) > 0 && node.Content[0].Kind == yaml.SequenceNode {
		document.Value(path, node, (*[][]string)(c), problems)
		return
	}
	var one []string
	document.Value(path, node, &one, problems)
	*c = Columns{one}
}

// check notes lists that the length of a record does not tell apart. One more field is a trailing tab.
func (c Columns) check(path string, problems *document.Problems) {
	for i, list := range c {
		for j := range i {
			if n := len(list) - len(c[j]); -2 < n && n < 2 {
				problems.Add(document.Index(path, i), "has %d columns and list %d has %d: their lengths must differ by at least two", len(list), j, len(c[j]))
			}
		}
	}
}

// of returns which list the fields of a record are of: the one of their number, with or without a blank field for the trailing
// tab. A record of any other length is of the first list.
func (c Columns) of(fields []string) int {
	n := len(fields) - 1 // without the kind
	blank := strings.TrimSpace(fields[n]) == ""
	return max(0, slices.IndexFunc(c, func(list []string) bool { return len(list) == n || blank && len(list) == n-1 }))
}

// places returns, for each list, the position of each column in a line.
func (c Columns) places() []map[string]int {
	out := make([]map[string]int, len(c))
	for i, list := range c {
		out[i] = make(map[string]int, len(list))
		for j, name := range list {
			if name != "" && name != "-" {
				out[i][name] = j + 1
			}
		}
	}
	return out
}

// eachTagged reads tab-separated records of several kinds, the kind in the first column. Fields left out at
// the end are blank; the mapping demands those that are needed. A last line that may be cut and has fewer
// fields than others of its kind is taken for cut.
func (s *Spec) eachTagged(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	places := make(map[string][]map[string]int, len(s.Kinds))
	for kind, columns := range s.Kinds {
		places[kind] = columns.places()
	}
	least := make(map[string]int, len(s.Kinds)) // fields of the shortest whole line of a kind
	l := newLines(r, limits.Row)
	for {
		text, number, long, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(strings.TrimSpace(string(text))) == 0 {
			continue
		}
		raw := strings.TrimPrefix(string(text), "\ufeff")
		fields := strings.Split(raw, "\t")
		kind := strings.TrimSpace(fields[0])
		lists, known := places[kind]
		var columns map[string]int
		width := 0
		if known {
			of := s.Kinds[kind].of(fields)
			columns, width = lists[of], len(s.Kinds[kind][of])
		}
		rec := Record{Fields: row{columns: columns, fields: fields, raw: raw}, Kind: kind, Line: number}
		switch {
		case long:
			rec.Bad = fmt.Sprintf("is longer than %d bytes", limits.Row)
		case !known && (s.EndMarker == "" || !strings.HasPrefix(raw, s.EndMarker)):
			rec.Bad = fmt.Sprintf("record kind %.20q is not one of %s", kind, strings.Join(slices.Sorted(maps.Keys(places)), ", "))
			if len(fields) == 1 {
				rec.Bad += "; the line has no tab, which separates the fields of format tagged"
			}
		case known && extra(fields, width+1):
			rec.Bad = fmt.Sprintf("has values beyond the %d columns of kind %s", width, kind)
		}
		facts.runsOut(l.open)
		if n, seen := least[kind]; l.open && seen && len(fields) < n {
			facts.Cut = fmt.Sprintf("the document ends within this row, which has %s where those of %s before it have %d at least",
				plural.Of(len(fields), "field"), kind, n)
		} else if known && (!seen || len(fields) < n) {
			least[kind] = len(fields)
		}
		if err := yield(&rec); err != nil {
			return err
		}
	}
}

// extra reports whether anything but blanks stands beyond the known fields; a trailing tab is usual.
func extra(fields []string, known int) bool {
	for _, f := range fields[min(known, len(fields)):] {
		if strings.TrimSpace(f) != "" {
			return true
		}
	}
	return false
}
