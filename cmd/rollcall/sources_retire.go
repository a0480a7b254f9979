package main

import (
	"context"
	"fmt"
	"time"

	"rollcall/internal/cell"
	"rollcall/internal/service"
	"rollcall/models"
)

// sourcesRetireCmd notes that a source reports no more, such as a county that left a vendor's file for good. Nobody is released.
type sourcesRetireCmd struct {
	// ID may also be the scope of one county, as SOURCE:COUNTY.
	ID   string `arg:"" help:"Id of a source."`
	JSON bool   `name:"json" help:"Print JSON."`
	countyFlag
}

// retiredJSON is a retired source as --json prints it.
type retiredJSON struct {
	ID string `json:"id"`
	// RetiredAt is when it was retired first.
	RetiredAt time.Time `json:"retired_at"`
	// AsOf is how current its records are; null: it was never read well.
	AsOf *time.Time `json:"as_of"`
}

// Run retires the source, or one county of it. A retired one stays so until it brings a snapshot.
func (c *sourcesRetireCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	id := c.ID
	if c.County != "" {
		county, err := store.Counties().BySlug(c.County)
		if err != nil {
			return err
		}
		id = models.ScopeID(c.ID, county.Slug)
	}
	at := time.Now().UTC()
	if err := store.RetireSource(ctx, id, at); err != nil {
		return err
	}
	known, err := store.SourcesByID(ctx)
	if err != nil {
		return err
	}
	src := known[id]
	if src == nil {
		return models.NoSource(id)
	}
	if src.RetiredAt != nil { // a run that ended just now may have brought a snapshot of it
		at = *src.RetiredAt
	}
	if c.JSON {
		return app.PrintJSON(retiredJSON{ID: id, RetiredAt: at, AsOf: src.AsOf()})
	}
	_, err = fmt.Fprintf(app.Stdout, "Retired %s: its records stay as of %s, are stale, and nobody of them is released. Its next snapshot ends that.\n",
		id, cell.Time(src.AsOf()))
	return err
}
