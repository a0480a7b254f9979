package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"rollcall/ingest"
	"rollcall/models"
)

// benchmarks are what can be measured.
type benchmarks struct {
	Mix        benchCmd           `cmd:"" default:"withargs" help:"The query mix on the records that are there."`
	Ingest     benchIngestCmd     `cmd:"" help:"Feeds into an empty database of its own, which is deleted after."`
	Links      benchLinksCmd      `cmd:"" help:"Linking bookings to corrections records, on a database of its own."`
	Deliveries benchDeliveriesCmd `cmd:"" help:"Alerts from an ingest to receivers on this machine, on a database of its own."`
}

type benchIngestCmd struct {
	Rows int  `default:"1000000" help:"Rows of the first load. Default ${default}."`
	JSON bool `name:"json" help:"Print JSON."`
}

// ingestFigure is one measurement.
type ingestFigure struct {
	What    string  `json:"what"`
	Beside  int     `json:"beside"` // bookings of another source that the first load brought
	Rows    int     `json:"rows"`
	Changed int     `json:"changed"` // new, changed and closed records
	Seconds float64 `json:"seconds"`
	PeakMiB int     `json:"peak_mib"` // the greatest resident memory of this process so far, PostgreSQL not counted; 0: not known here
}

// benching is one measurement on a database of its own.
type benching struct {
	app     *App
	runner  *ingest.Runner
	dir     string
	beside  int // rows of the first load
	figures []ingestFigure
}

const firstLoad = "first load"

// Sizes of the refreshes: a roster of the whole state, and the counties.
const (
	benchRoster   = 40_000
	benchCounties = 159
)

// Run measures the pipeline from file to committed facts: a first load, a roster, the same again,
// snapshots of which more and more changed, and the hourly refresh of every county. The roster is read
// beside smaller first loads too, each in a database of its own, which shows whether its cost grows with
// the tables.
func (c *benchIngestCmd) Run(ctx context.Context, a *App) error {
	var figures []ingestFigure
	for _, rows := range []int{c.Rows / 25, c.Rows / 5, c.Rows} {
		err := alone(ctx, a, func(own *App) error {
			_, _ = fmt.Fprintf(a.Stderr, "beside %d bookings\n", rows)
			measured, err := benchIngest(ctx, own, rows, rows == c.Rows)
			figures = append(figures, measured...)
			return err
		})
		if err != nil {
			return err
		}
	}
	if c.JSON {
		return a.printJSON(figures)
	}
	return printIngest(a.Stdout, figures, c.Rows)
}

// newBenching opens the database of its own; done closes it.
func newBenching(ctx context.Context, own *App, rows int) (b *benching, done func(), err error) {
	store, done, err := own.Store(ctx)
	if err != nil {
		return nil, nil, err
	}
	runner, err := own.runner(store)
	if err != nil {
		done()
		return nil, nil, err
	}
	return &benching{app: own, runner: runner, dir: own.DataDir, beside: rows}, done, nil
}

// benchIngest measures in an empty database, with the counties or without them.
func benchIngest(ctx context.Context, own *App, rows int, counties bool) ([]ingestFigure, error) {
	b, done, err := newBenching(ctx, own, rows)
	if err != nil {
		return nil, err
	}
	defer done()
	steps := []func(context.Context) error{b.first, b.again}
	if counties {
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
func (b *benching) first(ctx context.Context) error {
	source, err := ingest.Load("common-csv")
	if err != nil {
		return err
	}
	path := filepath.Join(b.dir, "state_2026-01-05_06-00-00.csv")
	if err := writeCommonCSV(path, b.beside); err != nil {
		return err
	}
	return b.measure(firstLoad, func() (int, int, error) { return b.read(ctx, source, path, time.Time{}) })
}

// again reads one state-wide roster twice, then with more and more changes, and with people who came and went.
func (b *benching) again(ctx context.Context) error {
	source, err := benchSource("bench-state", "")
	if err != nil {
		return err
	}
	at := benchStart
	load := func(from, changed int) func() (int, int, error) {
		path := filepath.Join(b.dir, "roster.csv")
		at = at.Add(time.Hour)
		err := os.WriteFile(path, benchRows(from, benchRoster, changed, at.Hour()), 0o600)
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
func (b *benching) refresh(ctx context.Context) error {
	for hour, what := range []string{"159 new counties", "hourly refresh of 159 counties"} {
		err := b.measure(what, func() (rows, changed int, err error) {
			group, gctx := errgroup.WithContext(ctx)
			group.SetLimit(feedWorkers)
			counts := make([][2]int, benchCounties)
			for i, county := range b.runner.Store.Counties().All() {
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

func (b *benching) county(ctx context.Context, county *models.County, i, hour int) (rows, changed int, err error) {
	source, err := benchSource("bench-"+county.Slug, county.Slug)
	if err != nil {
		return 0, 0, err
	}
	n := (i+1)*benchRoster/benchCounties - i*benchRoster/benchCounties
	path := filepath.Join(b.dir, county.Slug+".csv")
	if err := os.WriteFile(path, benchRows(benchRoster+i*benchRoster/benchCounties, n, hour*n/50, 1), 0o600); err != nil {
		return 0, 0, fmt.Errorf("write roster: %w", err)
	}
	return b.read(ctx, source, path, benchStart.Add(time.Duration(24+hour)*time.Hour))
}

func (b *benching) read(ctx context.Context, source *ingest.Source, path string, at time.Time) (rows, changed int, err error) {
	report, err := b.runner.Run(ctx, source, ingest.Input{Files: []string{path}, At: at})
	if err != nil {
		return 0, 0, err
	}
	if report.State != models.RunOK {
		return 0, 0, fmt.Errorf("bench: %s", report)
	}
	return report.Fetched, report.New + report.Changed + report.Closed, nil
}

func (b *benching) measure(what string, do func() (rows, changed int, err error)) error {
	_, _ = fmt.Fprintln(b.app.Stderr, "measuring:", what)
	began := time.Now()
	rows, changed, err := do()
	if err != nil {
		return fmt.Errorf("measure %s: %w", what, err)
	}
	_, _ = fmt.Fprintf(b.app.Stderr, "measured: %s, %.2f s\n", what, time.Since(began).Seconds())
	b.figures = append(b.figures, ingestFigure{What: what, Beside: b.beside, Rows: rows, Changed: changed, Seconds: time.Since(began).Seconds(), PeakMiB: peakMiB()})
	return nil
}

// peakMiB is the greatest resident memory of this process so far, where the system tells it.
func peakMiB() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	var kib int
	if _, err := fmt.Sscan(string(rest[:min(len(rest), 32)]), &kib); err != nil {
		return 0
	}
	return kib >> 10
}
