package decode

import (
	"strings"

	"rollcall/ingest/document"
)

// GroupRows is the path under which a grouped record holds its rows.
const GroupRows = "rows"

// Split says how rows become records where they are not one to one.
type Split struct {
	Group document.Texts `yaml:"group"`  // neighbouring rows with equal values here are one record
	Blank string         `yaml:"blank"`  // "same": a row with all of them blank belongs to the record before
	Rows  string         `yaml:"nested"` // each record nested at this path is a record of its own
}

func (s *Split) check(path string, problems *document.Problems) {
	if s.Blank != "" && s.Blank != "same" {
		problems.Add(document.At(path, "blank"), `%q is unknown; only "same" is`, s.Blank)
	}
	if s.Blank != "" && len(s.Group) == 0 {
		problems.Add(document.At(path, "blank"), "needs group")
	}
	if len(s.Group) > 0 && s.Rows != "" {
		problems.Add(path, "group and nested exclude each other")
	}
}

// maxGroup bounds the rows of one record.
const maxGroup = 10_000

// group wraps yield so that it sees whole records; flush hands out the last one.
func (s *Split) group(yield func(*Record) error) (each func(*Record) error, flush func() error) {
	if s.Rows != "" {
		return s.nested(yield), func() error { return nil }
	}
	if len(s.Group) == 0 {
		return yield, func() error { return nil }
	}
	var open *grouped
	flush = func() error {
		if open == nil {
			return nil
		}
		rec := Record{Fields: open, Kind: open.rows[0].Kind, Line: open.rows[0].Line}
		open = nil
		return yield(&rec)
	}
	each = func(rec *Record) error {
		if rec.Bad != "" {
			return yield(rec)
		}
		key, blank := s.key(rec)
		if open != nil && len(open.rows) < maxGroup && (key == open.key || blank && s.Blank == "same") {
			open.rows = append(open.rows, *rec)
			return nil
		}
		if err := flush(); err != nil {
			return err
		}
		open = &grouped{key: key, rows: []Record{*rec}}
		return nil
	}
	return each, flush
}

func (s *Split) key(rec *Record) (key string, blank bool) {
	blank = true
	parts := make([]string, len(s.Group))
	for i, path := range s.Group {
		v, _ := rec.Value(path)
		parts[i] = strings.TrimSpace(v)
		blank = blank && parts[i] == ""
	}
	return strings.Join(parts, "\x00"), blank
}

func (s *Split) nested(yield func(*Record) error) func(*Record) error {
	return func(rec *Record) error {
		if rec.Bad != "" {
			return yield(rec)
		}
		for _, child := range rec.Rows(s.Rows) {
			if err := yield(&Record{Fields: nested{child, rec}, Kind: rec.Kind, Line: rec.Line}); err != nil {
				return err
			}
		}
		return nil
	}
}

// grouped is a record of several rows; plain values come from the first.
type grouped struct {
	key  string
	rows []Record
}

func (g *grouped) Value(path string) (string, bool) { return g.rows[0].Value(path) }

func (g *grouped) Rows(path string) []Fields {
	if path != GroupRows {
		return g.rows[0].Rows(path)
	}
	list := make([]Fields, len(g.rows))
	for i := range g.rows {
		list[i] = g.rows[i].Fields
	}
	return list
}

func (g *grouped) Raw() string {
	raw := make([]string, len(g.rows))
	for i := range g.rows {
		raw[i] = g.rows[i].Raw()
	}
	return strings.Join(raw, "\n")
}

// nested is a record inside another; the outer one's values are read under "outer.".
type nested struct {
	Fields
	outer Fields
}

func (n nested) Value(path string) (string, bool) {
	if rest, ok := strings.CutPrefix(path, "outer."); ok {
		return n.outer.Value(rest)
	}
	return n.Fields.Value(path)
}
