package main

import (
	"context"
	"fmt"

	"rollcall/internal/service"
	"rollcall/models"
)

// unmergeCmd takes a merge back: two records of two people were taken for one.
type unmergeCmd struct {
	Family string `arg:"" enum:"roster,courts,corrections" help:"Kind of the record: roster, courts or corrections."`
	ID     string `arg:"" help:"Id of the record that went in the merge."`
	Note   string `help:"Why, for the audit trail."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run takes a merge back.
func (c *unmergeCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := store.Unmerge(ctx, models.Family(c.Family), c.ID, operator(), c.Note); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(map[string]string{"id": c.ID})
	}
	_, err = fmt.Fprintf(app.Stdout, "%s is a record of its own again.\n", c.ID)
	return err
}
