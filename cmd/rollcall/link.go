package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"rollcall/ingest/linkage"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
)

// linkCmd groups what operators do about links between bookings, corrections records and court cases. Links are
// found by the package match and made by linkage.Linker; a decision of an operator overrides both.
type linkCmd struct {
	Explain linkExplainCmd `cmd:"" help:"Say why two records are linked, or are not: a booking and a corrections record, or a court case and either."`
	Confirm linkConfirmCmd `cmd:"" help:"Link two records for good."`
	Dismiss linkDismissCmd `cmd:"" help:"Keep two records apart for good."`
	Run     linkRunCmd     `cmd:"" help:"Link what changed now, instead of waiting for the job."`
}

// linkPair names two records on the command line, in any order when one of them is a court case.
type linkPair struct {
	RosterID string `arg:"" name:"a" help:"Id of the booking, or of a court case (case-fulton-12, as GraphQL returns it)."`
	GdcID    string `arg:"" name:"b" help:"Id of the corrections record; beside a case, of the record or of a booking."`
	JSON     bool   `name:"json" help:"Print JSON."`
}

// ofCase reports whether one of the two is a court case, and returns its id first. Ids of court cases begin
// with "case-", and no county's slug is "case".
func (c *linkPair) ofCase() (caseID, person string, ok bool) {
	switch {
	case strings.HasPrefix(c.RosterID, "case-"):
		return c.RosterID, c.GdcID, true
	case strings.HasPrefix(c.GdcID, "case-"):
		return c.GdcID, c.RosterID, true
	}
	return "", "", false
}

// linkConfirmCmd links two records for good, whatever matching says.
type linkConfirmCmd struct{ linkPair }

// Run confirms the pair. It replaces the link of the booking to any other record.
func (c *linkConfirmCmd) Run(ctx context.Context, app *service.App) error {
	return c.decide(ctx, app, models.LinkConfirmed)
}

// linkDismissCmd keeps two records apart for good, for people who only look alike.
type linkDismissCmd struct{ linkPair }

// Run dismisses the pair and removes its link.
func (c *linkDismissCmd) Run(ctx context.Context, app *service.App) error {
	return c.decide(ctx, app, models.LinkDismissed)
}

// decide stores a decision and applies it at once. Other records that may fit the booking are looked at by the
// next link run.
func (c *linkPair) decide(ctx context.Context, app *service.App, verdict models.LinkChoice) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	caseID, person, ofCase := c.ofCase()
	if ofCase {
		err = store.DecideCourtLink(ctx, caseID, person, verdict)
	} else {
		err = store.DecideLink(ctx, c.RosterID, c.GdcID, verdict)
	}
	if err != nil {
		return err
	}
	if c.JSON && ofCase {
		return app.PrintJSON(map[string]any{"case_id": caseID, "person_id": person, "verdict": verdict})
	}
	if c.JSON {
		return app.PrintJSON(map[string]any{"roster_id": c.RosterID, "gdc_id": c.GdcID, "verdict": verdict})
	}
	_, err = fmt.Fprintf(app.Stdout, "%s and %s: %s\n", c.RosterID, c.GdcID, verdict)
	return err
}

// linkExplainCmd shows the score of a pair and the reasons for it. It changes nothing.
type linkExplainCmd struct{ linkPair }

// Run prints names and birth dates of both records, the confidence and the reasons.
func (c *linkExplainCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if caseID, person, ok := c.ofCase(); ok {
		return c.explainCase(ctx, app, app.Linker(store), caseID, person)
	}
	e, err := app.Linker(store).Explain(ctx, c.RosterID, c.GdcID)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(e)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "booking  %s  %s  born %s\n", e.RosterID, e.BookedName, cmp.Or(e.BookedBorn, "unknown"))
	fmt.Fprintf(&b, "record   %s  %s  born %s\n", e.GdcID, e.RecordName, cmp.Or(e.RecordBorn, "unknown"))
	return printExplanation(app, &b, e.Confidence, e.Probability, e.Reasons, e.Notes)
}

// explainCase explains a link between a court case and a booking or corrections record.
func (c *linkExplainCmd) explainCase(ctx context.Context, app *service.App, linker *linkage.Linker, caseID, person string) error {
	e, err := linker.ExplainCourt(ctx, caseID, person)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(e)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "case     %s  %s  %s  born %s\n", e.CaseID, e.CaseNumber, e.Defendant, cmp.Or(e.CaseBorn, "unknown"))
	fmt.Fprintf(&b, "person   %s  %s  born %s\n", e.PersonID, e.PersonName, cmp.Or(e.PersonBorn, "unknown"))
	return printExplanation(app, &b, e.Confidence, e.Probability, e.Reasons, e.Notes)
}

// printExplanation prints the score of a pair. The score is that of the pair alone: a rival of nearly the same
// score may lower the confidence of the link that is made. An empty confidence means no link.
func printExplanation(app *service.App, b *strings.Builder, confidence string, probability float64, reasons, notes []string) error {
	fmt.Fprintf(b, "this pair alone: %s", cmp.Or(confidence, "no link"))
	if confidence != "" {
		fmt.Fprintf(b, ", probability %.4f", probability)
	}
	fmt.Fprintln(b)
	for _, reason := range reasons {
		fmt.Fprintf(b, "  %s\n", reason)
	}
	for _, note := range notes {
		fmt.Fprintf(b, "%s\n", note)
	}
	_, err := fmt.Fprint(app.Stdout, b.String())
	return err
}

// linkRunCmd runs the linker now. The jobs run it by themselves.
type linkRunCmd struct {
	// Full looks at every booking: a new version of the matching rules changes links without a change of
	// records.
	Full bool `help:"Look at every booking, not only at what changed."`
	JSON bool `name:"json" help:"Print the report as JSON."`
}

// Run links what changed since the last run, or everything, and prints counts.
func (c *linkRunCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := app.Linker(store).Run(ctx, c.Full)
	if err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(r)
	}
	_, err = fmt.Fprintf(app.Stdout, "looked at %s and %s: links made %d, changed %d, removed %d\n"+
		"looked at %s: links made %d, changed %d, removed %d, %.1f s in all\n",
		plural.Of(r.Bookings, "booking"), plural.Of(r.Records, "corrections record"), r.Made, r.Changed, r.Removed,
		plural.Of(r.Cases, "court case"), r.CasesMade, r.CasesChanged, r.CasesRemoved, r.Seconds)
	return err
}
