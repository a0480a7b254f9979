package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"rollcall/ingest"
	"rollcall/ingest/takeover"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models/store"
)

// importCmd takes the records of an existing system over.
type importCmd struct {
	Dir  string `arg:"" type:"existingdir" help:"Directory with roster/*.csv, corrections.csv, links.csv, courts.jsonl."`
	JSON bool   `name:"json" help:"Print the report as JSON."`
}

// Run takes the directory over and prints the report. It fails when rows went to quarantine.
func (c *importCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	secret, err := app.Secret()
	if err != nil {
		return err
	}
	seal, err := ingest.NewSeal(secret)
	if err != nil {
		return err
	}
	bar := app.Bar(-1, "importing "+c.Dir)
	im := &takeover.Importer{Store: store, Seal: seal, Log: app.Log, Now: time.Now, Progress: func(done, total int64) {
		bar.ChangeMax64(total)
		_ = bar.Set64(done) // a bar that can not be drawn is no reason to stop
	}}
	report, err := im.Import(ctx, c.Dir)
	_ = bar.Clear()
	if err == nil {
		err = settleCases(ctx, app, store)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		err = app.PrintJSON(report)
	} else {
		err = printImport(app, report)
	}
	if err != nil {
		return err
	}
	if !report.OK() {
		return fmt.Errorf("rows of %s went to quarantine", c.Dir)
	}
	return nil
}

// settleCases reads the rows of court sources again that waited for cases which were taken over. A source that is
// being read does so itself at the end, and one whose document is gone can not be read.
func settleCases(ctx context.Context, a *service.App, store *store.Store) error {
	ids, err := store.AwaitingSources(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	runner, err := a.Runner(store)
	if err != nil {
		return err
	}
	for _, id := range ids {
		source, err := a.FindSource(nil)(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("source %s, whose rows wait for cases: %w", id, err)
		}
		if _, err := runner.Settle(ctx, source); err != nil && !errors.Is(err, ingest.ErrBusy) {
			return fmt.Errorf("read rows of %s that waited for cases: %w", id, err)
		}
	}
	return nil
}

// printImport prints what was taken over, and why rows or values were not.
func printImport(app *service.App, report *takeover.Report) error {
	for _, f := range report.Families {
		_, err := fmt.Fprintf(app.Stdout, "%s: %s, new %d, known %d, quarantined %d, withheld %d, %.1f s\n", f.Family, plural.Of(f.Rows, "row"), f.New, f.Known, f.Quarantined, f.Withheld, f.Seconds)
		if err != nil {
			return err
		}
		for _, list := range []struct {
			title  string
			counts map[string]int
		}{{"quarantined", f.Reasons}, {"value left out", f.LeftOut}} {
			for _, reason := range slices.Sorted(maps.Keys(list.counts)) {
				if _, err := fmt.Fprintf(app.Stdout, "  %s: %s (%d)\n", list.title, reason, list.counts[reason]); err != nil {
					return err
				}
			}
		}
	}
	_, err := fmt.Fprintf(app.Stdout, "done in %.1f s\n", report.Seconds)
	return err
}
