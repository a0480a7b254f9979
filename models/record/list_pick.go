package record

import (
	"strings"

	"rollcall/match"
	"rollcall/models"
)

// candidate is a record whose name holds the words of a query, as SQL finds it in the order of its list.
type candidate struct {
	key  int64
	name string
	// behind is true behind the cursor of the page.
	behind bool
	// ahead is true of those that come first among equally close names.
	ahead bool
}

// picker takes the page, and one record more, out of the candidates that it sees.
type picker interface {
	see(c *candidate)
	page() []int64
}

// picker returns the picker of the order of the page.
func (l *list[R]) picker() picker {
	if l.page.Order == models.OrderRelevance {
		return &closest{ranking: match.NewClosest(l.words), at: l.page}
	}
	return &inOrder{skip: l.page.Offset, most: l.page.Limit + 1}
}

// inOrder picks in the order of the list.
type inOrder struct {
	skip, most int
	keys       []int64
}

func (p *inOrder) see(c *candidate) {
	switch {
	case !c.behind || len(p.keys) == p.most:
	case p.skip > 0:
		p.skip--
	default:
		p.keys = append(p.keys, c.key)
	}
}

func (p *inOrder) page() []int64 { return p.keys }

// closest picks the closest names.
type closest struct {
	ranking *match.Closest
	at      models.Page
	all     []int64
}

func (p *closest) see(c *candidate) {
	p.ranking.Add(strings.Fields(c.name), c.ahead)
	p.all = append(p.all, c.key)
}

func (p *closest) page() (keys []int64) {
	for _, i := range p.ranking.Page(p.at.Offset, p.at.Limit+1) {
		keys = append(keys, p.all[i])
	}
	return keys
}
