package service

import (
	"context"
	"slices"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/store"
)

// ShownRuns is how many runs are shown, and searched for a held one.
const ShownRuns = 10

// Rehearse applies the newest of the held runs in a transaction that is rolled back; nil when no run is held.
func (a *App) Rehearse(ctx context.Context, store *store.Store, id string, runs []*models.Run) (*ingest.Rehearsed, error) {
	i := slices.IndexFunc(runs, func(r *models.Run) bool { return r.State == models.RunHeld })
	if i < 0 {
		return nil, nil
	}
	source, err := a.FindSource(nil)(id)
	if err != nil {
		return nil, err
	}
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	return runner.Rehearse(ctx, source, runs[i].ID)
}
