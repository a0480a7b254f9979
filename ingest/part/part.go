// Package part finds the several things of one record, such as the charges of a booking: rows nested in the record, lists in
// columns, pieces of a text, and columns with a number in their names. It is the `each` of a source document.
//
// Each thing is a record of its own; what it does not hold is read from the whole. The package is pure. It is not for what the
// texts mean, which ingest/mapping reads.
package part

import (
	"maps"
	"slices"
	"strings"

	"rollcall/ingest/document"
)

// Max bounds the things of one kind in a record. A row with more is broken, and is rejected.
const Max = 500

// Each says how the several things of one record are found. One of its fields is set, or Rows and one of the others.
type Each struct {
	// Path of records nested in the record (json, xml, html; `rows` itself for those of `decode.split`). With another key, the lists or texts of each of them.
	Rows string `yaml:"rows" example:"Charges"`
	// Lists in several columns, paired by their position.
	Parallel *Parallel `yaml:"parallel"`
	// One text, cut into pieces.
	Segments *Segments `yaml:"segments"`
	// Columns with a number in their names.
	Numbered *Numbered `yaml:"numbered"`
}

// Parallel are columns that hold lists joined by On, paired by position with the first of them. An empty
// element counts. A column that holds one element while the first holds more speaks of the whole record, not
// of the first thing.
type Parallel struct {
	// The text between two elements of a list; in html a `<br>` and the end of a paragraph are `"\n"`.
	On string `yaml:"on" required:"true" example:"'|'"`
	// The columns; fields read the elements under these names.
	Columns []string `yaml:"columns" required:"true" example:"[charges, bonds]"`
}

// Segments cut the text of From at any of On. A piece is read under `text`, and its clauses, cut at Clauses,
// under `1`, `2` and so on.
type Segments struct {
	// Path of the text.
	From string `yaml:"from" required:"true" example:"Offenses"`
	// The texts between two pieces; fields read a piece as `text`. In html a `<br>` and the end of a paragraph are `"\n"`.
	On document.Texts `yaml:"on" required:"true" example:"[';', '<br />']"`
	// The text between two clauses of a piece; fields read the clauses as `1`, `2` and so on.
	Clauses string `yaml:"clauses" example:"','"`
}

// Numbered are columns with a number in their names; `%` in a path stands for it.
type Numbered struct {
	// The columns, with `%` for the number; fields name them in the same way.
	Columns []string `yaml:"columns" required:"true" example:"[charge_%, bond_%]"`
	// The first number.
	From int `yaml:"from" min:"0" absent:"0" example:"1"`
	// The last number, at most 1,000 above the first.
	To int `yaml:"to" min:"0" absent:"0" example:"12"`
}

// Check notes an `each` with none or several ways, and columns that are not known: known are those that the decoder
// declares; nil if they are not known before a document is read.
func (e *Each) Check(path string, known map[string]bool, problems *document.Problems) {
	if e == nil {
		return
	}
	ways := 0
	for _, given := range []bool{e.Rows != "", e.Parallel != nil, e.Segments != nil, e.Numbered != nil} {
		if given {
			ways++
		}
	}
	if ways != 1 && (ways != 2 || e.Rows == "") {
		problems.Add(path, "needs exactly one of rows, parallel, segments, numbered, or rows and one of the others")
	}
	document.Check(path, e, problems)
	if n := e.Numbered; n != nil && len(n.Columns) > 0 && (n.To < n.From || n.To-n.From > 1000 || !strings.Contains(n.Columns[0], "%")) {
		problems.Add(document.At(path, "numbered"), "needs columns with %% in their names, and to at or after from, by 1,000 at most")
	}
	if e.Numbered != nil || known == nil {
		return
	}
	list := e.columns()
	for i := range list {
		if l := &list[i]; !known[l.column] && !strings.HasPrefix(l.column, "outer.") {
			problems.Add(strings.TrimSuffix(path, "each")+l.at, "there is no column %q%s", l.column, document.Suggest(l.column, slices.Sorted(maps.Keys(known))))
		}
	}
}

// Paths lists every path that an `each` reads; empty ones are among them.
func (e *Each) Paths() (paths []string) {
	if e == nil {
		return nil
	}
	paths = []string{e.Rows}
	if e.Parallel != nil {
		paths = append(paths, e.Parallel.Columns...)
	}
	if e.Segments != nil {
		paths = append(paths, e.Segments.From)
	}
	if e.Numbered != nil {
		paths = append(paths, e.Numbered.Columns...)
	}
	return paths
}
