// Command house measures how the source of rollcall is built: its size, its packages, its comments, and how
// much SQL stands in Go strings. It reads files only; nothing is compiled. docs/house.md is its output, and
// people who split a package or write comments see here what that changed. Its figures are signs and not goals:
// a comment that says nothing counts too.
//
//	go run ./bench/house --base 5b0bdf5
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
)

// description ends the help with the rules, so that a figure can be checked by hand.
// The help explains each rule in full, because figures of unknown rules cannot be compared.
const description = `Measure the source: sizes, packages, comments, and SQL in Go strings.

Source is every .go file of the module that is neither generated (a line "// Code generated ... DO NOT EDIT.") nor a test (_test.go). ` +
	`Modules within the module, testdata, and directories that begin with a dot or an underscore are left out.

Comment lines hold nothing but a comment; a comment behind code makes no comment line. Their share is of the lines that are not blank.

A string counts as SQL when it is longer than 20 bytes and, after blanks and opening brackets, begins like a statement ("select", "insert into", ` +
	`"update ... set", "delete from", "with ... as (", "create table", "alter table", "drop table", "copy ... from", "lock table", "set local", ` +
	`"analyze", "truncate", "listen", "notify" and their kin), or begins like a part of one ("exists (", "order by", "on conflict", "left join" and their kin), ` +
	`or holds " from " beside "select " or " where ", a join, or a comparison with a numbered placeholder. With it count the strings that it is concatenated with, and the constants and variables of its ` +
	`package among them. Comments, struct tags, import paths, tests, and conditions handed to GORM do not count.`

// options are the flags.
type options struct {
	Dir string `default:"." type:"existingdir" help:"Root of the module. Default ${default}."`
	// Base is anything that git resolves to a commit. Its files are measured by the rules of today.
	Base     string `help:"Revision of git to print beside the files of today." placeholder:"REV"`
	Markdown bool   `help:"Print tables in Markdown, as docs/house.md holds them."`
	JSON     bool   `name:"json" help:"Print JSON."`
}

// main exits with 1 when the tree or the revision cannot be read.
func main() {
	var o options
	kong.Parse(&o, kong.Name("house"), kong.Description(description))
	if err := o.run(context.Background(), os.Stdout); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// run measures the files of today, and those of a revision if one is given, and prints them.
func (o options) run(ctx context.Context, out io.Writer) error {
	after, err := measure(o.Dir)
	if err != nil {
		return err
	}
	var before *house
	if o.Base != "" {
		if before, err = measureRevision(ctx, o.Dir, o.Base); err != nil {
			return err
		}
	}
	// JSON has both houses whole, for programs that compare more than the first table shows.
	if o.JSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			Base   string `json:"base,omitempty"`
			Before *house `json:"before,omitempty"`
			After  *house `json:"after"`
		}{o.Base, before, after})
	}
	p := printer{to: out, before: before, after: after, base: o.Base, markdown: o.Markdown}
	return p.print()
}
