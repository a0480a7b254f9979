package decode

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlRow is a record of a page: an element, or a row of a table. Its paths are, tried in this order:
//
//	outer.PATH      the path, read from the whole page
//	raw:PATH        the text with every blank that stands in it: `JANE  DOE` has no middle name
//	label:Booked    what stands beside the text `Booked` or `Booked:`
//	Booking Date    the cell below that header, in any letter case (rows of tables only)
//	h4.name         the first element that the CSS selector finds; `.` is the record itself
//	a@href, @id     an attribute of any of these, of the cell's first element that has it
//
// Texts are as a browser shows them: `<br>` and the ends of paragraphs break lines.
type htmlRow struct {
	page *htmlPage
	node *html.Node
	// columns are those of a table, in lower case.
	columns map[string]int
	// cells have nil where another cell spans the column.
	cells []*html.Node
	// labels are elements by their text, read when the first is asked for.
	labels map[string]*html.Node
}

const (
	labelPath = "label:"
	rawPath   = "raw:"
)

// Value is the text or attribute at a path.
func (r *htmlRow) Value(path string) (string, bool) {
	if rest, ok := strings.CutPrefix(path, outer); ok {
		return r.page.outer.Value(rest)
	}
	if rest, ok := strings.CutPrefix(path, rawPath); ok {
		node := r.node1(rest)
		if node == nil {
			return "", false
		}
		return innerText(node), true
	}
	if label, ok := strings.CutPrefix(path, labelPath); ok {
		return r.beside(label)
	}
	if node := r.node1(path); node != nil {
		return htmlText(node), true
	}
	at := strings.LastIndexByte(path, '@')
	if at < 0 {
		return "", false
	}
	name := path[at+1:]
	if at == 0 {
		return attribute(r.node, name)
	}
	node := r.node1(path[:at])
	if node == nil {
		return "", false
	}
	if v, ok := attribute(node, name); ok {
		return v, true
	}
	for child := range node.Descendants() {
		if v, ok := attribute(child, name); ok {
			return v, true
		}
	}
	return "", false
}

// node1 is the cell or the first element at a path; nil if there is none.
func (r *htmlRow) node1(path string) *html.Node {
	if path == "." {
		return r.node
	}
	if i, ok := r.columns[strings.ToLower(path)]; ok {
		if i < len(r.cells) {
			return r.cells[i]
		}
		return nil
	}
	if found := r.page.find(r.node, path); len(found) > 0 {
		return found[0]
	}
	return nil
}

// Rows are the elements that a selector finds below the record; of a table its rows.
func (r *htmlRow) Rows(path string) []Fields {
	if rest, ok := strings.CutPrefix(path, outer); ok {
		return r.page.outer.Rows(rest)
	}
	var list []Fields
	for _, node := range r.page.find(r.node, path) {
		if node.DataAtom != atom.Table {
			list = append(list, &htmlRow{page: r.page, node: node})
			continue
		}
		for _, row := range newHTMLTable(r.page, node).rows {
			list = append(list, row)
		}
	}
	return list
}

// Null is false: HTML has no null.
func (r *htmlRow) Null(string) bool { return false }

// Raw is the record's HTML, cut at the limit of rows.
func (r *htmlRow) Raw() string {
	var b bytes.Buffer
	if err := html.Render(&b, r.node); err != nil {
		return htmlText(r.node)
	}
	return string(b.Bytes()[:min(b.Len(), r.page.limit)])
}

// attribute returns the value of an attribute, and whether the element has it.
func attribute(node *html.Node, name string) (string, bool) {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// beside returns what stands beside a label, and whether the record has the label. Of two equal labels the
// first counts.
func (r *htmlRow) beside(label string) (string, bool) {
	if r.labels == nil {
		r.labels = map[string]*html.Node{}
		for node := range r.node.Descendants() {
			if node.Type != html.ElementNode || !leaf(node) {
				continue
			}
			text := labelText(htmlText(node))
			if _, again := r.labels[text]; !again && text != "" {
				r.labels[text] = node
			}
		}
	}
	node, ok := r.labels[labelText(label)]
	if !ok {
		return "", false
	}
	return besideNode(node), true
}

// labelText returns a label as it is compared: in lower case, without the colon.
func labelText(s string) string {
	return strings.ToLower(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(s), ":")))
}

// leaf reports whether a node holds no other element.
func leaf(node *html.Node) bool {
	for child := range node.ChildNodes() {
		if child.Type == html.ElementNode {
			return false
		}
	}
	return true
}

// besideNode returns the cell after a label's cell, else what follows the label up to the next label or line
// break.
func besideNode(label *html.Node) string {
	// The label may be an element within its cell.
	if up := label.Parent; up != nil && isCell(up) && labelText(htmlText(up)) == labelText(htmlText(label)) {
		label = up // <td><b>Booked:</b></td><td>...</td>
	}
	cell := isCell(label)
	var said strings.Builder
	for next := label.NextSibling; next != nil; next = next.NextSibling {
		have := strings.TrimSpace(said.String()) != ""
		switch {
		case next.Type == html.ElementNode && cell:
			return htmlText(next)
		case next.Type == html.ElementNode && have && (next.Data == label.Data || next.DataAtom == atom.Br):
			return strings.TrimSpace(said.String())
		case next.Type == html.ElementNode:
			said.WriteString(htmlText(next))
		case next.Type == html.TextNode:
			said.WriteString(next.Data)
		}
	}
	return strings.TrimSpace(said.String())
}

// isCell reports whether an element may be one of a pair of label and value.
func isCell(node *html.Node) bool {
	return node.DataAtom == atom.Td || node.DataAtom == atom.Th || node.DataAtom == atom.Dt
}
