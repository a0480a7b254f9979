package main

import (
	"context"
	"fmt"

	"rollcall/internal/service"
	"rollcall/models"
)

// unmergeCmd takes a merge back, because two records of two people were taken for one.
type unmergeCmd struct {
	Family string `arg:"" enum:"roster,courts,corrections" help:"Kind of the record: roster, courts or corrections."`
	// ID is the one that resolves to another record since the merge.
	ID string `arg:"" help:"Id of the record that went in the merge."`
	// Note is stored with the decision, and should name nobody.
	Note string `required:"" help:"On what grounds; kept with the decision, so name nobody."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run returns to the record that went the claims that the merge took from it. Both records become what their
// sources say of them. Links that were confirmed by an operator stay with the other record.
func (c *unmergeCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := store.Unmerge(ctx, models.Family(c.Family), c.ID, service.Operator(), c.Note); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(map[string]string{"id": c.ID})
	}
	_, err = fmt.Fprintf(app.Stdout, "%s is a record of its own again.\n", c.ID)
	return err
}
