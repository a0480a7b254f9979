package photographs

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Print prints the figures as two tables.
func Print(to io.Writer, f *Figures) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "the jail shows\tKB each\tphotographs\tstored a second\tcpu ms each\tload") // Flush returns what went wrong
	for _, s := range f.Stored {
		_, _ = fmt.Fprintf(w, "%d x %d\t%.0f\t%d\t%.1f\t%.1f\t%.1f\n", s.Width, s.Height, s.KB, s.Photographs, s.PerSecond, s.CPU, s.Load)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(w, "\nthe jail showed\tsize\tKB each\trequests\tp50 ms\tp99 ms\tload")
	for _, s := range f.Sent {
		_, _ = fmt.Fprintf(w, "%d x %d\t%s\t%.0f\t%d\t%.2f\t%.2f\t%.1f\n", s.Width, s.Height, s.Size, s.KB, s.Requests, s.P50, s.P99, s.Load)
	}
	return w.Flush()
}
