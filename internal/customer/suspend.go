package customer

import (
	"context"
	"fmt"

	"rollcall/internal/service"
	"rollcall/models"
)

// accountSuspendCmd stops an account.
type accountSuspendCmd struct {
	ID string `arg:"" help:"Id of the account."`
	// Reason is shown on the account's pages and in the answers to its keys.
	Reason string `required:"" help:"Why, for the users of the account."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run suspends the account and records it in its audit trail. What waits for it is dropped with reason plan.
func (c *accountSuspendCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	a, err := store.SuspendAccount(ctx, c.ID, c.Reason)
	if err != nil {
		return err
	}
	if err := service.Record(ctx, store, a.ID, "account suspended", *a.SuspendedReason); err != nil {
		return err
	}
	return printAccount(app, a, c.JSON, "Suspended account "+a.ID+": its keys are refused, and it is sent nothing.\n"+
		"End that: rollcall account resume "+a.ID)
}

// accountResumeCmd ends a suspension.
type accountResumeCmd struct {
	ID   string `arg:"" help:"Id of the account."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run resumes the account and records it in its audit trail.
func (c *accountResumeCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	a, err := store.ResumeAccount(ctx, c.ID)
	if err != nil {
		return err
	}
	if err := service.Record(ctx, store, a.ID, "account resumed", ""); err != nil {
		return err
	}
	text := "Resumed account " + a.ID + ": its alerts see what is detected from now on."
	if !a.Entitled() {
		text = fmt.Sprintf("Resumed account %s: its users can sign in. Plan %s has no alerts.", a.ID, a.Plan)
	}
	return printAccount(app, a, c.JSON, text)
}

// printAccount prints an account as JSON, or a text.
func printAccount(app *service.App, a *models.Account, asJSON bool, text string) error {
	if asJSON {
		return app.PrintJSON(accountJSONOf(a))
	}
	_, err := fmt.Fprintln(app.Stdout, text)
	return err
}
