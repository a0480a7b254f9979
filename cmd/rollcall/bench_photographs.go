package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"rollcall/bench/mix"
	"rollcall/bench/photographs"
	"rollcall/internal/service"
)

// benchPhotographsCmd measures photographs (bench/photographs).
type benchPhotographsCmd struct {
	Small    int  `default:"1000" help:"Photographs of 480 x 600 pixels. Default ${default}."`
	Large    int  `default:"200" help:"Photographs of 1500 x 1875 pixels. Default ${default}."`
	Requests int  `default:"2000" help:"How often photographs of each size are asked for. Default ${default}."`
	JSON     bool `name:"json" help:"Print JSON."`
}

// Run measures photographs from the page of a jail on this machine into a directory, and from there to a caller of /v1.
func (c *benchPhotographsCmd) Run(ctx context.Context, a *service.App) error {
	if c.Small < 1 || c.Large < 1 || c.Requests < 1 {
		return errors.New("--small, --large and --requests must be at least 1")
	}
	return alone(ctx, a, func(own *service.App) error {
		figures, err := c.measure(ctx, own)
		if err != nil {
			return err
		}
		if c.JSON {
			return own.PrintJSON(figures)
		}
		return photographs.Print(own.Stdout, figures)
	})
}

// measure takes every measurement. The service that sends is in this process, which shares its processors with the caller. It
// has no jobs: one would take the photographs of a source away whose document it does not find.
func (c *benchPhotographsCmd) measure(ctx context.Context, own *service.App) (*photographs.Figures, error) {
	own.Log = slog.New(slog.DiscardHandler) // what goes wrong ends the bench
	own.Addr, own.MetricsAddr = "127.0.0.1:0", "off"
	own.Photographs = filepath.Join(own.DataDir, "photographs")
	s, err := own.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Stop()
	key, done, err := mix.Key(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	defer done()
	runner, err := own.Runner(s.Store)
	if err != nil {
		return nil, err
	}
	b := &photographs.Bench{
		Small: c.Small, Large: c.Large, Requests: c.Requests, Store: s.Store, Runner: runner, Dir: own.Photographs,
		URL: "http://" + s.Listener.Addr().String(), Key: key.Reveal(), Progress: own.Stderr, Log: own.Log,
	}
	return b.Run(ctx)
}
