package decode

import (
	"maps"
	"slices"
	"strings"

	"github.com/antchfx/xmlquery"
	"github.com/tidwall/gjson"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Keys collects the names under which the rows of a document without a header hold values, to notice new and
// missing ones (docs/sources-rules.md, "Drift"). They are the keys of JSON objects (`Charges.Name`, whatever
// the position in a list), elements and attributes of XML (`Charge/@code`), and labels of HTML that look like
// those of Labels, or the classes of elements that hold a text (`span.offense`). It holds names only, no
// values. A nil *Keys collects nothing.
type Keys struct {
	// Labels are, in html, the paths with `label:` that are read.
	Labels []string
	// Classes reports whether, in html, values are found by classes.
	Classes bool

	seen map[string]bool
	// full is set when more than maxKeys paths were met; the rest is not noted. A hostile document cannot
	// fill the memory with them.
	full bool
}

// maxKeys bounds the names. A source with more makes keys of data, and then none of them is a name.
const maxKeys = 1000

// Names returns the names in order; nil if there are none or too many.
func (k *Keys) Names() []string {
	if k.full || len(k.seen) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(k.seen))
}

// note remembers a path. Looking up a []byte as a string copies nothing.
func (k *Keys) note(path []byte) {
	if k.full || k.seen[string(path)] {
		return
	}
	if k.seen == nil {
		k.seen = map[string]bool{}
	}
	k.seen[string(path)] = true
	k.full = len(k.seen) > maxKeys
}

// plainKey returns a key, or * for one that is data: a number or date of a record, the name of a person.
// Names are reported, so data must not be among them.
func plainKey(key string) string {
	run := 0
	for i := range len(key) {
		if c := key[i]; c >= '0' && c <= '9' {
			run++
		} else {
			run = 0
		}
		if run > 2 || key[i] == ',' {
			return "*"
		}
	}
	if key == "" || len(key) > 64 || run == len(key) {
		return "*"
	}
	return key
}

// json notes the keys of a row and, below the path of an embedded text, those of the JSON in it. The row must
// be valid.
func (k *Keys) json(row gjson.Result, embedded []string) {
	if k == nil || k.full {
		return
	}
	k.jsonBelow(row, make([]byte, 0, 128), embedded)
}

// jsonBelow notes the paths below a value, those of embedded texts too. Items of a list share the path of the
// list.
func (k *Keys) jsonBelow(v gjson.Result, path []byte, embedded []string) {
	list := v.IsArray()
	v.ForEach(func(key, value gjson.Result) bool {
		at := path
		if !list {
			if len(at) > 0 {
				at = append(at, '.')
			}
			at = append(at, plainKey(key.Str)...)
			k.note(at)
		}
		if value.Type == gjson.String && !list && slices.Contains(embedded, string(at)) {
			value = gjson.Parse(value.Str)
		}
		if value.Type == gjson.JSON {
			k.jsonBelow(value, at, embedded)
		}
		return !k.full
	})
}

// xml notes the elements and attributes below a row.
func (k *Keys) xml(row *xmlquery.Node) {
	if k != nil && !k.full {
		k.xmlBelow(row, make([]byte, 0, 128))
	}
}

// xmlBelow notes elements and attributes below a node; namespaces are not part of a path.
func (k *Keys) xmlBelow(node *xmlquery.Node, path []byte) {
	under := func(name string) []byte {
		at := path
		if len(at) > 0 {
			at = append(at, '/')
		}
		return append(at, name...)
	}
	for _, a := range node.Attr {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
			k.note(under("@" + a.Name.Local))
		}
	}
	for child := node.FirstChild; child != nil && !k.full; child = child.NextSibling {
		if child.Type == xmlquery.ElementNode {
			at := under(child.Data)
			k.note(at)
			k.xmlBelow(child, at)
		}
	}
}

// html notes the labels of a row, or with above those of the page around the rows, that look like the ones
// that are read.
func (k *Keys) html(row *htmlRow, above bool) {
	if k == nil || k.full {
		return
	}
	if k.Classes && !above {
		k.classes(row.node)
	}
	var seen []labelShape
	look := &shapes{numbers: map[*html.Node]int{}}
	for _, path := range k.Labels {
		rest, of := strings.CutPrefix(path, outer)
		label, ok := strings.CutPrefix(rest, labelPath)
		if !ok || of != above {
			continue
		}
		row.beside(label) // finds all labels of the row
		if node := row.labels[labelText(label)]; node != nil && look.tells(node) && !slices.Contains(seen, look.of(node)) {
			seen = append(seen, look.of(node))
		}
	}
	if len(seen) == 0 {
		return
	}
	// Only labels that look like one that is read are noted: other texts may be names of people.
	for text, node := range row.labels {
		if plainKey(text) == text && slices.Contains(seen, look.of(node)) {
			k.note([]byte(text))
		}
	}
}

// classes notes the classes of the elements of a row that hold a text and no other element.
func (k *Keys) classes(row *html.Node) {
	for node := range row.Descendants() {
		if node.Type != html.ElementNode || !leaf(node) {
			continue
		}
		class, ok := attribute(node, "class")
		if !ok || htmlText(node) == "" {
			continue
		}
		for name := range strings.FieldsSeq(class) {
			if plainKey(name) == name {
				k.note([]byte(node.Data + "." + name))
			}
		}
	}
}

// labelShape is what makes an element look like a label.
type labelShape struct {
	tag, class string
	colon      bool
	// first reports, of a table's cell, whether it stands where a pair of cells begins.
	first bool
}

// shapes finds what makes elements look like labels. The cells of a table's row are numbered once, and not again for each.
type shapes struct{ numbers map[*html.Node]int }

// of returns what makes an element look like a label.
func (s *shapes) of(node *html.Node) labelShape {
	class, _ := attribute(node, "class")
	shape := labelShape{tag: node.Data, class: class, colon: strings.HasSuffix(strings.TrimSpace(htmlText(node)), ":")}
	if node.DataAtom == atom.Td {
		shape.first = s.number(node)%2 == 0
	}
	return shape
}

// number returns how many cells stand before a cell.
func (s *shapes) number(cell *html.Node) int {
	if n, known := s.numbers[cell]; known || cell.Parent == nil {
		return n
	}
	n := 0
	for node := range cell.Parent.ChildNodes() {
		if isCell(node) {
			s.numbers[node] = n
			n++
		}
	}
	return s.numbers[cell]
}

// tells reports whether the shape of a label is that of labels alone and not of values too: the name of a person must
// not be noted as the name of a value.
func (s *shapes) tells(label *html.Node) bool {
	shape := s.of(label)
	if shape.colon || label.DataAtom == atom.Dt || label.DataAtom == atom.Th || label.DataAtom == atom.Label || label.DataAtom == atom.Td && shape.first {
		return true
	}
	next := label.NextSibling
	for next != nil && next.Type != html.ElementNode {
		next = next.NextSibling
	}
	return shape.class != "" && next != nil && s.of(next) != shape
}
