package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"rollcall/ingest"
)

type benchLinksCmd struct {
	Rows int  `default:"1000000" help:"Bookings; the corrections records are half as many. Default ${default}."`
	JSON bool `name:"json" help:"Print JSON."`
}

// linksFigure is one run of the linker.
type linksFigure struct {
	What     string  `json:"what"`
	Bookings int     `json:"bookings"` // looked at
	Records  int     `json:"records"`  // corrections records that are there
	Made     int     `json:"made"`     // links
	Seconds  float64 `json:"seconds"`
	PeakMiB  int     `json:"peak_mib"` // the greatest resident memory of this process so far, PostgreSQL not counted; 0: not known here
}

// Run measures linking on records that came through the ingest: everything once, then what a new roster brought, then nothing.
func (c *benchLinksCmd) Run(ctx context.Context, a *App) error {
	var figures []linksFigure
	err := alone(ctx, a, func(own *App) (err error) {
		figures, err = benchLinks(ctx, own, c.Rows)
		return err
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(figures)
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tbookings\trecords\tlinks made\tseconds\tpeak MiB")
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2f\t%d\n", f.What, f.Bookings, f.Records, f.Made, f.Seconds, f.PeakMiB)
	}
	return w.Flush()
}

func benchLinks(ctx context.Context, own *App, rows int) ([]linksFigure, error) {
	b, done, err := newBenching(ctx, own, rows)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := b.first(ctx); err != nil {
		return nil, err
	}
	if err := b.offenders(ctx, rows/2); err != nil {
		return nil, err
	}
	var figures []linksFigure
	link := func(what string, full bool) error {
		_, _ = fmt.Fprintln(own.Stderr, "measuring:", what)
		began := time.Now()
		r, err := own.linker(b.runner.Store).Run(ctx, full)
		if err != nil {
			return fmt.Errorf("measure %s: %w", what, err)
		}
		figures = append(figures, linksFigure{What: what, Bookings: r.Bookings, Records: r.Records, Made: r.Made, Seconds: time.Since(began).Seconds(), PeakMiB: peakMiB()})
		return nil
	}
	if err := link("everything", true); err != nil {
		return nil, err
	}
	roster := filepath.Join(b.dir, "roster.csv")
	if err := os.WriteFile(roster, benchRows(0, min(rows, benchRoster), 0, 0), 0o600); err != nil {
		return nil, fmt.Errorf("write roster: %w", err)
	}
	source, err := benchSource("bench-state", "")
	if err != nil {
		return nil, err
	}
	if _, _, err := b.read(ctx, source, roster, benchStart); err != nil {
		return nil, err
	}
	if err := link("what a new roster brought", false); err != nil {
		return nil, err
	}
	return figures, link("everything again", true)
}

// offenders loads so many corrections records: every second person has a booking too.
func (b *benching) offenders(ctx context.Context, records int) error {
	source, err := ingest.Load("corrections-fixed")
	if err != nil {
		return err
	}
	path := filepath.Join(b.dir, "offenders_20260105.txt")
	if err := writeOffenders(path, records, b.beside); err != nil {
		return err
	}
	return b.measure("corrections records", func() (int, int, error) { return b.read(ctx, source, path, time.Time{}) })
}

// writeOffenders writes a file of shape F23, one sentence each. People from `strangers` on are in no other file.
func writeOffenders(path string, records, strangers int) error {
	f, err := os.Create(path) //nolint:gosec // in a directory of the bench's own
	if err != nil {
		return fmt.Errorf("write offenders: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for i := range records {
		person := i
		if i%2 == 1 {
			person += strangers
		}
		last, first, dob := benchPerson(person)
		_, _ = fmt.Fprintf(w, "%08d%-18s%-12s%-75s%s%-8s%-41s%-74s\n", i+1, last, first, "", dob[:4]+dob[5:7]+dob[8:], "DOOLYSP", "I", benchCharge[i%7])
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write offenders: %w", err)
	}
	return f.Close()
}
