package main

import (
	"context"
	"fmt"

	"rollcall/bench/pipeline"
	"rollcall/internal/service"
)

// benchIngestCmd measures the ingest of large files (bench/pipeline).
type benchIngestCmd struct {
	Rows int  `default:"1000000" help:"Rows of the first load. Default ${default}."`
	JSON bool `name:"json" help:"Print JSON."`
}

// Run measures the pipeline from file to committed facts. It repeats the measurements beside smaller first
// loads, each in a database of its own. So the table shows whether the cost of a roster grows with the tables.
func (c *benchIngestCmd) Run(ctx context.Context, a *service.App) error {
	var figures []pipeline.Figure
	for _, rows := range []int{c.Rows / 25, c.Rows / 5, c.Rows} {
		err := alone(ctx, a, func(own *service.App) error {
			_, _ = fmt.Fprintf(a.Stderr, "beside %d bookings\n", rows)
			// The counties are refreshed beside the largest load only, which is the one that an installation
			// has.
			return withPipeline(ctx, own, rows, func(b *pipeline.Bench) error {
				measured, err := b.Ingest(ctx, rows == c.Rows)
				figures = append(figures, measured...)
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	if c.JSON {
		return a.PrintJSON(figures)
	}
	return pipeline.Print(a.Stdout, figures, c.Rows)
}

// benchLinksCmd measures the linking of bookings with corrections records.
type benchLinksCmd struct {
	Rows int  `default:"1000000" help:"Bookings; the corrections records are half as many. Default ${default}."`
	JSON bool `name:"json" help:"Print JSON."`
}

// Run measures linking on records that came through the ingest, not on rows written into the tables.
func (c *benchLinksCmd) Run(ctx context.Context, a *service.App) error {
	var figures []pipeline.LinkFigure
	err := alone(ctx, a, func(own *service.App) error {
		return withPipeline(ctx, own, c.Rows, func(b *pipeline.Bench) (err error) {
			figures, err = b.Links(ctx)
			return err
		})
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return a.PrintJSON(figures)
	}
	return pipeline.PrintLinks(a.Stdout, figures)
}

// withPipeline opens the store of a benchmark with so many rows for as long as measure runs.
func withPipeline(ctx context.Context, a *service.App, rows int, measure func(*pipeline.Bench) error) error {
	store, done, err := a.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	runner, err := a.Runner(store)
	if err != nil {
		return err
	}
	return measure(&pipeline.Bench{Runner: runner, Linker: a.Linker(store), Dir: a.DataDir, Rows: rows, Workers: service.FeedWorkers, Progress: a.Stderr})
}
