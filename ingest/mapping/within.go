package mapping

import (
	"strconv"
	"strings"

	"rollcall/ingest/decode"
)

// maxParts bounds the things of one entity in a record; a row with more is broken.
const maxParts = 500

// tooMany is where counting them may end.
const tooMany = maxParts + 2

// piece is a record made of a part of another; what it does not hold, the whole one gives.
type piece struct {
	decode.Fields
	parts map[string]string
}

func (p piece) Value(path string) (string, bool) {
	if v, ok := p.parts[path]; ok {
		return v, true
	}
	return p.Fields.Value(path)
}

// element is one position of parallel lists.
type element struct {
	decode.Fields
	columns []string
	parts   []string
}

func (e element) Value(path string) (string, bool) {
	for i, c := range e.columns {
		if c == path {
			return e.parts[i], true
		}
	}
	return e.Fields.Value(path)
}

func (p *Parallel) within(rec decode.Fields) []decode.Fields {
	lists := make([][]string, len(p.Columns))
	for i, c := range p.Columns {
		v, _ := rec.Value(c)
		if strings.TrimSpace(v) != "" {
			lists[i] = strings.SplitN(v, p.On, tooMany)
		}
	}
	n := len(lists[0])
	list := make([]decode.Fields, 0, n)
	all := make([]string, n*len(p.Columns))
	for i := range n {
		parts := all[i*len(p.Columns) : (i+1)*len(p.Columns)]
		for j := range p.Columns {
			if i < len(lists[j]) && (len(lists[j]) > 1 || n == 1) {
				parts[j] = strings.TrimSpace(lists[j][i])
			}
		}
		list = append(list, element{rec, p.Columns, parts})
	}
	return list
}

func (s *Segments) within(rec decode.Fields) []decode.Fields {
	text, _ := rec.Value(s.From)
	for _, on := range s.On[1:] {
		text = strings.ReplaceAll(text, on, s.On[0])
	}
	var list []decode.Fields
	for segment := range strings.SplitSeq(text, s.On[0]) {
		segment = stripTags(segment)
		if segment == "" {
			continue
		}
		if len(list) > maxParts {
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
