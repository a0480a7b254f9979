package decode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxColumns bounds the columns of a table, however far a cell says it spans.
const maxColumns = 500

// htmlTable is a table read by the texts of its header: the first row with header cells, else the first row.
// Rows of header cells further down repeat it and are left out.
type htmlTable struct {
	// header has the names of the columns; a cell that spans several names each of them.
	header []string
	rows   []*htmlRow
}

// newHTMLTable reads a table. Of two columns with one name the first counts.
func newHTMLTable(page *htmlPage, table *html.Node) *htmlTable {
	t := &htmlTable{}
	lines := tableLines(table)
	if page.spec.Headless {
		t.header = page.spec.Columns
	} else {
		lines = t.readHeader(lines)
	}
	columns := make(map[string]int, len(t.header))
	for i, name := range t.header {
		if _, twice := columns[strings.ToLower(name)]; !twice {
			columns[strings.ToLower(name)] = i
		}
	}
	for _, line := range lines {
		// A row of header cells alone repeats the header.
		if cells := cellsOf(line, atom.Td); len(cells) > 0 {
			t.rows = append(t.rows, &htmlRow{page: page, node: line, columns: columns, cells: cellsOf(line, 0)})
		}
	}
	return t
}

// lacks returns an error with the expected columns that the header does not have, in any letter case.
func (t *htmlTable) lacks(expected []string) error {
	have := make([]string, len(t.header))
	for i, name := range t.header {
		have[i] = strings.ToLower(name)
	}
	var lost []string
	for _, name := range expected {
		if !slices.Contains(have, strings.ToLower(name)) {
			lost = append(lost, name)
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("the header lacks the columns %s", strings.Join(lost, ", "))
	}
	return nil
}

// readHeader takes the first row that has header cells alone, else the first row, as the header, and returns
// the rows after it.
func (t *htmlTable) readHeader(lines []*html.Node) (rest []*html.Node) {
	at := 0
	for i, line := range lines {
		if len(cellsOf(line, atom.Th)) > 0 && len(cellsOf(line, atom.Td)) == 0 {
			at = i
			break
		}
	}
	if len(lines) == 0 {
		return nil
	}
	for _, cell := range cellsOf(lines[at], 0) {
		name := ""
		if cell != nil {
			name = strings.Join(strings.Fields(htmlText(cell)), " ")
		}
		t.header = append(t.header, name)
	}
	return lines[at+1:]
}

// tableLines are the rows of a table, but not those of tables inside it.
func tableLines(table *html.Node) (lines []*html.Node) {
	for child := range table.ChildNodes() {
		switch child.DataAtom {
		case atom.Tr:
			lines = append(lines, child)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			lines = append(lines, tableLines(child)...)
		}
	}
	return lines
}

// cellsOf are the cells of a row, of one kind or (0) of both; a cell over several columns is followed by nils
// for the others.
func cellsOf(line *html.Node, kind atom.Atom) (cells []*html.Node) {
	for child := range line.ChildNodes() {
		if child.DataAtom != atom.Td && child.DataAtom != atom.Th || kind != 0 && child.DataAtom != kind {
			continue
		}
		cells = append(cells, child)
		span, _ := attribute(child, "colspan")
		if n, err := strconv.Atoi(strings.TrimSpace(span)); err == nil && n > 1 && kind == 0 {
			cells = append(cells, make([]*html.Node, min(n, maxColumns)-1)...)
		}
		if len(cells) > maxColumns {
			return cells[:maxColumns]
		}
	}
	return cells
}
