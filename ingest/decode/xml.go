package decode

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
	"golang.org/x/net/html/charset"
)

// eachXML reads one XML document; rows and values are XPaths. A document type declaration is refused, so
// there are no entities but the five of XML: neither files nor bombs can be brought in by them. A document
// without rows is an error, unless it declares that it has none.
func (s *Spec) eachXML(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	data, err := s.readWhole(r, limits)
	if err != nil {
		return err
	}
	if s.Empty != "" && len(data) == 0 {
		return yield(hollow(data))
	}
	if err := s.soundXML(data, limits); err != nil {
		return err
	}
	root, err := xmlquery.ParseWithOptions(bytes.NewReader(data), xmlquery.ParserOptions{
		Decoder: &xmlquery.DecoderOptions{Strict: true, CharsetReader: s.xmlCharset},
	})
	if err != nil {
		return fmt.Errorf("read XML: %w", err)
	}
	doc := &xmlDoc{spec: s, paths: map[string]*xpath.Expr{}, limit: limits.Row}
	doc.root = &xmlRow{doc, root}
	doc.outer = remember(doc.root)
	if err := s.around(doc.root, facts); err != nil {
		return err
	}
	for _, path := range s.Rows {
		rows := doc.root.Rows(path)
		for i, row := range rows {
			if element, ok := row.(*xmlRow); ok {
				facts.Keys.xml(element.node)
			}
			if err := yield(&Record{Fields: row, Line: int64(i + 1)}); err != nil {
				return err
			}
		}
		if len(rows) > 0 {
			return nil
		}
	}
	// Nothing was found. That is no error where the document declares that there is nothing, or the source
	// document says so.
	switch {
	case s.Empty != "":
		return yield(hollow(data))
	case facts.Total != nil && *facts.Total == 0:
		return nil
	}
	return fmt.Errorf("the document has no rows at %s", strings.Join(s.Rows, ", "))
}

// soundXML checks every token before a tree is made of them.
func (s *Spec) soundXML(data []byte, limits Limits) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = s.xmlCharset
	for depth, nodes := 0, 0; ; {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read XML: %w", err)
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
			nodes++
		case xml.EndElement:
			depth--
		case xml.Directive:
			return errors.New("read XML: a document type declaration is not accepted")
		}
		if depth > limits.Nesting {
			return fmt.Errorf("is nested deeper than %d", limits.Nesting)
		}
		if nodes > limits.Nodes {
			return fmt.Errorf("%w: more than %d elements", ErrTooLarge, limits.Nodes)
		}
	}
}

// xmlCharset reads the character set that a document declares. Where the source names one, the text is UTF-8
// already, whatever the declaration says.
func (s *Spec) xmlCharset(label string, r io.Reader) (io.Reader, error) {
	if s.Charset != "" {
		return r, nil
	}
	return charset.NewReaderLabel(label, r)
}

// xpath compiles a path with the document's namespaces.
func (s *Spec) xpath(path string) (*xpath.Expr, error) {
	return xpath.CompileWithNS(path, s.Spaces)
}

// xmlDoc is one document and the paths compiled for it. Compiling takes longer than reading a value, and each
// path is read for every row.
type xmlDoc struct {
	spec *Spec
	root *xmlRow
	// outer is root as its rows see it.
	outer *remembered
	// paths are compiled once for a document; nil for one that does not compile.
	paths map[string]*xpath.Expr
	limit int
}

// path returns the compiled path; nil for one that does not compile.
func (d *xmlDoc) path(path string) *xpath.Expr {
	expr, known := d.paths[path]
	if !known {
		if made, err := d.spec.xpath(path); err == nil {
			expr = made
		}
		d.paths[path] = expr
	}
	return expr
}

// xmlRow is an element. Its paths are XPaths below it (`Name/Last`, `@statute`, `concat(...)`), or with
// `outer.` before them, XPaths of the document.
type xmlRow struct {
	doc  *xmlDoc
	node *xmlquery.Node
}

// Value is the text of the first node, or the value of the expression.
func (x *xmlRow) Value(path string) (string, bool) {
	if rest, ok := strings.CutPrefix(path, outer); ok {
		return x.doc.outer.Value(rest)
	}
	expr := x.doc.path(path)
	if expr == nil {
		return "", false
	}
	switch v := expr.Evaluate(xmlquery.CreateXPathNavigator(x.node)).(type) {
	case string:
		return v, v != ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	case *xpath.NodeIterator:
		if v.MoveNext() {
			return v.Current().Value(), true
		}
	}
	return "", false
}

// Rows are the elements at a path.
func (x *xmlRow) Rows(path string) []Fields {
	if rest, ok := strings.CutPrefix(path, outer); ok {
		return x.doc.outer.Rows(rest)
	}
	expr := x.doc.path(path)
	if expr == nil {
		return nil
	}
	nodes := xmlquery.QuerySelectorAll(x.node, expr)
	list := make([]Fields, len(nodes))
	for i, node := range nodes {
		list[i] = &xmlRow{x.doc, node}
	}
	return list
}

// Null is false: an element without a text is an empty text.
func (x *xmlRow) Null(string) bool { return false }

// Raw is the record's XML, cut at the limit of rows.
func (x *xmlRow) Raw() string {
	raw := x.node.OutputXML(true)
	return raw[:min(len(raw), x.doc.limit)]
}
