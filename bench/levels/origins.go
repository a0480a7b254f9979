package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"rollcall/bench/labelled"
	"rollcall/bench/standing"
)

// tally counts over several draws.
type tally struct{ booked, watchers, found, wrong float64 }

// printOrigins prints what each level finds and costs by where the watched names are from, over several draws of the held-out half.
func printOrigins(out io.Writer, o *options) error {
	const everybody = "all"
	counts := make([]map[string]*tally, len(promises))
	for i := range counts {
		counts[i] = map[string]*tally{}
	}
	set, yearly := o.set, 0.0
	set.Half = labelled.HeldOut
	for range o.draws {
		r, err := standing.Measure(set)
		if err != nil {
			return err
		}
		yearly += float64(r.Bookings-r.Watched) / standing.YearlyBookings / float64(o.draws)
		for i, p := range promises {
			of := func(origin string) []*tally {
				for _, key := range []string{everybody, origin} {
					if counts[i][key] == nil {
						counts[i][key] = &tally{}
					}
				}
				return []*tally{counts[i][everybody], counts[i][origin]}
			}
			for origin, n := range r.Watching {
				for _, t := range of(origin) {
					t.watchers += float64(n)
					t.booked += float64(r.Origins[origin])
				}
			}
			for k := range r.Hits {
				h := &r.Hits[k]
				if h.Kind == standing.Namesake || !h.Alerts(p.level) {
					continue
				}
				for _, t := range of(h.Origin) {
					if h.Kind == standing.Right {
						t.found++
					} else {
						t.wrong++
					}
				}
			}
		}
		set.Seed++
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "names from\tlevel\tbookings\trecall\tbelow all\twrong a watcher and year")
	for _, origin := range slices.Sorted(maps.Keys(counts[0])) {
		for i, p := range promises {
			t, all := counts[i][origin], counts[i][everybody]
			recall := t.found / t.booked
			_, _ = fmt.Fprintf(w, "%s\t%s\t%.0f\t%.4f\t%.4f\t%.4f\n", origin, p.level, t.booked, recall, all.found/all.booked-recall, t.wrong/t.watchers/yearly)
		}
	}
	return w.Flush()
}
