package mapping

import (
	"slices"
	"strconv"
	"strings"

	"rollcall/ingest/decode"
	"rollcall/ingest/step"
	"rollcall/ingest/value"
	"rollcall/internal/ssn"
	"rollcall/models"
)

// found is the text of a field, and what became of it.
type found struct {
	// text is trimmed; empty is none.
	text string
	// means is what a value map makes of the text, when it knows it.
	means string
	// unknown reports whether a value map lacks the text.
	unknown bool
	// way is the one that led to the text; nil if none did.
	way *way
}

// way is a Way made ready for a run.
type way struct {
	Way
	// told is how often one of its paths existed. A source whose path is gone lost a field (Reported).
	told int
	// layouts are analysed once a run.
	layouts []value.Layout
	// tidied reports whether its steps only tidy what one column holds. Then an age is also read from the
	// text before them.
	tidied bool
	// none are the texts that mean "no value", in capitals.
	none map[string]bool
	// lengths has bit n set if a text of none has n bytes: most texts are no sentinel by their length alone.
	lengths uint64
	// values is the value map, with keys in capitals.
	values map[string]string
	// last is the time that was read last: rows of a snapshot mostly repeat the instant of it.
	last reading
}

// reading is a text and the time that it was read as.
type reading struct {
	text   string
	moment value.Moment
	// none reports whether the text is a placeholder.
	none bool
}

// field is a Field made ready.
type field struct {
	// name is the name in reports, such as "booking.booked_at".
	name string
	// target is what the field takes.
	target target
	// ways are in the order in which they are tried.
	ways []way
	// row is the row of a grouped record that the value is of (Way.Row).
	row string
}

// ready prepares a field for a run. Texts that mean "no value" are compared in capitals, and their lengths
// are noted so that most texts are not compared at all.
func (f Field) ready(name string, t target, sentinels []string) *field {
	made := &field{name: name, target: t}
	for _, w := range f.ways {
		r := way{Way: w, none: map[string]bool{}, values: map[string]string{}}
		for _, text := range w.Layouts {
			r.layouts = append(r.layouts, value.NewLayout(text))
		}
		for _, s := range append(sentinels, w.None...) {
			r.none[strings.ToUpper(s)] = true
			r.lengths |= 1 << min(len(s), 63)
		}
		for said, means := range w.Values {
			r.values[strings.ToUpper(said)] = means
		}
		r.tidied = w.Join == nil && len(w.Steps) > 0 && !slices.ContainsFunc(w.Steps, func(s step.Step) bool { return !s.Tidies() })
		made.ways = append(made.ways, r)
	}
	return made
}

// find returns the value of the first way that has one; an empty text if none has. It rejects the row for
// bytes that are no text. A nil field has no value: most documents map a part of the fields.
func (f *field) find(rec decode.Fields) (found, *Rejected) {
	if f == nil {
		return found{}, nil
	}
	if f.row == rowLast {
		rec = f.lastRow(rec)
	}
	for i := range f.ways {
		w := &f.ways[i]
		if !w.open(rec) {
			continue
		}
		said := w.read(rec)
		if bad := value.Malformed(said); bad != "" {
			return found{}, reject(f.name, "%s", bad)
		}
		if f.target.form == enumF || len(w.values) > 0 {
			v := w.enum(said)
			if v.means != "" || v.unknown {
				return v, nil
			}
			continue
		}
		if said != "" {
			return found{text: said, way: w}, nil
		}
	}
	return found{}, nil
}

// open reports whether the way's conditions hold.
func (w *way) open(rec decode.Fields) bool {
	if w.If == "" && w.Unless == "" {
		return true
	}
	blank := func(path string) bool {
		v, _ := rec.Value(path)
		return w.clean(v) == ""
	}
	return (w.If == "" || !blank(w.If)) && (w.Unless == "" || blank(w.Unless))
}

// read returns the text of the way, tidied. An explicit null counts as a column that exists: the source says
// that there is no value.
func (w *way) read(rec decode.Fields) string {
	said := w.Const
	var all []string
	exists := false
	for _, path := range w.From {
		v, ok := rec.Value(path)
		exists = exists || ok || rec.Null(path) // a null states that there is no value
		tidy := w.clean(v)
		if tidy == "" {
			continue
		}
		if w.Blanks == "" {
			v = tidy
		} else {
			v = strings.TrimSpace(strings.ReplaceAll(v, "\u00a0", " "))
		}
		if w.Join == nil {
			said = v
			break
		}
		all = append(all, v)
	}
	if exists {
		w.told++
	}
	if w.Join != nil {
		said = strings.Join(all, *w.Join)
	}
	for _, s := range w.Steps {
		said = s.Apply(said)
	}
	return w.clean(said)
}

// clean trims a text, and returns nothing for a sentinel.
func (w *way) clean(s string) string {
	s = value.Squeeze(s)
	if w.lengths&(1<<min(len(s), 63)) != 0 && w.none[strings.ToUpper(s)] {
		return ""
	}
	return s
}

// enum looks a text up in the value map. A text that the map lacks stays as it is and is counted.
func (w *way) enum(said string) found {
	v := found{text: said, way: w}
	if w.Const != "" {
		v.means = w.Const
		return v
	}
	upper := strings.ToUpper(said)
	if means, ok := w.values[upper]; ok {
		v.means = means
		return v
	}
	if said == "" {
		return v
	}
	if means, ok := w.values[anyOther]; ok {
		v.means = means
		return v
	}
	v.unknown = true
	return v
}

