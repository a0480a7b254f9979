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
)

const firstLoad = "first load"

// Sizes of the refreshes: a roster of the whole state, and the counties.
const (
	statewide = 40_000
	counties  = 159
)

// Figure is one measurement.
type Figure struct {
	What    string  `json:"what"`
	Beside  int     `json:"beside"` // bookings of another source that the first load brought
	Rows    int     `json:"rows"`
	Changed int     `json:"changed"` // new, changed and closed records
	Seconds float64 `json:"seconds"`
	PeakMiB int     `json:"peak_mib"` // the greatest resident memory of this process so far, PostgreSQL not counted; 0: not known here
}

// Ingest measures the pipeline from file to committed facts: a first load, a roster, the same again, snapshots of which
// more and more changed, and, if wanted, the hourly refresh of every county.
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

// first loads rows of the common CSV into the empty database.
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

// again reads one state-wide roster twice, then with more and more changes, and with people who came and went.
func (b *Bench) again(ctx context.Context) error {
	source, err := roster.Source("bench-state", "")
	if err != nil {
		return err
	}
	at := roster.Start
	load := func(from, changed int) func() (int, int, error) {
		path := filepath.Join(b.Dir, "roster.csv")
		at = at.Add(time.Hour)
		err := os.WriteFile(path, roster.Rows(from, statewide, changed, at.Hour()), 0o600)
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

// refresh reads every county's roster as the jobs do, several at a time; 2 in 100 rows changed.
func (b *Bench) refresh(ctx context.Context) error {
	for hour, what := range []string{"159 new counties", "hourly refresh of 159 counties"} {
		err := b.measure(what, func() (rows, changed int, err error) {
			group, gctx := errgroup.WithContext(ctx)
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

func (b *Bench) county(ctx context.Context, county *models.County, i, hour int) (rows, changed int, err error) {
	source, err := roster.Source("bench-"+county.Slug, county.Slug)
	if err != nil {
		return 0, 0, err
	}
	n := (i+1)*statewide/counties - i*statewide/counties
	path := filepath.Join(b.Dir, county.Slug+".csv")
	if err := os.WriteFile(path, roster.Rows(statewide+i*statewide/counties, n, hour*n/50, 1), 0o600); err != nil {
		return 0, 0, fmt.Errorf("write roster: %w", err)
	}
	return b.read(ctx, source, path, roster.Start.Add(time.Duration(24+hour)*time.Hour))
}

func (b *Bench) read(ctx context.Context, source *ingest.Source, path string, at time.Time) (rows, changed int, err error) {
	report, err := b.Runner.Run(ctx, source, ingest.Input{Files: []string{path}, At: at})
	if err != nil {
		return 0, 0, err
	}
	if report.State != models.RunOK {
		return 0, 0, fmt.Errorf("bench: %s", report)
	}
	return report.Fetched, report.New + report.Changed + report.Closed, nil
}

func (b *Bench) measure(what string, do func() (rows, changed int, err error)) error {
	_, _ = fmt.Fprintln(b.Progress, "measuring:", what)
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
