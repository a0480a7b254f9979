package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"rollcall/ingest"
	"rollcall/models"
)

// linkCmd is what operators do about the links between bookings and corrections records.
type linkCmd struct {
	Explain linkExplainCmd `cmd:"" help:"Say why a booking and a corrections record are linked, or are not."`
	Confirm linkConfirmCmd `cmd:"" help:"Link a booking and a corrections record for good."`
	Dismiss linkDismissCmd `cmd:"" help:"Keep a booking and a corrections record apart for good."`
	Run     linkRunCmd     `cmd:"" help:"Link what changed now, instead of waiting for the job."`
}

// linkPair names a pair on the command line.
type linkPair struct {
	RosterID string `arg:"" help:"Id of the booking."`
	GdcID    string `arg:"" help:"Id of the corrections record."`
	JSON     bool   `name:"json" help:"Print JSON."`
}

type linkConfirmCmd struct{ linkPair }

// Run confirms the pair.
func (c *linkConfirmCmd) Run(ctx context.Context, app *App) error {
	return c.decide(ctx, app, models.LinkConfirmed)
}

type linkDismissCmd struct{ linkPair }

// Run dismisses the pair.
func (c *linkDismissCmd) Run(ctx context.Context, app *App) error {
	return c.decide(ctx, app, models.LinkDismissed)
}

// decide keeps a verdict. What else fits the booking is linked by the next run.
func (c *linkPair) decide(ctx context.Context, app *App, verdict models.LinkVerdict) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := store.DecideLink(ctx, c.RosterID, c.GdcID, verdict); err != nil {
		return err
	}
	if c.JSON {
		return app.printJSON(map[string]any{"roster_id": c.RosterID, "gdc_id": c.GdcID, "verdict": verdict})
	}
	_, err = fmt.Fprintf(app.Stdout, "%s and %s: %s\n", c.RosterID, c.GdcID, verdict)
	return err
}

type linkExplainCmd struct{ linkPair }

// Run explains the pair.
func (c *linkExplainCmd) Run(ctx context.Context, app *App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	e, err := app.linker(store).Explain(ctx, c.RosterID, c.GdcID)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.printJSON(e)
	}
	return printExplanation(app, e)
}

func printExplanation(app *App, e *ingest.LinkExplanation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "booking  %s  %s  born %s\n", e.RosterID, e.BookedName, cmp.Or(e.BookedBorn, "unknown"))
	fmt.Fprintf(&b, "record   %s  %s  born %s\n", e.GdcID, e.RecordName, cmp.Or(e.RecordBorn, "unknown"))
	fmt.Fprintf(&b, "this pair alone: %s", cmp.Or(e.Confidence, "no link"))
	if e.Confidence != "" {
		fmt.Fprintf(&b, ", probability %.4f", e.Probability)
	}
	fmt.Fprintln(&b)
	for _, reason := range e.Reasons {
		fmt.Fprintf(&b, "  %s\n", reason)
	}
	for _, note := range e.Notes {
		fmt.Fprintf(&b, "%s\n", note)
	}
	_, err := fmt.Fprint(app.Stdout, b.String())
	return err
}

type linkRunCmd struct {
	Full bool `help:"Look at every booking, not only at what changed."`
	JSON bool `name:"json" help:"Print the report as JSON."`
}

// Run links and prints what it did.
func (c *linkRunCmd) Run(ctx context.Context, app *App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := app.linker(store).Run(ctx, c.Full)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.printJSON(r)
	}
	_, err = fmt.Fprintf(app.Stdout, "looked at %d bookings and %d corrections records: links made %d, changed %d, removed %d, %.1f s\n",
		r.Bookings, r.Records, r.Made, r.Changed, r.Removed, r.Seconds)
	return err
}
