package decode

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText is the text of an element as a browser shows it: runs of blanks are one blank; `<br>` and the
// borders of blocks break lines. Depth is bounded by the parser.
func htmlText(node *html.Node) string {
	var t shown
	t.add(node)
	return strings.Trim(t.b.String(), " \n")
}

// shown is a text under construction.
type shown struct {
	b strings.Builder
	// last is the byte written last; 0 before the first.
	last byte
}

// add writes what a browser shows of a node: no scripts, no comments, a line for each block.
func (t *shown) add(node *html.Node) {
	switch node.Type {
	case html.TextNode:
		t.words(node.Data)
		return
	case html.ElementNode, html.DocumentNode:
	case html.ErrorNode, html.CommentNode, html.DoctypeNode, html.RawNode:
		return
	}
	block := false
	switch node.DataAtom {
	case atom.Br:
		t.write('\n')
		return
	case atom.Script, atom.Style, atom.Template, atom.Noscript:
		return
	case atom.P, atom.Div, atom.Li, atom.Tr, atom.Td, atom.Th, atom.Dt, atom.Dd,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Table, atom.Ul, atom.Ol:
		block = true
	}
	if block {
		t.line()
	}
	for child := range node.ChildNodes() {
		t.add(child)
	}
	if block {
		t.line()
	}
}

// words writes text with runs of blanks as one, as HTML collapses them.
func (t *shown) words(text string) {
	for i := range len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r', '\f':
			if t.last != ' ' && t.last != '\n' && t.last != 0 {
				t.write(' ')
			}
		default:
			t.write(c)
		}
	}
}

// write appends one byte.
func (t *shown) write(c byte) {
	t.b.WriteByte(c)
	t.last = c
}

// line begins a new line unless the text is at the beginning of one.
func (t *shown) line() {
	if t.last != '\n' && t.last != 0 {
		t.write('\n')
	}
}

// innerText is the text of an element as it is written.
func innerText(node *html.Node) string {
	var b strings.Builder
	for child := range node.Descendants() {
		if child.Type == html.TextNode {
			b.WriteString(child.Data)
		}
	}
	return b.String()
}
