package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"rollcall/bench/roster"
	"rollcall/ingest"
	"rollcall/internal/machine"
)

// LinkFigure is one run of the linker.
type LinkFigure struct {
	What string `json:"what"`
	// Bookings is how many the run looked at.
	Bookings int `json:"bookings"`
	// Records is how many corrections records there are.
	Records int `json:"records"`
	// Made counts new links.
	Made    int     `json:"made"`
	Seconds float64 `json:"seconds"`
	// PeakMiB is the greatest resident memory of this process in this run, without PostgreSQL; 0 where it is
	// not known.
	PeakMiB int `json:"peak_mib"`
}

// Links measures linking on records that came through the ingest: everything once, then what a new roster
// brought, then everything again, which changes nothing. The corrections records are half as many as the
// bookings.
func (b *Bench) Links(ctx context.Context) ([]LinkFigure, error) {
	if err := b.first(ctx); err != nil {
		return nil, err
	}
	if err := b.offenders(ctx, b.Rows/2); err != nil {
		return nil, err
	}
	var figures []LinkFigure
	link := func(what string, full bool) error {
		_, _ = fmt.Fprintln(b.Progress, "measuring:", what)
		machine.ForgetPeak()
		began := time.Now()
		r, err := b.Linker.Run(ctx, full)
		if err != nil {
			return fmt.Errorf("measure %s: %w", what, err)
		}
		figures = append(figures, LinkFigure{
			What: what, Bookings: r.Bookings, Records: r.Records, Made: r.Made,
			Seconds: time.Since(began).Seconds(), PeakMiB: machine.PeakMiB(),
		})
		return nil
	}
	if err := link("everything", true); err != nil {
		return nil, err
	}
	// The new roster is about the same people as the first load, so most of its bookings find a record.
	path := filepath.Join(b.Dir, "roster.csv")
	if err := os.WriteFile(path, roster.Rows("Fulton", 0, min(b.Rows, statewide), 0, 0), 0o600); err != nil {
		return nil, fmt.Errorf("write roster: %w", err)
	}
	source, err := roster.Source("bench-state", "")
	if err != nil {
		return nil, err
	}
	if _, _, err := b.read(ctx, source, path, roster.Start); err != nil {
		return nil, err
	}
	if err := link("what a new roster brought", false); err != nil {
		return nil, err
	}
	return figures, link("everything again", true)
}

// offenders loads so many corrections records. Every second person has a booking too, so links are to be found.
func (b *Bench) offenders(ctx context.Context, records int) error {
	source, err := ingest.Load("corrections-fixed")
	if err != nil {
		return err
	}
	path := filepath.Join(b.Dir, "offenders_20260105.txt")
	if err := roster.WriteOffenders(path, records, b.Rows); err != nil {
		return err
	}
	return b.measure("corrections records", func() (int, int, error) { return b.read(ctx, source, path, time.Time{}) })
}
