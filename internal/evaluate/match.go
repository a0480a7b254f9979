// Package evaluate is the command `rollcall match`. It runs the matching of names on files of an operator's
// own, and prints what was found, how sure it is, and how long it took. It needs no database. It uses the same
// package match as the service, so its results are those that watchers and links would have; docs/matching.md
// quotes its figures.
//
// It may import match, bench/pairs and the settings of internal/service. It has no rules of matching itself.
package evaluate

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"rollcall/bench/pairs"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/match"
)

// Command evaluates the matcher on files, without a database.
type Command struct {
	// Pairs is the plain question: are two names one person's?
	Pairs pairsCmd `cmd:"" help:"Score pairs of names."`
	// Standing is what happens to a new booking: many watchers, of which few may match.
	Standing standingCmd `cmd:"" help:"Match bookings against watchers."`
	// Link is what links bookings to corrections records, with birth dates.
	Link linkCmd `cmd:"" help:"Link bookings to corrections records."`
}

// Help returns the end of the help of `rollcall match`, which explains its figures. Kong calls it.
func (Command) Help() string {
	return fmt.Sprintf("All files are lines of fields separated by tabs; \"-\" is standard input. Probabilities run from 0 to 1. "+
		"The default threshold of pairs is %.2f: from there on two names are held to be one person's. "+
		"A watcher's level asks for more or less: strict %.2f, normal %.2f (the default), wide %.2f.",
		match.DefaultThreshold, match.Strict.Threshold(), match.Normal.Threshold(), match.Wide.Threshold())
}

// pairsCmd scores pairs of names: one line out for each line in, in order.
type pairsCmd struct {
	// File has tab-separated lines. A line with too few fields ends the run: a score of it would mean nothing.
	File string `arg:"" help:"Lines: id, watched name, booked name, with a tab between."`
	// Explain makes the run slower: reasons are only found when they are asked for.
	Explain bool `help:"Print the reasons as a third column."`
	Bench   bool `help:"Instead of the scores, print how many warm pairs a core scores in a second."`
}

// Run scores the pairs of the file as it reads them, so the file may be larger than the memory.
func (c *pairsCmd) Run(ctx context.Context, app *service.App) error {
	if c.Bench {
		return c.bench(ctx, app)
	}
	in, err := openInput(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	out := bufio.NewWriterSize(app.Stdout, 1<<16)
	line := make([]byte, 0, 256)
	err = eachLine(ctx, in, 3, func(fields []string) error {
		a, b := match.Parse(at(fields, 1)), match.Parse(at(fields, 2))
		line = append(append(line[:0], at(fields, 0)...), '\t')
		// Six digits are enough to sort by and few enough to compare two versions by eye.
		line = strconv.AppendFloat(line, match.Compare(&a, &b).Probability, 'f', 6, 64)
		if c.Explain {
			line = append(append(line, '\t'), strings.Join(match.Explain(&a, &b), "; ")...)
		}
		_, err := out.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("score pairs of %s: %w", c.File, err)
	}
	return out.Flush()
}

// bench prints how many pairs of the file a core scores in a second. The names are parsed before, as they are
// in the service.
func (c *pairsCmd) bench(ctx context.Context, app *service.App) error {
	all, err := readLines(ctx, c.File, 3, func(f []string) pairs.Pair {
		return pairs.Pair{Watched: match.Parse(at(f, 1)), Booked: match.Parse(at(f, 2))}
	})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("score pairs of %s: it has no lines", c.File)
	}
	rate := pairs.Measure(ctx, all)
	_, err = fmt.Fprintf(app.Stdout, "pairs/s of one core %.0f, allocations a pair %.2f\n", rate.PerSecond, rate.Allocations)
	return err
}

// openInput opens a file, or standard input for "-".
func openInput(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	f, err := os.Open(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("open input: %w", err)
	}
	return f, nil
}

// eachLine calls f with the fields of each line that is not empty, until f fails or ctx ends. A line with fewer than
// least fields is an error. Errors have the number of the line. A line may have up to 1 MiB.
func eachLine(ctx context.Context, r io.Reader, least int, f func(fields []string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), 1<<20)
	for n := 1; s.Scan(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		fields := strings.Split(strings.TrimSuffix(s.Text(), "\r"), "\t")
		if len(fields) == 1 && fields[0] == "" {
			continue
		}
		if len(fields) < least {
			return fmt.Errorf("line %d has %s: it needs %d, with a tab between", n, plural.Of(len(fields), "field"), least)
		}
		if err := f(fields); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return s.Err()
}

// readLines returns what read makes of each line of a file.
func readLines[T any](ctx context.Context, path string, least int, read func(fields []string) T) ([]T, error) {
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // only read
	var out []T
	err = eachLine(ctx, in, least, func(fields []string) error {
		out = append(out, read(fields))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return out, nil
}

// at returns field i, or an empty text when the line is too short.
func at(fields []string, i int) string {
	if i < len(fields) {
		return fields[i]
	}
	return ""
}
