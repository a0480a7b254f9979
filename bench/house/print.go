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
	to            io.Writer
	before, after *house // before is nil without a base
	base          string
	markdown      bool
}

// figures are the lines of the first table.
var figures = []struct {
	what string
	of   func(*house) string
}{
	{"lines of source", func(h *house) string { return thousands(h.Source) }},
	{"files of source", func(h *house) string { return thousands(h.Files) }},
	{"lines of tests", func(h *house) string { return thousands(h.Tests) }},
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

func (p *printer) print() error {
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

// rooms prints the packages of one house, biggest first.
func (p *printer) rooms(title string, h *house) error {
	_, _ = fmt.Fprintf(p.to, "\n%s%s\n\n", p.heading(), title)
	t := p.table()
	t.row("package", "lines", "files", "comments", "SQL bytes")
	for _, r := range h.Packages {
		t.row(r.Path, thousands(r.Lines), strconv.Itoa(r.Files), percent(r.Comments, r.Code), thousands(r.SQL))
	}
	return t.end()
}

// places prints what is over a limit now, to be found.
func (p *printer) places() error {
	if len(p.after.Places) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(p.to, "\n%sFunctions over %d lines and files over %d now\n\n", p.heading(), longFunction, hugeFile)
	for _, at := range p.after.Places {
		if err == nil {
			_, err = fmt.Fprintf(p.to, "- %s\n", at)
		}
	}
	return err
}

// flags are those that the figures were asked for with.
func (p *printer) flags() string {
	if p.before == nil {
		return ""
	}
	return " --base " + p.base
}

func (p *printer) heading() string {
	if p.markdown {
		return "## "
	}
	return ""
}

// table aligns its columns, or marks them in Markdown.
type table struct {
	to       io.Writer
	columns  *tabwriter.Writer // nil in Markdown
	anything bool
	err      error
}

func (p *printer) table() *table {
	if p.markdown {
		return &table{to: p.to}
	}
	return &table{columns: tabwriter.NewWriter(p.to, 0, 0, 2, ' ', 0)}
}

func (t *table) row(cells ...string) {
	var err error
	switch {
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

func (t *table) end() error {
	if t.columns != nil && t.err == nil {
		t.err = t.columns.Flush()
	}
	return t.err
}

func (h *house) biggest() string {
	if len(h.Packages) == 0 {
		return "0"
	}
	return fmt.Sprintf("%s (%s)", thousands(h.Packages[0].Lines), h.Packages[0].Path)
}

// thousands writes 66912 as 66,912.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func percent(comments, code int) string { return fmt.Sprintf("%.1f %%", share(comments, code)) }

func ratio(a, b int) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}
