// Command speed measures how fast bookings meet watchers, with the index of the service: the table of
// docs/performance.md. Watchers and bookings are invented by package labelled; half of the bookings are of watched people
// and written with an error. No watcher has a county or birth, which would only spare work.
//
//	go run ./bench/speed                      # 100,000 and 1,000,000 watchers, each level
//	go run ./bench/speed --watchers 100000 --slowest 20
//	go run ./bench/speed --watchers 100000 --files DIR    # writes the files of `rollcall match standing`, and measures
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/bench/labelled"
	"rollcall/internal/machine"
	"rollcall/match"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

// options are what a run measures and prints.
type options struct {
	tables   string
	watchers []int
	bookings int
	rounds   int
	seed     uint64
	slowest  int
	files    string
	profile  string
}

// parse reads the flags.
func parse(args []string) (options, error) {
	var o options
	var watchers string
	flags := flag.NewFlagSet("speed", flag.ContinueOnError)
	flags.StringVar(&o.tables, "tables", "match/tables", "directory of the matcher's tables")
	flags.StringVar(&watchers, "watchers", "100000,1000000", "numbers of watchers, with commas between")
	flags.IntVar(&o.bookings, "bookings", 5000, "how many bookings")
	flags.IntVar(&o.rounds, "rounds", 3, "how often all bookings are matched; the least time of each counts")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the invented people")
	flags.IntVar(&o.slowest, "slowest", 0, "how many of the slowest bookings to print")
	flags.StringVar(&o.files, "files", "", "directory for watchers-N.tsv and bookings-N.tsv, as rollcall match standing reads them")
	flags.StringVar(&o.profile, "cpuprofile", "", "file for a processor profile of the matching")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for n := range strings.SplitSeq(watchers, ",") {
		many, err := strconv.Atoi(n)
		if err != nil || many < 1 {
			return o, fmt.Errorf("--watchers %q: %q is no number of watchers", watchers, n)
		}
		o.watchers = append(o.watchers, many)
	}
	if o.bookings < 1 || o.rounds < 1 {
		return o, errors.New("--bookings and --rounds must be at least 1")
	}
	return o, nil
}

// run measures and prints one line for each number of watchers and level.
func run(args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return fmt.Errorf("create profile: %w", err)
		}
		defer f.Close() //nolint:errcheck // a file for the developer who asked for it
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("start profile: %w", err)
		}
		defer pprof.StopCPUProfile()
	}
	match.Parse("") // the tables of names are no part of the index
	for _, n := range o.watchers {
		g, err := labelled.New(o.tables, o.seed, labelled.Whole)
		if err != nil {
			return fmt.Errorf("read tables: %w", err)
		}
		people := g.Standing(n, o.bookings)
		if o.files != "" {
			if err := write(o.files, n, &people); err != nil {
				return err
			}
		}
		if err := measureLevels(out, &o, &people); err != nil {
			return err
		}
	}
	return nil
}

// measureLevels prints what each level takes.
func measureLevels(out io.Writer, o *options, people *labelled.Standing) error {
	_, _ = fmt.Fprintf(out, "\n%d watchers, %d bookings in %d rounds, load of the machine %.1f\n", len(people.Watchers), o.bookings, o.rounds, machine.LoadAverage())
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "level\tbookings/s, two cores\tp50 ms\tp99 ms\tp99 ms, first round\tslowest ms\tcandidates\thits")
	var last figures
	var built spent // the least of the three
	var mib float64 // of the first: what the tables of names remember is counted once
	for _, level := range []match.Level{match.Strict, match.Normal, match.Wide} {
		f := measure(people, level, o.rounds)
		_, _ = fmt.Fprintf(w, "%s\t%.0f\t%s\t%s\t%s\t%s\t%.1f\t%d\n", level, f.perSecond, ms(f.p50), ms(f.p99), ms(f.firstP99), ms(f.slowest[0].took),
			f.candidates, f.hits)
		if last.slowest == nil || f.built.processor < built.processor {
			built = f.built
		}
		if last.slowest == nil {
			mib = f.mib
		}
		last = f
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "index: %.0f MiB, built in %.1f s, %.1f processor seconds\n", mib, built.clock.Seconds(), built.processor.Seconds())
	for i, s := range last.slowest[:min(o.slowest, len(last.slowest))] {
		_, _ = fmt.Fprintf(out, "slowest %d: %s ms, %d candidates, %s\n", i+1, ms(s.took), s.scored, s.name)
	}
	return nil
}

// ms prints a duration in milliseconds.
func ms(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000) }
