// Package operate is the pages on which operators look after sources: their runs, held snapshots and releases, documents, quarantine, and
// the jobs of the queue.
//
// Its templates are among those of package web. It may import web/page, web/fact and models; what it does beyond the store comes as functions.
package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/web/page"
	"rollcall/web/words"
)

// runsShown is how many runs the page of a source shows.
const runsShown = 20

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Pages *page.Pages
	Store *store.Store
	// Rehearse returns what a held snapshot would do.
	Rehearse Rehearser
	// Release ends the hold of a source.
	Release Releaser
	// Replay reads quarantined rows again.
	Replay Replayer
	// RowText decrypts a quarantined row.
	RowText RowText
	// Documents reads and changes source documents.
	Documents Documents
	// Jobs changes jobs of the queue.
	Jobs JobControl
	// Now is the clock.
	Now func() time.Time
}

// Funcs returns what the templates of this package call beside the functions of all pages.
func Funcs() template.FuncMap {
	return template.FuncMap{"people": peopleOf, "records": recordsOf, "lines": linesOf, "alike": alikeOf, "clock": words.Second, "moment": moment, "age": age}
}

// Routes adds the pages to a router, which guards it.
func (s Site) Routes(r chi.Router) {
	r.Get("/operator", s.Pages.Operator(func(v *page.Visit) error { return page.Redirect(v.W, v.R, "/operator/sources") }))
	r.Get("/operator/sources", s.Pages.Operator(s.sourcesPage))
	r.Get("/operator/sources/{id}", s.Pages.Operator(s.sourcePage))
	r.Get("/operator/sources/{id}/quarantine", s.Pages.Operator(s.quarantinePage))
	r.Post("/operator/sources/{id}/quarantine", s.Pages.Operator(s.openQuarantine))
	r.Post("/operator/sources/{id}/replay", s.Pages.Operator(s.replay))
	r.Post("/operator/sources/{id}/ignore", s.Pages.Operator(s.ignoreRows("quarantined rows: ignore until they change",
		words.T("{1 row is ignored until it changes|rows are ignored until they change}."), s.Store.IgnoreRows)))
	r.Post("/operator/sources/{id}/unignore", s.Pages.Operator(s.ignoreRows("quarantined rows: stop ignoring",
		words.T("{1 row waits|rows wait} here again."), s.Store.UnignoreRows)))
	r.Get("/operator/jobs", s.Pages.Operator(s.jobsPage))
	r.Post("/operator/jobs/{id}/retry", s.jobAction("job run again", "retried", jobsBody{}.Retriable, s.Jobs.RetryJob))
	r.Post("/operator/jobs/{id}/cancel", s.jobAction("job cancelled", "cancelled", jobsBody{}.Stoppable, s.Jobs.CancelJob))
	r.Post("/operator/jobs/retry", s.jobsAction("jobs run again", "retried-all", jobsBody{}.Retriable, s.Jobs.RetryJob))
	r.Post("/operator/jobs/cancel", s.jobsAction("jobs cancelled", "cancelled-all", jobsBody{}.Stoppable, s.Jobs.CancelJob))
	s.releases(r)
	s.documents(r)
	r.Post("/operator/sources/{id}/hold", s.Pages.Operator(s.hold))
	r.Post("/operator/sources/{id}/read", s.Pages.Operator(s.sourceAction("source: read now", "asked", func(ctx context.Context, id string) error {
		if err := s.Store.AskAgain(ctx, id); err != nil {
			return err
		}
		return s.Jobs.ReadSource(ctx, id)
	})))
	r.Post("/operator/sources/{id}/enable", s.Pages.Operator(s.sourceAction("source: start the schedule", "enabled", s.enable)))
	r.Post("/operator/sources/{id}/disable", s.Pages.Operator(s.sourceAction("source: stop the schedule", "disabled", func(ctx context.Context, id string) error {
		return s.Store.EnableSource(ctx, id, false)
	})))
}

// sourceLine is a source on the operators' list.
type sourceLine struct {
	*models.Source
	// Rows that wait in its quarantine, and those that are ignored until they change.
	Quarantined, Ignored int
	// Ends is when a release that an operator decided ends its hold; nil: none is decided.
	Ends *time.Time
}

// Shown is that of the source for operators: a schedule that one of them stopped is told before how old the data are.
func (l sourceLine) Shown() string { return shownTo(l.Source) }

