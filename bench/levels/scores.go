package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"rollcall/bench/standing"
)

// scores are where the bands of printScores end, from the top.
var scores = []float64{0.95, 0.89, 0.7, 0.5, 0.3, 0.2, 0.1, 0.056, 0.01, 0.0015}

// printScores prints how often alerts of a probability are about the watched person, of those that are not about a
// namesake: names say nothing about these.
func printScores(out io.Writer, r *standing.Result) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "probability\tthe watched\tnamesakes\tother names\tright")
	at, upper := 0, 1.0
	for _, lower := range scores {
		var counts [3]int
		for ; at < len(r.Hits) && r.Hits[at].Probability >= lower; at++ {
			counts[r.Hits[at].Kind]++
		}
		right, wrong := counts[standing.Right], counts[standing.Wrong]
		_, _ = fmt.Fprintf(w, "%g to %g\t%d\t%d\t%d\t%.2f\n", lower, upper, right, counts[standing.Namesake], wrong, float64(right)/float64(max(right+wrong, 1)))
		upper = lower
	}
	w.Flush() //nolint:errcheck // to standard output
}
