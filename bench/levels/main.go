// Command levels derives the thresholds of the levels of watchers from labelled bookings, and prints what each level
// finds and costs: by class of error, by origin of the name, and with examples of what is missed.
//
//	go run ./bench/levels                     # both halves, as docs/matching.md has them
//	go run ./bench/levels --derive 4          # the thresholds, from four draws of the fitting half alone
//	go run ./bench/levels --half held-out --examples 3
//	go run ./bench/levels --draws 5           # the mean of the held-out half of seeds 1 to 5, by origin
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"rollcall/bench/labelled"
	"rollcall/bench/standing"
	"rollcall/match"
	"rollcall/match/watch"
)

// promise is what a level costs its owner at most, in wrong alerts a watcher and year (MATCHING.md, "What a level
// promises").
var promises = []struct {
	level  match.Level
	yearly float64
}{{match.Strict, 0.01}, {match.Normal, 0.2}, {match.Wide, 1}}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "levels:", err)
		os.Exit(1)
	}
}

// options are what a run measures and prints.
type options struct {
	set      standing.Set
	half     string
	examples int
	wrong    int
	derive   int
	draws    int
}

// run measures the chosen halves and prints them.
func run(args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("levels", flag.ContinueOnError)
	flags.StringVar(&o.set.Tables, "tables", "match/tables", "directory of the matcher's tables")
	flags.StringVar(&o.half, "half", "both", "fitting, held-out or both")
	flags.IntVar(&o.set.Watchers, "watchers", 100_000, "how many watchers")
	flags.IntVar(&o.set.Bookings, "bookings", 40_000, "how many bookings")
	flags.Uint64Var(&o.set.Seed, "seed", 1, "seed of the invented people")
	flags.IntVar(&o.examples, "examples", 0, "how many missed bookings of each class to print")
	flags.IntVar(&o.wrong, "wrong", 0, "how many wrong alerts to print")
	flags.IntVar(&o.derive, "derive", 0, "derive the thresholds from so many draws of the fitting half, and print nothing else")
	flags.IntVar(&o.draws, "draws", 0, "print what strict finds and costs by origin, on the mean of so many draws of the held-out half, and nothing else")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.derive > 0 {
		return printDerived(out, &o)
	}
	if o.draws > 0 {
		return printOrigins(out, &o)
	}
	for _, half := range []struct {
		name string
		half labelled.Half
	}{{"fitting", labelled.Training}, {"held-out", labelled.HeldOut}} {
		if o.half != "both" && o.half != half.name {
			continue
		}
		o.set.Half = half.half
		r, err := standing.Measure(o.set)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "\n== %s half: %d watchers, %d bookings, %d of watched people\n", half.name, o.set.Watchers, o.set.Bookings, r.Watched)
		printLevels(out, r)
		if err := printKnown(out, r); err != nil {
			return err
		}
		printScores(out, r)
		printBy(out, "class of error", r, r.Classes, func(h *standing.Hit) string { return h.Class })
		printBy(out, "origin", r, r.Origins, func(h *standing.Hit) string { return h.Origin })
		printExamples(out, r, &o)
	}
	return nil
}

// margin is the part of a promise that a threshold is derived for: people whose names nobody has drawn cost a fifth more.
const margin = 0.85

// printDerived prints the thresholds that hold the promises, with the margin, in the middle one of several draws of the fitting half.
func printDerived(out io.Writer, o *options) error {
	yearly := make([]float64, len(promises))
	for i, p := range promises {
		yearly[i] = margin * p.yearly
	}
	derived, err := standing.Derive(o.set, o.derive, yearly...)
	if err != nil {
		return err
	}
	for i, p := range promises {
		_, _ = fmt.Fprintf(out, "%-7s from %.3g on, in use %g\n", p.level, derived[i], p.level.Threshold())
	}
	eased, err := standing.Ease(o.set, o.derive, match.Strict)
	if err != nil {
		return err
	}
	for _, e := range eased {
		if e.Origin != "" && e.Recall < e.All {
			_, _ = fmt.Fprintf(out, "strict finds %.3f of names that are %s, and %.3f of all: less by %.2f nats finds as many\n", e.Recall, e.Origin, e.All, e.Nats)
		}
	}
	return nil
}

