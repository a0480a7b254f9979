package main

import (
	"context"
	"fmt"

	"rollcall/internal/service"
	"rollcall/models/claim"
)

// rebuildCmd resolves records anew after a rule changed. It names no people: a field that changes is named, its values are not.
type rebuildCmd struct {
	DryRun bool `help:"Show what would change and keep nothing of it."`
	JSON   bool `name:"json" help:"Print JSON."`
}

// rebuiltJSON is what a rebuild did to the records of a family.
type rebuiltJSON struct {
	Family  string          `json:"family"`
	Records int             `json:"records"`
	Changed int             `json:"changed"`
	Changes []rebuiltRecord `json:"changes"` // the first of them
}

// rebuiltRecord is a record that became another.
type rebuiltRecord struct {
	ID     string   `json:"id"`
	Fields []string `json:"fields"`
}

// Run resolves every record anew.
func (c *rebuildCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	all := []rebuiltJSON{}
	for _, family := range claim.Families() {
		r, err := store.Rebuild(ctx, family, c.DryRun)
		if err != nil {
			return err
		}
		out := rebuiltJSON{Family: string(family), Records: r.Records, Changed: r.Changed, Changes: []rebuiltRecord{}}
		for _, change := range r.Changes {
			record := rebuiltRecord{ID: change.ID, Fields: []string{}}
			for _, v := range change.Versions {
				record.Fields = append(record.Fields, v.Field)
			}
			out.Changes = append(out.Changes, record)
		}
		all = append(all, out)
	}
	if c.JSON {
		return app.PrintJSON(all)
	}
	return c.print(app, all)
}

func (c *rebuildCmd) print(app *service.App, all []rebuiltJSON) error {
	what := "changed"
	if c.DryRun {
		what = "would change"
	}
	for _, f := range all {
		if _, err := fmt.Fprintf(app.Stdout, "%s: %d of %d records %s\n", f.Family, f.Changed, f.Records, what); err != nil {
			return err
		}
		for _, r := range f.Changes {
			if _, err := fmt.Fprintf(app.Stdout, "  %s %v\n", r.ID, r.Fields); err != nil {
				return err
			}
		}
	}
	return nil
}
