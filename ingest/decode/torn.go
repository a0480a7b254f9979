package decode

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TornRow is the reason for a last row that may be half a row (docs/decisions/0011-cut-rows.md). Half an
// amount is a wrong amount, and a row without the birth date that was to come may be a child's. Only the
// author of the source document knows whether its documents end so by themselves.
const TornRow = "the document ends within this row, which may be cut off; if whole documents of this source end so, say decode.ends_unterminated: true"

// runsOut notes whether a row runs into the end of its document. It is called for each row, and the last call
// counts.
func (f *Facts) runsOut(open bool) {
	if f.Cut = ""; open && !f.Whole {
		f.Cut = TornRow
	}
}

// ShowsItsEnd reports whether the document itself says where it ends: by a line or text at its end, or
// because half of it could not be read at all.
func (s *Spec) ShowsItsEnd() bool {
	return s.EndMarker != "" || s.Format.Lined() && s.Total != "" || s.Format == JSON || s.Format == XML
}

// checkEnd notes an OpenEnded that has no effect.
func (s *Spec) checkEnd(need func(ok bool, key, why string)) {
	need(!s.OpenEnded || !s.ShowsItsEnd(), "ends_unterminated", "is for documents that nothing ends: "+
		"those of format json and xml close, and with end_marker or total the end is declared")
}

// endOfPage is a comment that is put behind a page to see within which elements it ends.
const endOfPage = "rollcall: the end of the page"

// withEnd returns a page with that comment behind it.
func withEnd(page []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(page), strings.NewReader("<!--"+endOfPage+"-->"))
}

// openElements removes the comment from a page and returns the elements around it: those that the page does
// not close. If an open comment or script swallowed it, that stands last.
func openElements(root *html.Node) map[*html.Node]bool {
	last := root
	for last.LastChild != nil {
		last = last.LastChild
	}
	for node := range root.Descendants() {
		if node.Type == html.CommentNode && node.Data == endOfPage {
			last = node.Parent
			last.RemoveChild(node)
			break
		}
	}
	open := map[*html.Node]bool{}
	for ; last != nil; last = last.Parent {
		open[last] = true
	}
	return open
}

// runsOut reports whether the page ends within a row. Where neighbouring rows make one record it must not end
// within what holds them either: others of the record may be missing.
func (p *htmlPage) runsOut(row *html.Node) bool {
	if p.open[row] || !p.spec.Split.Groups() {
		return p.open[row]
	}
	// A table has a tbody whether the page writes one or not, so the table itself must be closed.
	up := row.Parent
	for up != nil && (up.DataAtom == atom.Tbody || up.DataAtom == atom.Thead || up.DataAtom == atom.Tfoot) {
		up = up.Parent
	}
	return p.open[up]
}

// halfAround returns why no row of the page can be taken; empty if they can. A value around the rows, which
// all of them have, may be missing or cut off.
func (p *htmlPage) halfAround(paths []string) string {
	half := func(path string) bool {
		if text, ok := p.root.Value(path); !ok || strings.TrimSpace(text) == "" {
			return p.ends()
		}
		node := p.root.node1(strings.TrimPrefix(path, rawPath))
		if label, ok := strings.CutPrefix(path, labelPath); ok {
			node = p.root.labels[labelText(label)].Parent
		}
		return node != nil && p.open[node]
	}
	if slices.ContainsFunc(paths, half) {
		return "the document ends before or within a value that belongs to this row, as it may be cut off; " +
			"if whole documents of this source end so, say decode.ends_unterminated: true"
	}
	return ""
}

// ends reports whether the page ends before its body does.
func (p *htmlPage) ends() bool {
	for node := range p.open {
		if node.DataAtom == atom.Body {
			return true
		}
	}
	return false
}
