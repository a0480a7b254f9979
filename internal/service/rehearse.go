package service

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/store"
)

// ShownRuns is how many runs are shown, and searched for a held one.
const ShownRuns = 10

// HeldRun is the run of a held source of which a release applies the snapshot: the one that began the hold. Of a source that an
// operator held it is the newest that came since, of which nothing is applied; 0: none came.
func HeldRun(src *models.Source, runs []*models.Run) int64 {
	if src.HeldRun != nil {
		return *src.HeldRun
	}
	i := slices.IndexFunc(runs, func(r *models.Run) bool { return r.State == models.RunHeld && !r.Started.Before(*src.HeldSince) })
	if i < 0 {
		return 0
	}
	return runs[i].ID
}

// Rehearse applies the snapshot of a held run in a transaction that is rolled back. id is a source or a scope.
func (a *App) Rehearse(ctx context.Context, store *store.Store, id string, run int64) (*ingest.Rehearsed, error) {
	of, _ := models.SplitScope(id)
	source, err := a.FindSource(nil)(of)
	if err != nil {
		return nil, err
	}
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	return runner.Rehearse(ctx, source, run)
}

// Scope finds the source or scope that an operator means: county, a slug, narrows a source whose rows name their county.
func Scope(ctx context.Context, store *store.Store, id, county string) (*models.Source, error) {
	if county != "" {
		if _, err := store.Counties().BySlug(county); err != nil {
			return nil, err
		}
		id = models.ScopeID(id, county)
	}
	all, err := store.Sources(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(s *models.Source) bool { return s.ID == id })
	if i < 0 {
		return nil, models.NoSource(id)
	}
	return all[i], nil
}

// HeldScope finds what a release of a source means: what is named, if that is held, else its only scope that is.
func HeldScope(ctx context.Context, store *store.Store, id, county string) (*models.Source, error) {
	src, err := Scope(ctx, store, id, county)
	if err != nil || src.RefusedAt != nil && src.HeldSince == nil {
		return src, err
	}
	held := src.Held()
	switch {
	case len(held) == 0:
		return nil, models.NotHeld(id)
	case len(held) == 1 || src.HeldSince != nil:
		return held[0], nil
	}
	slugs := make([]string, len(held))
	for i, h := range held {
		slugs[i] = h.County.Slug
	}
	return nil, models.Invalid("county", "several counties of source "+id+" are held: name one of "+strings.Join(slugs, ", ")+" (--county); nothing was changed")
}

// Release lets a held or refused source or scope go on (ingest.Runner.Release). One without a document can be released where no
// snapshot is to be applied.
func (a *App) Release(ctx context.Context, store *store.Store, id, county string, d ingest.Decision) (*ingest.Report, error) {
	src, err := HeldScope(ctx, store, id, county)
	if err != nil {
		return nil, err
	}
	of, _ := models.SplitScope(src.ID)
	source, err := a.FindSource(nil)(of)
	if errors.Is(err, fs.ErrNotExist) && (src.HeldRun == nil && !d.Renumbered || d.Discard) {
		return &ingest.Report{Source: src.ID, Note: "nothing of it was applied"}, store.ReleaseSource(ctx, src.ID)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, models.Invalid("id", "the document of source "+of+" is not in the data directory, so its held snapshot can not be read; nothing was changed")
	}
	if err != nil {
		return nil, err
	}
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	var only *models.County
	if src.Parent != "" {
		only = src.County
	}
	return runner.Release(ctx, source, only, d)
}
