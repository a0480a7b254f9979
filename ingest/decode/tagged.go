package decode

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"rollcall/internal/plural"
)

// eachTagged reads tab-separated records of several kinds, the kind in the first column. Fields left out at
// the end are blank; the mapping demands those that are needed. A last line that may be cut and has fewer
// fields than others of its kind is taken for cut.
func (s *Spec) eachTagged(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	places := make(map[string]map[string]int, len(s.Kinds))
	for kind, columns := range s.Kinds {
		places[kind] = make(map[string]int, len(columns))
		for i, c := range columns {
			if c != "" && c != "-" {
				places[kind][c] = i + 1
			}
		}
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
		columns, known := places[kind]
		rec := Record{Fields: row{columns: columns, fields: fields, raw: raw}, Kind: kind, Line: number}
		switch {
		case long:
			rec.Bad = fmt.Sprintf("is longer than %d bytes", limits.Row)
		case !known && (s.EndMarker == "" || !strings.HasPrefix(raw, s.EndMarker)):
			rec.Bad = fmt.Sprintf("record kind %.20q is none of %s", kind, strings.Join(slices.Sorted(maps.Keys(places)), ", "))
		case known && extra(fields, len(s.Kinds[kind])+1):
			rec.Bad = fmt.Sprintf("has more than the %d fields of %s", len(s.Kinds[kind])+1, kind)
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
