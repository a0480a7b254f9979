package mapping

import (
	"slices"
	"strings"

	"rollcall/ingest/decode"
	"rollcall/ingest/value"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Reported counts which fields the rows of a snapshot stated, to notice what a source does not state any more
// (docs/sources-rules.md, "Drift"). It holds no values, and is stored with the source as JSON.
type Reported struct {
	// Rows are those that were mapped, rejected ones included.
	Rows int `json:"rows"`
	// People are those of Rows that can state who somebody is: of courts with records of several kinds the cases alone.
	People int `json:"people"`
	// Births are rows with a birth date, year or age that can be one.
	Births int `json:"births"`
	// Flags are rows whose own flag says yes or no to whether the person is a juvenile.
	Flags int `json:"flags,omitempty"`
	// Unreadable are rows that are withheld only for an unreadable birth date or age.
	Unreadable int `json:"unreadable,omitempty"`
	// Fields counts, by field, how often one of its paths existed.
	Fields map[string]int `json:"fields"`
	// Signs counts, by path that states who is a juvenile, the rows in which it existed.
	Signs map[string]int `json:"signs"`
}

// Reported returns the counts of all rows mapped until now.
func (m *Mapper) Reported() Reported {
	t := Reported{Rows: m.rows, People: m.people, Births: m.births, Flags: m.flags, Unreadable: m.obscure, Fields: map[string]int{}, Signs: m.signs}
	for _, e := range m.entities {
		for _, f := range e.fields {
			for i := range f.ways {
				if n := f.ways[i].told; n > 0 {
					t.Fields[f.name] += n
				}
			}
		}
	}
	return t
}

// Asked reports whether the document maps a field, written entity.field, that the rows could have stated:
// where records are of several kinds, some were of its own.
func (m *Mapper) Asked(name string) bool {
	entityName, fieldName, _ := strings.Cut(name, ".")
	e := m.entities[entityName]
	if e == nil || e.get(fieldName) == nil {
		return false
	}
	for _, f := range e.fields {
		for i := range f.ways {
			if f.ways[i].told > 0 {
				return true
			}
		}
	}
	return e.when == ""
}

// toldRows is about how many rows of earlier snapshots count in a sum. Older ones fade, so that a source may
// change slowly.
const toldRows = 1000

// With adds the counts of earlier snapshots, of many only a share.
func (t Reported) With(earlier Reported) Reported {
	for earlier.Rows > toldRows {
		earlier = earlier.each(func(n int) int { return (n + 1) / 2 })
	}
	sum := t.each(func(n int) int { return n })
	sum.Rows, sum.People = sum.Rows+earlier.Rows, sum.People+earlier.People
	sum.Births, sum.Flags, sum.Unreadable = sum.Births+earlier.Births, sum.Flags+earlier.Flags, sum.Unreadable+earlier.Unreadable
	for field, n := range earlier.Fields {
		sum.Fields[field] += n
	}
	for path, n := range earlier.Signs {
		sum.Signs[path] += n
	}
	return sum
}

// each is a copy with other counts.
func (t Reported) each(count func(int) int) Reported {
	all := func(counts map[string]int) map[string]int {
		out := make(map[string]int, len(counts))
		for k, n := range counts {
			out[k] = count(n)
		}
		return out
	}
	return Reported{
		Rows: count(t.Rows), People: count(t.People), Births: count(t.Births), Flags: count(t.Flags), Unreadable: count(t.Unreadable),
		Fields: all(t.Fields), Signs: all(t.Signs),
	}
}

// look counts a row and the signs of juveniles in it. Every path is looked at, whichever of them leads to the
// value. A sign that is null says nothing, as if it were gone: nobody is published for the lack of it. A hearing or a
// charge that is a record of its own cannot state who is young.
func (m *Mapper) look(rec *decode.Record) {
	m.rows++
	if e := m.entities[primary[m.config.Kind]]; e != nil && e.when != "" && e.when != rec.Kind {
		return
	}
	m.people++
	for path := range m.signs {
		if _, ok := rec.Value(path); ok {
			m.signs[path]++
		}
	}
}

// Seen counts a mapped row of a roster as Reported does, but for its fields and signs.
func (t *Reported) Seen(row *snapshot.RosterRow) {
	if row.KeyOnly {
		return
	}
	t.Rows++
	t.People++
	if row.BirthYear != 0 || row.Age != 0 {
		t.Births++
	}
	if row.Flagged() {
		t.Flags++
	}
	if row.AgeDoubt == snapshot.DoubtText || row.AgeDoubt == snapshot.DoubtYoung {
		t.Unreadable++
	}
}

// SeenCase counts a mapped row of a court in the same way.
func (t *Reported) SeenCase(row *snapshot.CourtRow) {
	t.Rows++
	if row.Case == nil {
		return
	}
	t.People++
	if row.Case.BirthYear != 0 {
		t.Births++
	}
}

// signsOf lists the paths of the fields that state who is a juvenile.
func signsOf(entities map[string]*entity) map[string]int {
	signs := map[string]int{}
	for _, e := range entities {
		f := e.get("juvenile")
		if f == nil || e.each != nil {
			continue
		}
		for i := range f.ways {
			for _, path := range append([]string{f.ways[i].If, f.ways[i].Unless}, f.ways[i].From...) {
				if path != "" {
					signs[path] = 0
				}
			}
		}
	}
	return signs
}

// flagged is what a source's own flag says of a person. One that is not mapped, or blank, says nothing.
type flagged int

const (
	flagSilent flagged = iota
	flagNo
	flagYes
	// flagUnclear is neither yes nor no.
	flagUnclear
)

// juvenileFlag reads the source's own flag. A word that is neither yes nor no, or a sentinel of the whole
// source (`Unknown`), is no answer, and counted as unknown. A no that comes from no column is silence.
func (m *Mapper) juvenileFlag(f *field, rec decode.Fields) (flagged, *Rejected) {
	if f == nil {
		return flagSilent, nil
	}
	// Of several rows the one counts that speaks of a juvenile, then one in doubt.
	rows, _ := decode.Members(rec)
	if len(rows) < 2 {
		return m.flagOf(f, rec)
	}
	defer f.countOnce()()
	strongest := flagSilent
	for _, row := range rows {
		flag, bad := m.flagOf(f, row)
		if bad != nil {
			return flagSilent, bad
		}
		if strongest = max(strongest, flag); flag == flagYes {
			return flagYes, nil
		}
	}
	return strongest, nil
}

// flagOf reads the flag of one row.
func (m *Mapper) flagOf(f *field, rec decode.Fields) (flagged, *Rejected) {
	v, bad := f.find(rec)
	if bad != nil {
		return flagSilent, bad
	}
	word := v.text
	if v.means != "" {
		word = v.means
	}
	switch strings.ToLower(word) {
	// A value map may make a no of a blank column; only a column with a text says no.
	case "0", "n", "no", "false", "f":
		if v.way.blank(rec) {
			return flagSilent, nil
		}
		return flagNo, nil
	case "1", "y", "yes", "true", "t", "x":
		return flagYes, nil
	case "":
		word = f.sentinel(rec)
	}
	if word == "" {
		return flagSilent, nil
	}
	m.noteUnknown(f, word)
	return flagUnclear, nil
}

// blank reports whether no path of the way says anything.
func (w *way) blank(rec decode.Fields) bool {
	return !slices.ContainsFunc(w.From, func(path string) bool {
		said, _ := rec.Value(path)
		return w.clean(said) != ""
	})
}

// sentinel returns the text of a field that counts as none only by the sentinels of the whole source.
func (f *field) sentinel(rec decode.Fields) string {
	for i := range f.ways {
		w := &f.ways[i]
		for _, path := range w.From {
			said, _ := rec.Value(path)
			said = value.Squeeze(said)
			if said == "" || w.clean(said) != "" || !w.open(rec) {
				continue
			}
			own := false
			for _, none := range w.Way.None {
				own = own || strings.EqualFold(none, said)
			}
			if !own {
				return said
			}
		}
	}
	return ""
}

// orMaybe withholds a person whom a flag leaves in doubt, if nothing else withholds already.
func orMaybe(withheld models.WithheldReason, flag flagged) models.WithheldReason {
	if withheld == "" && flag == flagUnclear {
		return models.WithheldMaybeJuvenile
	}
	return withheld
}
