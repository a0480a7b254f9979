package main

import (
	"context"
	"fmt"

	"rollcall/bench/pipeline"
	"rollcall/internal/service"
)

type benchIngestCmd struct {
	Rows int  `default:"1000000" help:"Rows of the first load. Default ${default}."`
	JSON bool `name:"json" help:"Print JSON."`
}

// Run measures the pipeline from file to committed facts. The roster is read beside smaller first loads too, each in a
// database of its own, which shows whether its cost grows with the tables.
func (c *benchIngestCmd) Run(ctx context.Context, a *service.App) error {
	var figures []pipeline.Figure
	for _, rows := range []int{c.Rows / 25, c.Rows / 5, c.Rows} {
		err := alone(ctx, a, func(own *service.App) error {
			_, _ = fmt.Fprintf(a.Stderr, "beside %d bookings\n", rows)
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

type benchLinksCmd struct {
	Rows int  `default:"1000000" help:"Bookings; the corrections records are half as many. Default ${default}."`
	JSON bool `name:"json" help:"Print JSON."`
}

// Run measures linking on records that came through the ingest.
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
