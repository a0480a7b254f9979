package pipeline

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Print prints the figures beside the largest first load, and then compares those that were measured beside
// each first load. largest is the number of its rows. If a row of the comparison grows from left to right, a
// cost grows with the tables.
func Print(to io.Writer, figures []Figure, largest int) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\trows\tchanged\tseconds\tpeak MiB")
	var beside []int // sizes, as they were measured
	seconds := map[string][]float64{}
	for _, f := range figures {
		if f.Beside == largest {
			fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%d\n", f.What, f.Rows, f.Changed, f.Seconds, f.PeakMiB)
		}
		if !slices.Contains(beside, f.Beside) {
			beside = append(beside, f.Beside)
		}
		// A first load is as large as its name says, so its seconds do not compare.
		if f.What != firstLoad {
			seconds[f.What] = append(seconds[f.What], f.Seconds)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, _ = fmt.Fprint(w, "\nseconds beside bookings of others:")
	for _, n := range beside {
		fmt.Fprintf(w, "\t%d", n)
	}
	fmt.Fprintln(w)
	for _, f := range figures {
		if s := seconds[f.What]; f.Beside == largest && len(s) == len(beside) {
			_, _ = fmt.Fprint(w, f.What)
			for _, each := range s {
				fmt.Fprintf(w, "\t%.2f", each)
			}
			fmt.Fprintln(w)
		}
	}
	return w.Flush()
}

// PrintLinks prints the runs of the linker.
func PrintLinks(to io.Writer, figures []LinkFigure) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tbookings\trecords\tlinks made\tseconds\tpeak MiB")
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2f\t%d\n", f.What, f.Bookings, f.Records, f.Made, f.Seconds, f.PeakMiB)
	}
	return w.Flush()
}
