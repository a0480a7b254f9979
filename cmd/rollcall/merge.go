package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"rollcall/internal/service"
	"rollcall/models"
)

// mergeCmd groups the merges of records that turned out to be one. From then on both ids resolve to the record
// that stayed, even if a source goes on listing both. `rollcall unmerge` undoes it.
type mergeCmd struct {
	Roster      mergeRosterCmd      `cmd:"" help:"Merge a booking into another of the same county."`
	Corrections mergeCorrectionsCmd `cmd:"" help:"Merge a corrections record into another."`
	Courts      mergeCourtsCmd      `cmd:"" help:"Merge a court case into another of the same county, by ids like case-fulton-12."`
}

// mergePair names the two records on the command line, by the ids that callers see.
type mergePair struct {
	// Kept supplies the facts as long as a source lists its key.
	Kept string `arg:"" help:"Id of the record that stays."`
	// Gone keeps its links and claims, but under the id of Kept.
	Gone string `arg:"" help:"Id of the record that goes; it resolves to the other from now on."`
	// Yes answers the question in advance. Without it, a command whose input is no terminal merges nothing.
	Yes  bool `help:"Do not ask; needed where nobody can be asked."`
	JSON bool `name:"json" help:"Print JSON."`
}

// mergeRosterCmd merges two bookings of one county.
type mergeRosterCmd struct{ mergePair }

// Run merges the bookings. The booking that stays is open as long as a source lists either key.
func (c *mergeRosterCmd) Run(ctx context.Context, app *service.App) error {
	return c.merge(ctx, app, models.Roster, "What sources say, and links,")
}

// mergeCorrectionsCmd merges two records of the corrections department.
type mergeCorrectionsCmd struct{ mergePair }

// Run merges corrections records.
func (c *mergeCorrectionsCmd) Run(ctx context.Context, app *service.App) error {
	return c.merge(ctx, app, models.Corrections, "What sources say, and links,")
}

// mergeCourtsCmd merges two court cases of one county.
type mergeCourtsCmd struct{ mergePair }

// Run merges court cases.
func (c *mergeCourtsCmd) Run(ctx context.Context, app *service.App) error {
	return c.merge(ctx, app, models.Courts, "Hearings, dispositions, links and calendars")
}

// merge asks first and then merges. moved is what the record that stays takes over, as the beginning of a
// sentence. The question names ids only, never people. A wrong merge shows one person the facts of another, so
// the default answer is no.
func (c *mergePair) merge(ctx context.Context, app *service.App, family models.Family, moved string) error {
	question := fmt.Sprintf("%s of %s become those of %s; `rollcall unmerge %s %s` undoes it. Merge them?", moved, c.Gone, c.Kept, family, c.Gone)
	if !c.Yes && (!service.IsTerminal(os.Stdin) || !agreed(os.Stdin, app.Stderr, question)) {
		return errors.New("nothing was merged: answer yes, or pass --yes where nobody can be asked")
	}
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := store.Merge(ctx, family, c.Kept, c.Gone, service.Operator()); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(map[string]string{"kept": c.Kept, "gone": c.Gone})
	}
	_, err = fmt.Fprintf(app.Stdout, "%s resolves to %s now.\n", c.Gone, c.Kept)
	return err
}

// agreed asks a question on out and reports whether the answer on in was yes. No answer is a no.
func agreed(in io.Reader, out io.Writer, question string) bool {
	if _, err := fmt.Fprint(out, question, " [y/N] "); err != nil {
		return false
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		return false
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
