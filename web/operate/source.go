package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/web/page"
	"rollcall/web/words"
)

// runsShown is how many runs the page of a source shows.
const runsShown = 20

// sourceBody is what the page of a source shows.
type sourceBody struct {
	*models.Source
	// Newest first.
	Runs       []runLine
	Quarantine []source.QuarantineCount
	// Waiting is how many rows wait in its quarantine, Earlier how many are of earlier files, and Ignored how many are ignored
	// until they change.
	Waiting, Earlier, Ignored int
	Pending                   []source.PendingCount
	// What began the present troubles, the oldest first. That of the hold or refusal of the source itself is Began.
	Trouble []source.Trouble
	Began   *source.Trouble
	// What the held snapshot would do, and when it was read; nil: no snapshot is held.
	Held   *HeldSnapshot
	HeldAt *time.Time
	// Queued is how many runs a release applies in their order, of a source that reports only changes.
	Queued int
	// Ending is a release that is about to be applied, or one that ended lately; nil: there is neither.
	Ending *releaseShown
	// Applied is the run that applied it, or of a source that an operator held the first one after it; nil: there is none.
	Applied *runLine
	// Fired says how many alerts that run fired; nil: it is not known.
	Fired words.Text
	Now   time.Time
}

// Shown is that of the source for operators.
func (b *sourceBody) Shown() string { return shownTo(b.Source) }

// Deciding reports whether the page asks what becomes of the hold.
func (b *sourceBody) Deciding() bool { return b.Ending == nil || !b.Ending.Open() }

// Asked reports whether a schedule asks the source. A county of a source whose rows name theirs
// is read with its source.
func (b *sourceBody) Asked() bool { return b.Parent == "" }

// Counties returns the scopes of a source whose rows name their county, those that need
// attention first and retired ones last.
func (b *sourceBody) Counties() []sourceLine {
	lines := make([]sourceLine, 0, len(b.Scopes)+len(b.Retired))
	for _, scope := range b.Scopes {
		lines = append(lines, sourceLine{Source: scope})
	}
	slices.SortStableFunc(lines, byUrgency)
	for _, scope := range b.Retired {
		lines = append(lines, sourceLine{Source: scope})
	}
	return lines
}

// Readable reports whether the page offers to read the source at once. The hold of a source is
// decided first. A refused source is asked again under a heading of its own.
func (b *sourceBody) Readable() bool { return readable(b.Source) }

func readable(src *models.Source) bool {
	return src.Interval > 0 && src.HeldSince == nil && src.RefusedAt == nil && src.Parent == ""
}

// Next returns about when the source is asked next; nil: by no schedule.
func (b *sourceBody) Next() *time.Time { return b.NextTry(b.Now) }

// Renumbered reports whether the held snapshot has people under new keys. A plain release would then book
// everyone anew who is not plainly the same person, and alert their watchers, so the page offers
// the other release.
func (b *sourceBody) Renumbered() bool {
	return b.HeldRun != nil && b.Held != nil && b.Held.Again > 0
}

// sourcePage shows a source as it is opened.
func (s Site) sourcePage(v *page.Visit) error { return s.showSource(v, nil) }

// showSource shows the page of a source; problem is why the last form was not done.
func (s Site) showSource(v *page.Visit, problem error) error {
	ctx, id := v.R.Context(), chi.URLParam(v.R, "id")
	src, err := s.source(ctx, id)
	if err != nil {
		return err
	}
	runs, err := s.Store.Runs(ctx, id, runsShown)
	if err != nil {
		return err
	}
	b := sourceBody{Source: src, Now: s.Now()}
	for _, run := range runs {
		line := runLine{Run: run}
		if err := json.Unmarshal(run.Report, &line.Counts); err != nil {
			return fmt.Errorf("read report of run %d: %w", run.ID, err)
		}
		b.Runs = append(b.Runs, line)
	}
	if b.Ending, err = s.releaseOf(ctx, src); err != nil {
		return err
	}
	if err := s.showApplied(ctx, &b); err != nil {
		return err
	}
	if b.Trouble, err = s.Store.Troubles(ctx, src); err != nil {
		return err
	}
	b.sortTroubles()
	if src.HeldSince != nil && !src.HeldAbove() { // else the whole source is to be released first
		if err := s.showHold(ctx, &b); err != nil {
			return err
		}
	}
	if b.Quarantine, err = s.Store.QuarantineCounts(ctx, id); err != nil {
		return err
	}
	sizes, err := s.Store.QuarantineSizes(ctx)
	if err != nil {
		return err
	}
	ignored, err := s.Store.IgnoredSizes(ctx)
	if err != nil {
		return err
	}
	earlier, err := s.Store.EarlierCounts(ctx, id)
	if err != nil {
		return err
	}
	b.Waiting, b.Earlier, b.Ignored = sizes[id], rowsOf(earlier), ignored[id]
	b.sortRuns()
	if b.Pending, err = s.Store.PendingCounts(ctx, id); err != nil {
		return err
	}
	data := page.View{Title: src.Title, Script: "settings", Fresh: true, At: "/operator/sources/" + src.ID, Body: &b}
	if src.HeldSince != nil && v.R.URL.Query().Get("done") == "discarded" { // the next run came before the page
		data.Done = words.T("The held data was discarded, but the source is on hold again.")
	}
	if problem != nil {
		data.Failed(problem)
		data.Status = page.StatusOf(models.CodeOf(problem))
	}
	return s.Pages.Page(v, "source", data)
}

// source returns the source of an id in an address.
func (s Site) source(ctx context.Context, id string) (*models.Source, error) {
	all, err := s.Store.Sources(ctx)
	if err != nil {
		return nil, err
	}
	retired, err := s.Store.RetiredSources(ctx)
	if err != nil {
		return nil, err
	}
	for _, src := range append(all, retired...) {
		if src.ID == id {
			return src, nil
		}
	}
	return nil, models.NotFound("source not found")
}

// enable starts the schedule of a source. It is read at once: what it has is as old as its schedule was stopped.
func (s Site) enable(ctx context.Context, id string) error {
	if err := s.Store.EnableSource(ctx, id, true); err != nil {
		return err
	}
	if err := s.Jobs.ReadSource(ctx, id); err != nil && models.CodeOf(err) != models.CodeConflict {
		return err
	}
	return nil
}

// sourceAction returns the handler of a form that changes a source. It writes a line in the
// trail of the operator's account. An error that the operator can mend is shown on the page.
func (s Site) sourceAction(action, done string, change func(context.Context, string) error) func(*page.Visit) error {
	return s.sourceActionFor(action, "", done, change)
}

// sourceActionFor is sourceAction with a reason, which the trail keeps; empty: there is none.
func (s Site) sourceActionFor(action, why, done string, change func(context.Context, string) error) func(*page.Visit) error {
	return func(v *page.Visit) error {
		id := chi.URLParam(v.R, "id")
		err := change(v.R.Context(), id)
		if page.Mendable(err) { // the page was opened before somebody else did it
			return s.showSource(v, err)
		}
		if err != nil {
			return err
		}
		subject := id
		if why != "" {
			subject += ": " + why
		}
		if err := s.Pages.Trail(v, action, subject); err != nil {
			return err
		}
		return page.Redirect(v.W, v.R, "/operator/sources/"+id+"?done="+done)
	}
}
