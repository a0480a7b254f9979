package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// printer prints one house, or two side by side.
type printer struct {
	to io.Writer
	// before is nil without a base.
	before, after *house
	// base is the revision of before, as it was given.
	base     string
	markdown bool
}

// figures are the lines of the first table, in its order.
var figures = []struct {
	what string
	of   func(*house) string
}{
	{"lines of source", func(h *house) string { return thousands(h.Source) }},
	{"files of source", func(h *house) string { return thousands(h.Files) }},
	{"lines of tests", func(h *house) string { return thousands(h.Tests) }},
	// Shares and ratios are printed beside the counts that they come from.
	{"lines of tests a line of source", func(h *house) string { return ratio(h.Tests, h.Source) }},
	{"generated lines", func(h *house) string { return thousands(h.Generated) }},
	{"packages", func(h *house) string { return thousands(len(h.Packages)) }},
	{"packages above 3,500 lines", func(h *house) string { return thousands(h.Huge) }},
	{"lines of the biggest package", func(h *house) string { return h.biggest() }},
	{"files over 250 lines", func(h *house) string { return thousands(h.Files250) }},
	{"files over 400 lines", func(h *house) string { return thousands(h.Files400) }},
	{"functions", func(h *house) string { return thousands(h.Functions) }},
	{"functions over 60 lines", func(h *house) string { return thousands(h.Long) }},
	{"comment lines of all that are not blank", func(h *house) string { return percent(h.Comments, h.Code) }},
	{"bytes of SQL in Go strings", func(h *house) string { return thousands(h.SQLInGo) }},
	{"bytes of .sql files beside code", func(h *house) string { return fmt.Sprintf("%s in %d", thousands(h.SQLBytes), h.SQLFiles) }},
	{"bytes of migrations", func(h *house) string { return fmt.Sprintf("%s in %d", thousands(h.Migrated), h.Migrations) }},
	{"interfaces : structs", func(h *house) string { return fmt.Sprintf("%d : %d", h.Interfaces, h.Structs) }},
	{"exported fields without a comment", func(h *house) string { return fmt.Sprintf("%s of %s", thousands(h.Bare), thousands(h.Fields)) }},
	{"lines over 160 characters", func(h *house) string { return thousands(h.Wide) }},
}

// print prints the figures, the packages and the places.
func (p *printer) print() error {
	// The command is part of the page, so that anybody can print it again.
	if p.markdown {
		_, _ = fmt.Fprintf(p.to, "# The house in figures\n\nPrinted by `go run ./bench/house%s --markdown`; its `--help` says how each is counted.\n\n", p.flags())
	}
	t := p.table()
	if p.before == nil {
		t.row("figure", "now")
	} else {
		t.row("figure", "at "+p.base, "now")
	}
	for _, f := range figures {
		if p.before == nil {
			t.row(f.what, f.of(p.after))
		} else {
			t.row(f.what, f.of(p.before), f.of(p.after))
		}
	}
	if err := t.end(); err != nil {
		return err
	}
	if p.before != nil {
		if err := p.rooms("Packages at "+p.base, p.before); err != nil {
			return err
		}
	}
	if err := p.rooms("Packages now", p.after); err != nil {
		return err
	}
	return p.places()
}

// rooms prints the packages of one house, the biggest first.
func (p *printer) rooms(title string, h *house) error {
	_, _ = fmt.Fprintf(p.to, "\n%s%s\n\n", p.heading(), title)
	t := p.table()
	// The columns are those of room, but for what only sums are good for.
	t.row("package", "lines", "files", "comments", "SQL bytes")
	for _, r := range h.Packages {
		t.row(r.Path, thousands(r.Lines), strconv.Itoa(r.Files), percent(r.Comments, r.Code), thousands(r.SQL))
	}
	return t.end()
}

// places prints what is over a limit now, so that it can be found.
func (p *printer) places() error {
	if len(p.after.Places) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(p.to, "\n%sFunctions over %d lines and files over %d now\n\n", p.heading(), longFunction, hugeFile)
	// These places are printed without their share of anything: each is to be looked at.
	for _, at := range p.after.Places {
		if err == nil {
			_, err = fmt.Fprintf(p.to, "- %s\n", at)
		}
	}
	return err
}

// flags returns the flags that the figures were asked for with, for the heading of docs/house.md.
func (p *printer) flags() string {
	if p.before == nil {
		return ""
	}
	return " --base " + p.base
}

// heading is what begins a heading in Markdown; nothing in plain text.
func (p *printer) heading() string {
	if p.markdown {
		return "## "
	}
	return ""
}

// table aligns its columns, or marks them in Markdown. The first error is returned by end.
type table struct {
	to io.Writer
	// columns is nil in Markdown.
	columns *tabwriter.Writer
	// anything is set after the first row, below which Markdown wants a rule.
	anything bool
	err      error
}

// table begins a table in the format of the printer.
func (p *printer) table() *table {
	if p.markdown {
		return &table{to: p.to}
	}
	return &table{columns: tabwriter.NewWriter(p.to, 0, 0, 2, ' ', 0)}
}

// row adds a row. The first one is the head.
func (t *table) row(cells ...string) {
	var err error
	switch {
	// In plain text the columns are aligned at the end, when all widths are known.
	case t.columns != nil:
		_, err = fmt.Fprintln(t.columns, strings.Join(cells, "\t"))
	case t.anything:
		_, err = fmt.Fprintf(t.to, "| %s |\n", strings.Join(cells, " | "))
	default:
		_, err = fmt.Fprintf(t.to, "| %s |\n|---|%s\n", strings.Join(cells, " | "), strings.Repeat("---:|", len(cells)-1))
	}
	t.anything = true
	if t.err == nil {
		t.err = err
	}
}

// end writes what is left, and returns the first error.
func (t *table) end() error {
	if t.columns != nil && t.err == nil {
		t.err = t.columns.Flush()
	}
	return t.err
}

// biggest returns the lines and the path of the biggest package.
func (h *house) biggest() string {
	if len(h.Packages) == 0 {
		return "0"
	}
	return fmt.Sprintf("%s (%s)", thousands(h.Packages[0].Lines), h.Packages[0].Path)
}

// thousands writes 66912 as 66,912. n is not negative.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// percent formats a share of comments.
func percent(comments, code int) string { return fmt.Sprintf("%.1f %%", share(comments, code)) }

// ratio formats a divided by b; "-" where b is 0.
func ratio(a, b int) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}
