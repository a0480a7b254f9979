package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"rollcall/ingest/raw"
	"rollcall/ingest/takeover"
	"rollcall/internal/demo"
	"rollcall/internal/plural"
	"rollcall/internal/service"
)

// importCmd imports the records of another system, with their ids (docs/operations.md, Backup, upgrade,
// moving). It is run before the first source is enabled. Nothing that it brings raises an event.
type importCmd struct {
	// Dir has the formats that bench/peers/README.md describes. Files that are missing are left out.
	Dir  string `arg:"" type:"existingdir" help:"Directory with roster/*.csv, corrections.csv, links.csv, courts.jsonl."`
	JSON bool   `name:"json" help:"Print the report as JSON."`
}

// Run imports the directory and prints the report. It fails when rows went to quarantine; the other rows are
// stored then. The archive's cipher encrypts the text of quarantined rows.
func (c *importCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	switch invented, err := demo.Invented(ctx, store); {
	case err != nil:
		return err
	case invented:
		return errors.New("this is the database of a demo, whose people are invented: set ROLLCALL_DATA_DIR or ROLLCALL_DATABASE_URL to another place")
	}
	// Rows that cannot be taken keep their text, encrypted, as in the ingest.
	secrets, err := app.SecretKeys()
	if err != nil {
		return err
	}
	seal, err := raw.NewSeal(secrets...)
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
	// The report is printed before this error, so that the reasons of the quarantine are seen.
	if !report.OK() {
		return fmt.Errorf("rows of %s went to quarantine", c.Dir)
	}
	return nil
}

// printImport prints what was imported by family, and why rows or values were not.
func printImport(app *service.App, report *takeover.Report) error {
	for _, f := range report.Families {
		_, err := fmt.Fprintf(app.Stdout, "%s: %s, new %d, known %d, quarantined %d, withheld %d, %.1f s\n",
			f.Family, plural.Of(f.Rows, "row"), f.New, f.Known, f.Quarantined, f.Withheld, f.Seconds)
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
