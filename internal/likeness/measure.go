package likeness

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"rollcall/faces"
	"rollcall/internal/service"
)

// measureCmd measures the verifier on labelled pairs.
type measureCmd struct {
	Pairs string `arg:"" help:"CSV with the columns first, second (files, relative to it), same (true or false), and if you like group." type:"existingfile"`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// tally counts what the verifier said of the pairs of one group that show one person, or that do not.
type tally struct {
	Group        string `json:"group"`
	Same         bool   `json:"same"` // the pairs show one person
	Pairs        int    `json:"pairs"`
	Match        int    `json:"match"`
	Inconclusive int    `json:"inconclusive"`
	Different    int    `json:"different"`
	NotCompared  int    `json:"not_compared"` // without a face that can be compared: in inconclusive too
}

// Run compares each pair and prints the counts by group.
func (c *measureCmd) Run(ctx context.Context, app *service.App) error {
	v, err := faces.Load(place(app))
	if err != nil {
		return err
	}
	f, err := os.Open(c.Pairs)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	tallies, err := measure(ctx, f, func(first, second string) (faces.Result, error) {
		dir := filepath.Dir(c.Pairs)
		return compareFiles(ctx, v, beside(dir, first), beside(dir, second))
	})
	if err != nil {
		return fmt.Errorf("measure pairs of %s: %w", c.Pairs, err)
	}
	if c.JSON {
		return app.PrintJSON(map[string]any{"model": faces.Model, "groups": tallies})
	}
	w := tabwriter.NewWriter(app.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "GROUP\tPAIRS OF\tPAIRS\tMATCH\tINCONCLUSIVE\tDIFFERENT\tNOT COMPARED")
	for _, t := range tallies {
		people := "two people"
		if t.Same {
			people = "one person"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", t.Group, people, t.Pairs, t.Match, t.Inconclusive, t.Different, t.NotCompared)
	}
	return w.Flush()
}

// beside returns a file that a list names: relative names lie beside the list.
func beside(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// measure reads a list of pairs and counts what compare says of them. A line that cannot be read ends it with the
// number of the line.
func measure(ctx context.Context, list io.Reader, compare func(first, second string) (faces.Result, error)) ([]tally, error) {
	r := csv.NewReader(list)
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("the list has no header: %w", err)
	}
	column := map[string]int{"group": -1}
	for _, name := range []string{"first", "second", "same"} {
		if column[name] = slices.Index(header, name); column[name] < 0 {
			return nil, fmt.Errorf("the list has no column %s: its header is first,second,same and if you like group", name)
		}
	}
	column["group"] = slices.Index(header, "group")
	type key struct {
		group string
		same  bool
	}
	counts := map[key]*tally{}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		k := key{group: "all"}
		switch row[column["same"]] {
		case "true":
			k.same = true
		case "false":
		default:
			return nil, fmt.Errorf("line %d: same is %q: write true or false", line, row[column["same"]])
		}
		if at := column["group"]; at >= 0 && row[at] != "" {
			k.group = row[at]
		}
		got, err := compare(row[column["first"]], row[column["second"]])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if counts[k] == nil {
			counts[k] = &tally{Group: k.group, Same: k.same}
		}
		counts[k].add(got)
	}
	return slices.SortedFunc(values(counts), func(a, b tally) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(rank(a.Same), rank(b.Same)))
	}), nil
}

// values yields the tallies of a map.
func values[K comparable](m map[K]*tally) func(func(tally) bool) {
	return func(yield func(tally) bool) {
		for v := range maps.Values(m) {
			if !yield(*v) {
				return
			}
		}
	}
}

// rank puts pairs of one person first.
func rank(same bool) int {
	if same {
		return 0
	}
	return 1
}

// add counts one comparison.
func (t *tally) add(r faces.Result) {
	t.Pairs++
	switch r.State {
	case faces.Match:
		t.Match++
	case faces.Different:
		t.Different++
	case faces.Inconclusive:
		t.Inconclusive++
	}
	if math.IsNaN(r.Distance) {
		t.NotCompared++
	}
}
