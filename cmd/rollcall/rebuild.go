package main

import (
	"context"
	"fmt"

	"rollcall/internal/service"
	"rollcall/models/claim"
)

// rebuildCmd resolves records anew after a rule changed (CLAIMS.md, 3.6). It does not change which claims
// belong to which record. It names no people: fields that change are named, their values are not printed.
type rebuildCmd struct {
	// DryRun rolls every transaction back.
	DryRun bool `help:"Show what would change and keep nothing of it."`
	JSON   bool `name:"json" help:"Print JSON."`
}

// rebuiltJSON is what a rebuild did to the records of a family.
type rebuiltJSON struct {
	Family  string `json:"family"`
	Records int    `json:"records"`
	Changed int    `json:"changed"`
	// Changes are the first of the changed records; Changed counts all of them.
	Changes []rebuiltRecord `json:"changes"`
}

// rebuiltRecord is a record whose published facts changed.
type rebuiltRecord struct {
	ID string `json:"id"`
	// Fields are the names of the changed facts, as the history of a record names them.
	Fields []string `json:"fields"`
}

// Run resolves every record of every family, some thousands in a transaction. Watchers receive no event,
// because a new rule is no event in a person's life; only the notice of a withheld record is sent.
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
		// Only names of fields are taken over, so that no value can be printed.
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

// print prints the changes for people, by family.
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
		if more := f.Changed - len(f.Changes); more > 0 {
			if _, err := fmt.Fprintf(app.Stdout, "  and %d more\n", more); err != nil {
				return err
			}
		}
	}
	return nil
}