// text returns a text field, empty where it has none. A value map counts; social security numbers are masked.
func (f *field) text(rec decode.Fields) (string, *Rejected) {
	v, bad := f.find(rec)
	if bad != nil {
		return "", bad
	}
	if v.means != "" {
		return v.means, nil
	}
	return ssn.Blot(v.text), f.demand(v.text != "")
}

// number returns a text by which a record is known. A social security number is rejected: blotted, it would be the number of
// everybody who has one.
func (f *field) number(rec decode.Fields) (string, *Rejected) {
	v, bad := f.find(rec)
	if bad == nil && ssn.Holds(v.text) {
		bad = reject(f.name, "%s", value.NoNumber)
	}
	if bad != nil {
		return "", bad
	}
	return f.text(rec)
}

// demand rejects a row that lacks a required field.
func (f *field) demand(have bool) *Rejected {
	if f != nil && f.target.need && !have {
		return reject(f.name, "is missing")
	}
	return nil
}

// moment returns a time field; ok is false where it has none. A text that no layout fits rejects the row. Of
// several times the latest counts, and none while one of them is missing (Way.Latest).
func (f *field) moment(rec decode.Fields) (m value.Moment, ok bool, bad *Rejected) {
	if rows, whole := f.members(rec); rows != nil {
		return f.momentOfRows(rows, whole)
	}
	return f.momentOf(rec)
}

// momentOf returns a time field of one row.
func (f *field) momentOf(rec decode.Fields) (m value.Moment, ok bool, bad *Rejected) {
	v, bad := f.find(rec)
	if bad != nil || v.text == "" {
		if bad == nil {
			bad = f.demand(false)
		}
		return value.Moment{}, false, bad
	}
	texts := []string{v.text}
	if v.way.Latest != "" {
		texts = strings.Split(v.text, v.way.Latest)
	}
	// A person with several release times is gone at the latest, and not yet while one of them is open.
	for _, text := range texts {
		text = v.way.clean(text)
		if text == "" {
			return value.Moment{}, false, nil
		}
		next, none, err := v.way.parse(text)
		if err != nil {
			bad = reject(f.name, "%v", err)
			bad.value = text
			return value.Moment{}, false, bad
		}
		if none {
			return value.Moment{}, false, f.demand(false)
		}
		if !ok || next.At.After(m.At) {
			m, ok = next, true
		}
	}
	return m, ok, nil
}

// parse reads a time by the layouts of the way; none is true for a placeholder date.
func (w *way) parse(text string) (m value.Moment, none bool, err error) {
	if text == w.last.text {
		return w.last.moment, w.last.none, nil
	}
	if m, none, err = value.ParseTime(w.layouts, text); err == nil {
		w.last = reading{text, m, none}
	}
	return m, none, err
}

// date returns a calendar day; nil where it has none or the layout names only the year.
func (f *field) date(rec decode.Fields) (*models.Date, *Rejected) {
	m, ok, bad := f.moment(rec)
	if bad != nil || !ok || !m.Day {
		return nil, bad
	}
	day := models.DateOf(m.At)
	return &day, nil
}

// clock returns a time of day as HH:MM, empty where it has none.
func (f *field) clock(rec decode.Fields) (string, *Rejected) {
	v, bad := f.find(rec)
	if bad != nil || v.text == "" {
		return "", bad
	}
	for _, text := range v.way.Way.Layouts {
		if t, err := value.ParseClock(text, v.text); err == nil {
			return t.Format("15:04"), nil
		}
	}
	bad = reject(f.name, "layout %q does not match", strings.Join(v.way.Way.Layouts, `", "`))
	bad.value = v.text
	return "", bad
}

// whole returns a whole number; ok is false where it has none. Numbers that no field can have are rejected,
// so that they fit the columns of the database.
func (f *field) whole(rec decode.Fields) (n int, ok bool, bad *Rejected) {
	v, bad := f.find(rec)
	if bad != nil || v.text == "" {
		return 0, false, bad
	}
	n, err := strconv.Atoi(v.text)
	if err != nil || n < -1_000_000 || n > 1_000_000_000 {
		bad = reject(f.name, "is not a whole number")
		bad.value = v.text
		return 0, false, bad
	}
	return n, true, nil
}

// yes returns a flag; said is false where it has none. A text that is none of the usual words rejects the row.
func (f *field) yes(rec decode.Fields) (yes, said bool, bad *Rejected) {
	if rows, whole := f.members(rec); rows != nil {
		return f.yesOfRows(rows, whole)
	}
	return f.yesOf(rec)
}

// yesOf returns a flag of one row.
func (f *field) yesOf(rec decode.Fields) (yes, said bool, bad *Rejected) {
	v, bad := f.find(rec)
	if bad != nil {
		return false, false, bad
	}
	word := v.text
	if v.means != "" {
		word = v.means
	}
	switch strings.ToLower(word) {
	case "":
		return false, false, nil
	case "0", "n", "no", "false", "f":
		return false, true, nil
	case "1", "y", "yes", "true", "t", "x":
		return true, true, nil
	}
	bad = reject(f.name, "is neither yes nor no")
	bad.value = v.text
	return false, false, bad
}
