package decode

import (
	"slices"
	"strings"

	"rollcall/ingest/document"
)

// GroupRows is the path under which a grouped record holds its rows.
const GroupRows = "rows"

// SectionRows is put before the name of a section; together they are the path of the rows below its heading.
const SectionRows = "section:"

// Split says how rows become records where they are not one to one.
type Split struct {
	// Paths: neighbouring rows with equal values here are one record.
	Group document.Texts `yaml:"group" example:"[Id]"`
	// With `group`: a row that is blank at all of these paths belongs to the record before it.
	Blank string `yaml:"blank" oneof:"same" example:"same"`
	// Path: a row with a value here begins a record, and the rows after it belong to it.
	Begin string `yaml:"begin" example:"Booking Number"`
	// With `group` or `begin`: a row with a value here names the section of the rows after it, read as `section:NAME`.
	Section string `yaml:"section" example:"th.section"`
	// Path: each record nested here is a record of its own.
	Rows string `yaml:"nested" example:"Bookings"`
}

// Splits reports whether records are other than the rows of a document.
func (s *Split) Splits() bool { return s.Groups() || s.Rows != "" }

// Groups reports whether neighbouring rows make one record.
func (s *Split) Groups() bool { return len(s.Group) > 0 || s.Begin != "" }

// check notes ways to split that exclude each other.
func (s *Split) check(path string, problems *document.Problems) {
	if s.Blank != "" && len(s.Group) == 0 {
		problems.Add(document.At(path, "blank"), "needs group")
	}
	ways := 0
	for _, given := range []bool{len(s.Group) > 0, s.Begin != "", s.Rows != ""} {
		if given {
			ways++
		}
	}
	if ways > 1 {
		problems.Add(path, "use only one of group, begin and nested")
	}
	if s.Section != "" && !s.Groups() {
		problems.Add(document.At(path, "section"), "needs group or begin")
	}
}

// maxGroup bounds the rows of one record.
const maxGroup = 10_000

// group wraps yield so that it sees whole records; flush yields the last one. With `group: Id` these rows are
// two records, of two rows and of one:
//
//	7,SMITH,THEFT
//	7,SMITH,DUI
//	8,JONES,TRESPASS
//
// Only neighbours are grouped, so one record is held in memory. A bad row is passed on by itself and ends no
// record.
func (s *Split) group(yield func(*Record) error) (each func(*Record) error, flush func() error) {
	if s.Rows != "" {
		return s.nested(yield), func() error { return nil }
	}
	if !s.Groups() {
		return yield, func() error { return nil }
	}
	var open *grouped
	torn := false // the row before could not be read, and may belong to the record that begins
	flush = func() error {
		if open == nil {
			return nil
		}
		rec := Record{Fields: open, Kind: open.rows[0].Kind, Line: open.rows[0].Line, Row: open.rows[0].Row}
		open = nil
		return yield(&rec)
	}
	each = func(rec *Record) error {
		// Whether a bad row belongs to the open record cannot be known. It is counted by itself and reported.
		if rec.Bad != "" {
			if torn = true; open != nil {
				open.torn = true
			}
			return yield(rec)
		}
		key, belongs := s.belongs(rec, open)
		if belongs && len(open.rows) < maxGroup {
			torn = false
			s.add(open, rec)
			return nil
		}
		if err := flush(); err != nil {
			return err
		}
		if s.Begin != "" && key == "" { // before the first record, or after the last row that one may have
			return yield(&Record{Fields: rec.Fields, Kind: rec.Kind, Line: rec.Line, Row: rec.Row, Bad: "belongs to no record"})
		}
		open = &grouped{key: key, torn: torn}
		torn = false
		s.add(open, rec)
		return nil
	}
	return each, flush
}

// belongs reports whether a row belongs to the open record, and returns the key of the record that it begins
// otherwise.
func (s *Split) belongs(rec *Record, open *grouped) (key string, yes bool) {
	if s.Begin != "" {
		v, _ := rec.Value(s.Begin)
		key = strings.TrimSpace(v)
		return key, key == "" && open != nil
	}
	key, blank := s.key(rec)
	return key, open != nil && (key == open.key || blank && s.Blank == "same")
}

// key returns what rows of one record share, and whether it is blank. NUL stands between the parts, as no
// value holds one.
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

