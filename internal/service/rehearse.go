package service

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/notifier"
)

// ShownRuns is how many runs of a source are shown. A held run that is older is not found.
const ShownRuns = 10

// HeldRun returns the id of the run whose snapshot a release of a held source applies: the run that began the
// hold. If an operator began it, that is the newest run held since, of which nothing was applied. It returns 0
// if there is none. runs are the newest ones, newest first; src must be held.
func HeldRun(src *models.Source, runs []*source.Run) int64 {
	if src.HeldRun != nil {
		return *src.HeldRun
	}
	i := slices.IndexFunc(runs, func(r *source.Run) bool { return r.State == source.RunHeld && !r.Started.Before(*src.HeldSince) })
	if i < 0 {
		return 0
	}
	return runs[i].ID
}

// Rehearsed is what a held snapshot would do, and what its alerts would be sent.
type Rehearsed struct {
	*ingest.Rehearsed
	// Forecast is what a release as it is would send.
	Forecast notifier.Forecast `json:"notifications"`
	// Renumbered is what a release as renumbered would send; nil: nobody stands under a new key.
	Renumbered *notifier.Forecast `json:"notifications_renumbered,omitempty"`
}

// Rehearse applies the snapshot of a held run in a transaction that is rolled back, and returns what it would
// have done. So the answer is exact, and nobody is released. id is that of a source or of one county of it. standing holds
// the alerts, to find those that would fire.
func (a *App) Rehearse(ctx context.Context, store *store.Store, standing *notifier.Standing, id string, run int64) (*Rehearsed, error) {
	of, _ := models.SplitScope(id)
	source, err := a.FindSource()(of)
	if err != nil {
		return nil, err
	}
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	out := &Rehearsed{}
	if out.Rehearsed, err = runner.Rehearse(ctx, source, run); err != nil {
		return nil, err
	}
	matcher := &notifier.Matcher{Store: store, Standing: standing}
	if out.Forecast, err = matcher.Foretell(ctx, out.News); err != nil || out.Again == 0 {
		return out, err
	}
	// People stand under new keys: a release as renumbered books nobody of them anew, so it has others fire.
	other, err := runner.RehearseAs(ctx, source, run, ingest.Decision{Renumbered: true})
	if err != nil {
		return nil, err
	}
	forecast, err := matcher.Foretell(ctx, other.News)
	out.Renumbered = &forecast
	return out, err
}

// Scope returns the source, or the county of a source, that an operator means. county is a slug and narrows a
// source whose rows name their county; empty means the source itself. An unknown county or source is a
// models.Error.
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

// HeldScope returns what a release means: the named source or county if it is held or refused, else the only
// county of the source that is held. If several counties are held, the error lists them, because a release of
// the wrong one would release people.
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
	return nil, models.Invalid("county", "several counties of source "+id+" are on hold: name one of "+strings.Join(slugs, ", ")+" (--county); nothing was changed")
}

// Release lets a held or refused source or county go on, and applies its held snapshot as d says
// (ingest.Runner.Release). The report has Run 0 when no snapshot was applied. A source without a document can
// be released only when nothing is to be applied: its documents cannot be read otherwise. patience, where it is not nil, is
// called with the runner, to have it wait for a run that reads the source.
func (a *App) Release(ctx context.Context, store *store.Store, id, county string, d ingest.Decision, patience func(*ingest.Runner)) (*ingest.Report, error) {
	src, err := HeldScope(ctx, store, id, county)
	if err != nil {
		return nil, err
	}
	of, _ := models.SplitScope(src.ID)
	source, err := a.FindSource()(of)
	if errors.Is(err, fs.ErrNotExist) && (src.HeldRun == nil && !d.Renumbered || d.Discard) {
		return &ingest.Report{Source: src.ID, Note: "nothing of it was applied"}, store.ReleaseSource(ctx, src.ID)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, models.Invalid("id", "the document of source "+of+" is not in the data directory, so its held snapshot cannot be read; nothing was changed")
	}
	if err != nil {
		return nil, err
	}
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	if patience != nil {
		patience(runner)
	}
	var only *models.County
	if src.Parent != "" {
		only = src.County
	}
	return runner.Release(ctx, source, only, d)
}