// printLevels prints the threshold that each promise asks for, and the figures of the thresholds in use.
func printLevels(out io.Writer, r *standing.Result) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "level\tpromise\tthreshold\trecall\tin use\trecall\twrong a watcher and year\tnamesakes")
	for _, p := range promises {
		fitted := r.Threshold(p.yearly)
		used := r.Of(p.level)
		_, _ = fmt.Fprintf(w, "%s\t%g\t%.3g\t%.4f\t%g\t%.4f\t%.4f\t%d\n",
			p.level, p.yearly, fitted, r.At(fitted).Recall, p.level.Threshold(), used.Recall, used.WrongYearly, used.Namesakes)
	}
	w.Flush() //nolint:errcheck // to standard output
	_, _ = fmt.Fprintf(out, "compared in full: %d, never compared: %d of the watched\n", r.Scored, len(r.Missed))
}

// printKnown prints what each level finds and costs where watchers know something of the birth, and each booking states a
// birth date. Package match/watch has these figures.
func printKnown(out io.Writer, without *standing.Result) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "known of the birth\tlevel\trecall\twrong a watcher and year\tin match/watch\tnamesakes a watcher and year")
	for _, k := range []struct {
		name  string
		known watch.Known
	}{{"nothing", watch.Nothing}, {"age", watch.Age}, {"year", watch.Year}, {"date", watch.Date}} {
		r := without
		if k.known != watch.Nothing {
			set := without.Set
			set.Known = k.known
			var err error
			if r, err = standing.Measure(set); err != nil {
				return err
			}
		}
		for _, p := range promises {
			f := r.Of(p.level)
			_, _ = fmt.Fprintf(w, "%s\t%s\t%.4f\t%.4g\t%.4g\t%.4g\n",
				k.name, p.level, f.Recall, f.WrongYearly, watch.Wrong(p.level, k.known, watch.YearlyBookings, 1), f.NamesakesYearly)
		}
	}
	return w.Flush()
}

// printBy prints the recall of each level by class or origin, the lowest first.
func printBy(out io.Writer, title string, r *standing.Result, of map[string]int, key func(*standing.Hit) string) {
	var recall [3]map[string]float64
	for i, p := range promises {
		recall[i] = r.RecallBy(p.level, of, key)
	}
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := recall[1][a] - recall[1][b]; d != 0 {
			return map[bool]int{true: -1, false: 1}[d < 0]
		}
		return map[bool]int{true: -1, false: 1}[a < b]
	})
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintf(w, "%s\tbookings\tstrict\tnormal\twide\n", title)
	for _, name := range names {
		_, _ = fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\n", name, of[name], recall[0][name], recall[1][name], recall[2][name])
	}
	w.Flush() //nolint:errcheck // to standard output
}

// printExamples prints bookings of watched people that the level normal misses, and the likeliest wrong alerts.
func printExamples(out io.Writer, r *standing.Result, o *options) {
	left := map[string]int{}
	for _, list := range [][]standing.Hit{r.Missed, r.Hits} {
		for i := range list {
			h := &list[i]
			if h.Kind != standing.Right || h.Alerts(match.Normal) || left[h.Class] >= o.examples {
				continue
			}
			left[h.Class]++
			_, _ = fmt.Fprintf(out, "missed  %.2g\t%s\t%s | %s\n", h.Probability, h.Class, h.Watched, h.Booked)
		}
	}
	wrong := 0
	for i := range r.Hits {
		if h := &r.Hits[i]; h.Kind == standing.Wrong && wrong < o.wrong {
			wrong++
			_, _ = fmt.Fprintf(out, "wrong  %.2g\t%s | %s\n", h.Probability, h.Watched, h.Booked)
		}
	}
}