// nested makes a record of each nested row.
func (s *Split) nested(yield func(*Record) error) func(*Record) error {
	return func(rec *Record) error {
		if rec.Bad != "" {
			return yield(rec)
		}
		around := remember(rec)
		for _, child := range rec.Rows(s.Rows) {
			if err := yield(&Record{Fields: nested{child, around}, Kind: rec.Kind, Line: rec.Line, Row: rec.Row}); err != nil {
				return err
			}
		}
		return nil
	}
}

// grouped is a record of several rows. A value comes from the first row that has it at all; Members has all of them.
type grouped struct {
	key  string
	rows []Record
	// members are the rows as Members returns them.
	members []Member
	// torn is set if a row beside the record could not be read, and may belong to it.
	torn bool
	// sections has the section of each row, in lower case.
	sections []string
}

// Member is one row of a grouped record.
type Member struct {
	Fields
	// Continues is set if the row does not name the record itself but continues the row before it. What such a row leaves
	// blank is that of the record.
	Continues bool
}

// Members returns the rows of a grouped record; none for a record that is one row of its document. whole is false if a row
// beside the record could not be read, as it may belong to the record.
func Members(f Fields) (rows []Member, whole bool) {
	if rec, ok := f.(*Record); ok {
		f = rec.Fields
	}
	g, ok := f.(*grouped)
	if !ok {
		return nil, true
	}
	return g.members, !g.torn
}

// add adds a row to the open record.
func (s *Split) add(g *grouped, rec *Record) {
	_, blank := s.key(rec)
	g.members = append(g.members, Member{rec.Fields, len(g.rows) > 0 && (s.Begin != "" || blank)})
	g.add(rec, s.Section)
}

// add adds a row. A row without a section is in that of the row before it, as tables print a section once.
func (g *grouped) add(rec *Record, section string) {
	in := ""
	if n := len(g.sections); n > 0 {
		in = g.sections[n-1]
	}
	if section != "" {
		if v, _ := rec.Value(section); strings.TrimSpace(v) != "" {
			in = sectionName(v)
		}
	}
	g.rows = append(g.rows, *rec)
	g.sections = append(g.sections, in)
}

// sectionName returns a section as it is compared.
func sectionName(text string) string {
	return strings.ToLower(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ":")))
}

// Value is that of the first row that has the path.
func (g *grouped) Value(path string) (string, bool) {
	for i := range g.rows {
		if v, ok := g.rows[i].Value(path); ok {
			return v, true
		}
	}
	return "", false
}

// Null reports a null of any row.
func (g *grouped) Null(path string) bool {
	return slices.ContainsFunc(g.rows, func(r Record) bool { return r.Null(path) })
}

// Rows at `rows` are all rows of the record, at `section:Charges` those of that section without its heading.
// Any other path is read from the first row that has records there.
func (g *grouped) Rows(path string) []Fields {
	section, one := strings.CutPrefix(path, SectionRows)
	if path != GroupRows && !one {
		for i := range g.rows {
			if list := g.rows[i].Rows(path); len(list) > 0 {
				return list
			}
		}
		return nil
	}
	section = sectionName(section)
	var list []Fields
	for i := range g.rows {
		heading := i == 0 || g.sections[i] != g.sections[i-1]
		if !one || g.sections[i] == section && !heading {
			list = append(list, g.rows[i].Fields)
		}
	}
	return list
}

// Raw is all rows, one below the other.
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

// Value is that of the nested record, or with `outer.` of the record around it.
func (n nested) Value(path string) (string, bool) {
	if rest, ok := strings.CutPrefix(path, outer); ok {
		return n.outer.Value(rest)
	}
	return n.Fields.Value(path)
}

// Rows are as Value: what the record around says for all nested ones, such as the hearings of all defendants of a case.
func (n nested) Rows(path string) []Fields {
	if rest, ok := strings.CutPrefix(path, outer); ok {
		return n.outer.Rows(rest)
	}
	return n.Fields.Rows(path)
}

// Null is as Value.
func (n nested) Null(path string) bool {
	if rest, ok := strings.CutPrefix(path, outer); ok {
		return n.outer.Null(rest)
	}
	return n.Fields.Null(path)
}
