package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"rollcall/bench/roster"
	"rollcall/ingest"
	"rollcall/internal/machine"
	"rollcall/models"
	"rollcall/models/source"
)

// firstLoad is left out of the comparison between sizes: it is what makes the sizes.
const firstLoad = "first load"

// Sizes of the refreshes: a roster of the whole state, and the counties.
const (
	statewide = 40_000
	counties  = 159
)

// Figure is one measurement of a run.
type Figure struct {
	What string `json:"what"`
	// Beside is the number of bookings of another source that the first load brought.
	Beside int `json:"beside"`
	// Rows is the number of rows in the documents.
	Rows int `json:"rows"`
	// Changed counts new, changed and closed records.
	Changed int `json:"changed"`
	// Seconds is from the start of the run to its committed transaction.
	Seconds float64 `json:"seconds"`
	// PeakMiB is the greatest resident memory of this process in this step, without PostgreSQL; 0 where it is
	// not known.
	PeakMiB int `json:"peak_mib"`
}

// Ingest measures the pipeline from file to committed facts: a first load, a roster, the same again, and
// snapshots of which more and more changed. With refresh it also measures the hourly refresh of every county.
// It returns all figures so far.
func (b *Bench) Ingest(ctx context.Context, refresh bool) ([]Figure, error) {
	steps := []func(context.Context) error{b.first, b.again}
	if refresh {
		steps = append(steps, b.refresh)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return b.figures, nil
}

// first loads Rows rows of the common CSV into the empty database.
func (b *Bench) first(ctx context.Context) error {
	source, err := ingest.Load("common-csv")
	if err != nil {
		return err
	}
	path := filepath.Join(b.Dir, "state_2026-01-05_06-00-00.csv")
	if err := roster.WriteCommonCSV(path, b.Rows); err != nil {
		return err
	}
	return b.measure(firstLoad, func() (int, int, error) { return b.read(ctx, source, path, time.Time{}) })
}

// again reads one statewide roster twice, then with more and more changes, and with people who came and went.
// The changes are what a run costs: an unchanged row is compared and left alone.
func (b *Bench) again(ctx context.Context) error {
	source, err := roster.Source("bench-state", "")
	if err != nil {
		return err
	}
	at := roster.Start
	load := func(from, changed int) func() (int, int, error) {
		path := filepath.Join(b.Dir, "roster.csv")
		// Each snapshot is an hour later, since an older one changes nothing.
		at = at.Add(time.Hour)
		err := os.WriteFile(path, roster.Rows("Fulton", from, statewide, changed, at.Hour()), 0o600)
		return func() (int, int, error) {
			if err != nil {
				return 0, 0, fmt.Errorf("write roster: %w", err)
			}
			return b.read(ctx, source, path, at)
		}
	}
	for _, step := range []struct {
		what          string
		from, changed int
	}{
		{"a new roster", 0, 0},
		{"the same roster again", 0, 0},
		{"400 rows of it changed", 0, 400},
		{"400 more changed, 400 new, 400 gone", 400, 400},
		{"4000 rows of it changed", 400, 4_000},
		{"40000 rows of it changed", 400, 40_000},
	} {
		if err := b.measure(step.what, load(step.from, step.changed)); err != nil {
			return err
		}
	}
	return nil
}

// refresh reads the roster of every county as the jobs do, several at a time. In the second hour 2 in 100 rows
// changed.
func (b *Bench) refresh(ctx context.Context) error {
	for hour, what := range []string{"159 new counties", "hourly refresh of 159 counties"} {
		err := b.measure(what, func() (rows, changed int, err error) {
			group, gctx := errgroup.WithContext(ctx)
			// As many at once as the jobs of one process read.
			group.SetLimit(b.Workers)
			counts := make([][2]int, counties)
			for i, county := range b.Runner.Store.Counties().All() {
				group.Go(func() error {
					r, c, err := b.county(gctx, county, i, hour)
					counts[i] = [2]int{r, c}
					return err
				})
			}
			err = group.Wait()
			for _, c := range counts {
				rows, changed = rows+c[0], changed+c[1]
			}
			return rows, changed, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// county reads the roster of one county. The counties share the people of a state, so their sizes add up to
// statewide.
func (b *Bench) county(ctx context.Context, county *models.County, i, hour int) (rows, changed int, err error) {
	src, err := roster.Source("bench-"+county.Slug, county.Slug)
	if err != nil {
		return 0, 0, err
	}
	// Differences of rounded sums: the counties differ by one person at most.
	n := (i+1)*statewide/counties - i*statewide/counties
	path := filepath.Join(b.Dir, county.Slug+".csv")
	if err := os.WriteFile(path, roster.Rows(county.Name, statewide+i*statewide/counties, n, hour*n/50, 1), 0o600); err != nil {
		return 0, 0, fmt.Errorf("write roster: %w", err)
	}
	return b.read(ctx, src, path, roster.Start.Add(time.Duration(24+hour)*time.Hour))
}

// read runs one file through the pipeline. Anything but a full success is an error: a held or partial run is
// quicker than one that applies everything.
func (b *Bench) read(ctx context.Context, src *ingest.Source, path string, at time.Time) (rows, changed int, err error) {
	report, err := b.Runner.Run(ctx, src, ingest.Input{Files: []string{path}, At: at})
	if err != nil {
		return 0, 0, err
	}
	if report.State != source.RunOK {
		return 0, 0, fmt.Errorf("bench: %s", report)
	}
	return report.Fetched, report.New + report.Changed + report.Closed, nil
}

// measure times do and adds a figure.
func (b *Bench) measure(what string, do func() (rows, changed int, err error)) error {
	_, _ = fmt.Fprintln(b.Progress, "measuring:", what)
	machine.ForgetPeak()
	began := time.Now()
	rows, changed, err := do()
	if err != nil {
		return fmt.Errorf("measure %s: %w", what, err)
	}
	_, _ = fmt.Fprintf(b.Progress, "measured: %s, %.2f s\n", what, time.Since(began).Seconds())
	b.figures = append(b.figures, Figure{
		What: what, Beside: b.Rows, Rows: rows, Changed: changed,
		Seconds: time.Since(began).Seconds(), PeakMiB: machine.PeakMiB(),
	})
	return nil
}
