package service

import (
	"context"
	"errors"
	"io/fs"
	"slices"

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

// Rehearse applies the snapshot of a held run in a transaction that is rolled back.
func (a *App) Rehearse(ctx context.Context, store *store.Store, id string, run int64) (*ingest.Rehearsed, error) {
	source, err := a.FindSource(nil)(id)
	if err != nil {
		return nil, err
	}
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	return runner.Rehearse(ctx, source, run)
}

// Release lets a held or refused source go on (ingest.Runner.Release). One without a document can be released where no
// snapshot is to be applied.
func (a *App) Release(ctx context.Context, store *store.Store, id string, d ingest.Decision) (*ingest.Report, error) {
	all, err := store.Sources(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(s *models.Source) bool { return s.ID == id })
	if i < 0 {
		return nil, models.NoSource(id)
	}
	src := all[i]
	if src.HeldSince == nil && src.RefusedAt == nil {
		return nil, models.NotHeld(id)
	}
	source, err := a.FindSource(nil)(id)
	if errors.Is(err, fs.ErrNotExist) && (src.HeldRun == nil && !d.Renumbered || d.Discard) {
		return &ingest.Report{Source: id, Note: "nothing of it was applied"}, store.ReleaseSource(ctx, id)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, models.Invalid("id", "the document of source "+id+" is not in the data directory, so its held snapshot can not be read; nothing was changed")
	}
	if err != nil {
		return nil, err
	}
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	return runner.Release(ctx, source, d)
}
