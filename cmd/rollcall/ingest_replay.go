package main

import (
	"context"
	"errors"
	"fmt"

	"rollcall/ingest"
	"rollcall/internal/service"
	"rollcall/models"
)

// ingestReplayCmd reads raw documents from the archive again, after the source document was corrected. The
// source is not asked, and newer facts stay as they are.
type ingestReplayCmd struct {
	Runs       int64  `name:"run" help:"Number of the run." placeholder:"N" xor:"what"`
	Quarantine string `help:"Every run of this source that has rows in quarantine, after its document was corrected." placeholder:"SOURCE" xor:"what"`
	JSON       bool   `name:"json" help:"Print the report as JSON."`
	waitFlag
}

// Validate asks for one of the two.
func (c *ingestReplayCmd) Validate() error {
	return oneOf("--run", c.Runs != 0, "--quarantine", c.Quarantine != "")
}

// Run replays one run, or every run of a source with rows in quarantine, oldest first. It prints the report of
// a normal run. Raw documents that have expired (ROLLCALL_RAW_DAYS) cannot be replayed.
func (c *ingestReplayCmd) Run(ctx context.Context, app *service.App) error {
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
	id := c.Quarantine
	if id == "" {
		run, err := store.Run(ctx, c.Runs)
		if err != nil {
			return err
		}
		id = run.SourceID
	}
	// A scope has no document of its own; that of its source reads it.
	of, _ := models.SplitScope(id)
	source, err := app.FindSource()(of)
	if err != nil {
		return fmt.Errorf("source of the replay: %w", err)
	}
	var report *ingest.Report
	if c.Quarantine == "" {
		report, err = runner.Replay(ctx, source, c.Runs)
	} else {
		report, err = runner.ReplayQuarantine(ctx, source)
	}
	if err != nil {
		return err
	}
	if report == nil {
		return errors.New("nothing to replay: no rows of " + id + " are in quarantine, or their documents are not kept any more")
	}
	return printReport(app, report, c.JSON)
}
