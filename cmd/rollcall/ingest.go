package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/alecthomas/kong"

	"rollcall/ingest"
	"rollcall/internal/author"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models/source"
)

// ingestCmd groups the reading of sources by hand. The jobs read enabled sources by themselves.
type ingestCmd struct {
	Read   ingestReadCmd   `cmd:"" default:"withargs" help:"Read a source once, now."`
	Replay ingestReplayCmd `cmd:"" help:"Read the raw documents of an earlier run again, with today's source document."`
}

// ingestReadCmd reads a source once, from its address or from given files.
type ingestReadCmd struct {
	// Source is an id, or a file with a document that need not be enabled.
	Source string `required:"" help:"Id of a source, or a source document (YAML file)."`
	// File and More are the same list in two spellings. Files of one source are snapshots of their own when
	// their names state different instants.
	File []string `help:"Files to read instead of asking the source; repeat it, or name several after it." type:"existingfile" sep:"none"`
	More []string `arg:"" optional:"" name:"data" help:"More files." type:"existingfile"`
	// At is the instant that the files describe. It decides whether their facts are newer than known ones, so a
	// wrong instant can release people or keep released people in jail.
	At   author.Instant `help:"The instant that the files speak of (RFC 3339), when their names do not state it; else now, where the document says nothing of names." placeholder:"2026-03-08T06:30:00-05:00"`
	JSON bool           `name:"json" help:"Print the report as JSON."`
	waitFlag
}

// waitFlag lets a command wait for another run of its source.
type waitFlag struct {
	Wait patience `help:"If another run reads the source, wait until it has ended; with --wait=10m for ten minutes at most." placeholder:"DURATION"`
}

// apply makes a runner wait, and print to standard error that it does.
func (f *waitFlag) apply(app *service.App, runner *ingest.Runner) {
	runner.Patience = time.Duration(f.Wait)
	runner.Waiting = func(source string) {
		_, _ = fmt.Fprintf(app.Stderr, "Another run reads %s. Waiting until it has ended.\n", source)
	}
}

// patience is how long a command waits. Its flag needs no value.
type patience time.Duration

// endless is the patience of a flag without a value: until the command is interrupted.
const endless = patience(math.MaxInt64)

// IsBool reports to kong that the flag needs no value.
func (*patience) IsBool() bool { return true }

// Decode reads the flag with its value or without one.
func (p *patience) Decode(ctx *kong.DecodeContext) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		*p = endless
		return nil
	}
	text := ctx.Scan.Pop().String()
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("%.40q is not a duration like 90s or 10m", text)
	}
	*p = patience(d)
	return nil
}

// Run reads the source and prints the report. It fails when the run failed, was held or refused, or when not
// everything was applied: rows went to quarantine, or absence was not read. A script that ignores the exit code
// would take a partial snapshot for a complete one.
func (c *ingestReadCmd) Run(ctx context.Context, app *service.App) error {
	source, err := app.Document(c.Source)
	if err != nil {
		return err
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	runner, err := app.Runner(store)
	if err != nil {
		return err
	}
	c.apply(app, runner)
	bar := app.Bar(-1, "reading "+source.ID)
	runner.Progress = func(p ingest.Progress) {
		bar.Describe(fmt.Sprintf("%s: %s, %s", source.ID, p.Stage, plural.Of(p.Rows, "row")))
		_ = bar.Set64(p.Done) // a bar that can not be drawn is no reason to stop
	}
	// An outcome of the run is in the report. An error means that there was no run at all.
	report, err := runner.Run(ctx, source, ingest.Input{Files: append(c.File, c.More...), At: time.Time(c.At)})
	_ = bar.Clear()
	if err != nil {
		return err
	}
	return printReport(app, report, c.JSON)
}

// printReport prints what a run did. It returns an error when the run was not a full success.
func printReport(a *service.App, r *ingest.Report, asJSON bool) error {
	var err error
	if asJSON {
		err = a.PrintJSON(r)
	} else {
		_, err = fmt.Fprint(a.Stdout, r)
	}
	if err != nil {
		return err
	}
	return failedRun(r)
}

// failedRun returns the error of a run whose report was printed already, or nil for a success.
func failedRun(r *ingest.Report) error {
	switch {
	case r.OK():
		return nil
	case r.Quarantined > 0 && (r.State == source.RunOK || r.State == source.RunPartial):
		return fmt.Errorf("%s of %s went to quarantine", plural.Of(r.Quarantined, "row"), r.Source)
	}
	return fmt.Errorf("%s: run %d is %s: %s", r.Source, r.Run, r.State, r.Note)
}
