package decode

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"rollcall/ingest/document"
)

// eachHTML reads one HTML page. Rows are what the first of the Rows selectors finds that finds anything. A
// table that is found stands for its rows, whose values are named by the texts of the header. A page in which
// no selector finds anything is an error, and never an empty list: a page that says "try again later" would
// otherwise release everybody.
func (s *Spec) eachHTML(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	data, err := s.readWhole(r, limits)
	if err != nil {
		return err
	}
	if s.Empty != "" && len(data) == 0 {
		return yield(hollow(data))
	}
	closed, err := tags(data, limits.Nodes)
	if err != nil {
		return err
	}
	looks := s.EndMarker == "" && !facts.Whole
	text := io.Reader(bytes.NewReader(data))
	if looks {
		text = withEnd(data[:closed])
	}
	root, err := html.Parse(text)
	if err != nil { // deeper than 512 elements
		return fmt.Errorf("read HTML: %w", err)
	}
	page := &htmlPage{selectors: map[string]cascadia.Matcher{}, spec: s, limit: limits.Row}
	if looks {
		page.open = openElements(root)
	}
	page.root = &htmlRow{page: page, node: root}
	page.outer = remember(page.root)
	if err := s.around(page.root, facts); err != nil {
		return err
	}
	if s.EndMarker != "" {
		if !bytes.HasSuffix(data, []byte(s.EndMarker)) {
			return fmt.Errorf("the page is cut off: it does not end with %q", s.EndMarker)
		}
		facts.Marker = true
	}
	rows, header, err := page.rows(root)
	if err != nil {
		if s.Empty != "" {
			return yield(hollow(data))
		}
		return err
	}
	facts.Header = header
	facts.Keys.html(page.root, true)
	bad := page.halfAround(facts.Outer)
	for i, row := range rows {
		facts.Keys.html(row, false)
		facts.runsOut(page.runsOut(row.node))
		if err := yield(&Record{Fields: row, Line: int64(i + 1), Bad: bad}); err != nil {
			return err
		}
	}
	return nil
}

// tags counts the elements of a page before a tree is made of it, and returns the place behind the last whole
// tag or text: a tag that the end of the page cuts is none. A parser repeats in each block what formats its text and is not
// closed, and compares each tag of the page itself with those before it: these count as the elements that they cost.
func tags(data []byte, limit int) (whole int, err error) {
	z := html.NewTokenizer(bytes.NewReader(data))
	for n, formats, pages := 0, 0, 0; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return whole, nil
		}
		whole += len(z.Raw())
		if kind != html.StartTagToken && kind != html.EndTagToken {
			continue
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		if kind == html.EndTagToken {
			if formatting[tag] {
				formats = max(0, formats-1)
			}
			continue
		}
		n++
		switch {
		case formatting[tag]:
			formats++
		case tag == atom.Html, tag == atom.Body:
			n += pages
			pages += len(z.Raw())
		case formats > usualFormats:
			n += formats
		}
		if n > limit {
			return 0, fmt.Errorf("%w: more than %d elements", ErrTooLarge, limit)
		}
	}
}

// usualFormats is how many unclosed formats a page by hand may have, whose text is repeated at no cost to speak of.
const usualFormats = 8

// formatting are the elements that a parser opens again in the next block when they are not closed (HTML, 13.2.4.3).
var formatting = map[atom.Atom]bool{
	atom.A: true, atom.B: true, atom.Big: true, atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Nobr: true,
	atom.S: true, atom.Small: true, atom.Strike: true, atom.Strong: true, atom.Tt: true, atom.U: true,
}

// htmlPage is one page and the selectors compiled for it.
type htmlPage struct {
	spec *Spec
	root *htmlRow
	// outer is root as its rows see it.
	outer *remembered
	// selectors are compiled once for a page; nil for one that does not compile, which the document's check
	// has reported.
	selectors map[string]cascadia.Matcher
	// limit is the most bytes of one row.
	limit int
	// open are the elements within which the page ends; nil if that does not matter.
	open map[*html.Node]bool
}

// rows returns the records of the page, and the header of the first table among them. A table that lacks
// expected columns is not the one that was meant; if there is no other, that is the error.
func (p *htmlPage) rows(root *html.Node) (rows []*htmlRow, header []string, err error) {
	var lost error
	for _, path := range p.spec.Rows {
		found := p.find(root, path)
		for _, node := range found {
			if node.DataAtom != atom.Table {
				rows = append(rows, &htmlRow{page: p, node: node})
				continue
			}
			t := newHTMLTable(p, node)
			if lost = t.lacks(p.spec.Columns); lost != nil {
				continue
			}
			rows = append(rows, t.rows...)
			if header == nil {
				header = t.header
			}
		}
		if len(rows) > 0 || header != nil {
			return rows, header, nil
		}
	}
	if lost != nil {
		return nil, nil, lost
	}
	return nil, nil, fmt.Errorf("the page has no rows at %s", strings.Join(p.spec.Rows, ", "))
}

// find returns what a selector finds below a node; nothing if it is no selector.
func (p *htmlPage) find(node *html.Node, selector string) []*html.Node {
	m, known := p.selectors[selector]
	if !known {
		if sel, err := cascadia.ParseGroup(selector); err == nil {
			m = sel
		}
		p.selectors[selector] = m
	}
	if m == nil {
		return nil
	}
	return cascadia.QueryAll(node, m)
}

// checkMarkup notes paths of rows that cannot be compiled.
func (s *Spec) checkMarkup(path string, problems *document.Problems) {
	for i, rows := range s.Rows {
		var err error
		if s.Format == HTML {
			_, err = cascadia.ParseGroup(rows)
		} else {
			_, err = s.xpath(rows)
		}
		if err != nil {
			problems.Add(document.Index(document.At(path, "rows"), i), "%q cannot be read: %v", rows, err)
		}
	}
}