// Note is that of the source; nil where it says no more than that rows are in quarantine, and all of them are ignored.
func (l sourceLine) Note() *string {
	if n := l.Source.Note; n == nil || !allIgnored(*n, l.Quarantined, l.Ignored) {
		return n
	}
	return nil
}

// shownTo is models.Source.Shown for operators.
func shownTo(src *models.Source) string {
	if src.Stopped() && src.Parent == "" && src.State() != models.SourceHeld && src.State() != models.SourceRefused {
		return models.ShownStopped
	}
	return src.Shown()
}

// Answers reports whether the source answered at least a minute after the instant that its data
// is of. The page then shows both times: a source may answer for days with old data.
func (l sourceLine) Answers() bool {
	at := l.AsOf()
	return at != nil && l.LastSuccess.Sub(*at) >= time.Minute
}

// sourceTable is a table of the operators' list.
type sourceTable struct {
	Label string
	Lines []sourceLine
	Now   time.Time
}

// linesOf returns a table; templates pass one by calling it.
func linesOf(label string, lines []sourceLine, now time.Time) sourceTable {
	return sourceTable{Label: label, Lines: lines, Now: now}
}

// urgency orders states: those that need somebody come first.
var urgency = map[models.SourceState]int{
	models.SourceHeld: 0, models.SourceRefused: 1, models.SourceDown: 2, models.SourceLate: 3, models.SourceOK: 4,
}

// counted is the state under which the source is counted above the list.
func (l sourceLine) counted() string {
	if l.Shown() == models.ShownStopped {
		return models.ShownStopped
	}
	return string(l.State())
}

// needs reports whether somebody has to look at the source.
func (l sourceLine) needs() bool {
	return l.State() != models.SourceOK || l.Shown() == models.ShownStopped
}

// byUrgency compares two sources for sorting. A stopped one comes after those that are late.
func byUrgency(a, b sourceLine) int {
	if n := urgency[a.State()] - urgency[b.State()]; n != 0 || a.needs() == b.needs() {
		return n
	}
	if a.needs() {
		return -1
	}
	return 1
}

// sourcesPage lists the sources, those that need attention first.
func (s Site) sourcesPage(v *page.Visit) error {
	sources, err := s.Store.Sources(v.R.Context())
	if err != nil {
		return err
	}
	sizes, err := s.Store.QuarantineSizes(v.R.Context())
	if err != nil {
		return err
	}
	ignored, err := s.Store.IgnoredSizes(v.R.Context())
	if err != nil {
		return err
	}
	releases, err := s.Store.OpenReleases(v.R.Context())
	if err != nil {
		return err
	}
	body := struct {
		Sources []sourceLine
		Unwell  []sourceLine // which somebody has to look at
		Well    []sourceLine
		// Archived are takeovers, and Retired what an operator retired: none of Sources.
		Archived, Retired []sourceLine
		States            map[string]int
		Review            int // records that wait for one
		Now               time.Time
	}{States: map[string]int{}, Now: s.Now()}
	for _, src := range sources {
		line := sourceLine{Source: src, Quarantined: sizes[src.ID], Ignored: ignored[src.ID]}
		if r := releases[src.ID]; r != nil && src.HeldSince != nil {
			line.Ends = &r.DueAt
		}
		if line.Shown() == models.ShownArchived {
			body.Archived = append(body.Archived, line)
			continue
		}
		body.Sources = append(body.Sources, line)
		body.States[line.counted()]++
	}
	retired, err := s.Store.RetiredSources(v.R.Context())
	if err != nil {
		return err
	}
	for _, src := range retired {
		body.Retired = append(body.Retired, sourceLine{Source: src, Quarantined: sizes[src.ID], Ignored: ignored[src.ID]})
	}
	slices.SortStableFunc(body.Sources, byUrgency)
	ill := slices.IndexFunc(body.Sources, func(l sourceLine) bool { return !l.needs() })
	if ill < 0 {
		ill = len(body.Sources)
	}
	if _, body.Review, err = s.Store.Reviews(v.R.Context(), false, "", 1); err != nil {
		return err
	}
	body.Unwell, body.Well = body.Sources[:ill], body.Sources[ill:]
	return s.Pages.Page(v, "sources", page.View{Title: "Sources", Fresh: true, Body: body})
}

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
