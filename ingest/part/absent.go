package part

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rollcall/ingest/decode"
)

// listed is a column of a list that an `each` reads, and what cuts its text.
type listed struct {
	// at is the key of the document that names the column.
	at     string
	column string
	// numbers are those that stand for `%` in the column; none if the column is as it is written.
	numbers []int
	// on are the texts that cut the list, and cutAt the key that names them; only of the column that decides how many there are.
	on    []string
	cutAt string
}

// columns returns the columns of the lists that an `each` reads; none for an `each` that reads rows alone.
func (e *Each) columns() (list []listed) {
	switch {
	case e == nil:
	case e.Parallel != nil:
		for i, c := range e.Parallel.Columns {
			l := listed{at: "each.parallel.columns", column: c}
			if i == 0 {
				l.on, l.cutAt = []string{e.Parallel.On}, "each.parallel.on"
			}
			list = append(list, l)
		}
	case e.Segments != nil:
		list = append(list, listed{at: "each.segments.from", column: e.Segments.From, on: e.Segments.On, cutAt: "each.segments.on"})
	case e.Numbered != nil:
		var numbers []int
		for n := e.Numbered.From; n <= e.Numbered.To; n++ {
			numbers = append(numbers, n)
		}
		for _, c := range e.Numbered.Columns {
			list = append(list, listed{at: "each.numbered.columns", column: c, numbers: numbers})
		}
	}
	return list
}

// texts returns the texts that a record has in the column.
func (l *listed) texts(rec decode.Fields) (texts []string) {
	if len(l.numbers) == 0 {
		if text, ok := rec.Value(l.column); ok {
			return []string{text}
		}
		return nil
	}
	for _, n := range l.numbers {
		if text, ok := rec.Value(strings.ReplaceAll(l.column, "%", strconv.Itoa(n))); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// Meet notes which columns of its lists a record has, and whether anything cuts them.
func (e *Each) Meet(entity string, rec decode.Fields, met map[string]bool) {
	list := e.columns()
	if len(list) == 0 {
		return
	}
	rows := []decode.Fields{rec}
	if e.Rows != "" {
		rows = rec.Rows(e.Rows)
	}
	for _, row := range rows {
		for i := range list {
			for _, text := range list[i].texts(row) {
				met[entity+" "+list[i].column] = true
				if slices.ContainsFunc(list[i].on, func(on string) bool { return strings.Contains(text, on) }) {
					met[entity+" "+list[i].cutAt] = true
				}
			}
		}
	}
}

// Absent says which columns no record has, and which lists nothing cuts.
func (e *Each) Absent(entity string, met map[string]bool) (said []string) {
	list := e.columns()
	for i := range list {
		l := &list[i]
		switch {
		case !met[entity+" "+l.column]:
			said = append(said, fmt.Sprintf("fields.%s.%s: no sample row has a value at %q", entity, l.at, l.column))
		case len(l.on) > 0 && !met[entity+" "+l.cutAt]:
			said = append(said, fmt.Sprintf("fields.%s.%s: no sample row has %q in %q", entity, l.cutAt, l.on, l.column))
		}
	}
	return said
}
