package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"rollcall/ingest"
	"rollcall/internal/cell"
	"rollcall/internal/plural"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/notifier"
)

// sourcesHoldCmd stops a source by an operator's decision. Its documents are still fetched and archived, but
// nothing is applied, so no record changes and nobody is released.
type sourcesHoldCmd struct {
	// ID may also be the scope of one county, as SOURCE:COUNTY.
	ID   string `arg:"" help:"Id of a source."`
	Note string `default:"an operator holds it" help:"Why; shown with the source, so name nobody."`
	countyFlag
}

// countyFlag narrows a command to one county of a source whose rows name their county. Other counties of the
// source go on (DECISIONS.md, Holding).
type countyFlag struct {
	County string `help:"Slug of one county, of a source whose rows name theirs." placeholder:"SLUG"`
}

// Run holds the source, or one county of it.
func (c *sourcesHoldCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	id := c.ID
	if c.County != "" {
		src, err := service.Scope(ctx, store, c.ID, c.County)
		if err != nil {
			return err
		}
		id = src.ID
	}
	if err := store.HoldSource(ctx, id, c.Note, store.Now()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(app.Stdout, "Holding %s: nothing it brings is applied until: rollcall sources release %s\n", id, id)
	return err
}

// sourcesReleaseCmd lets a held or refused source go on. It applies exactly the snapshot that began the hold,
// which `rollcall sources show` describes.
type sourcesReleaseCmd struct {
	ID string `arg:"" help:"Id of a held or refused source."`
	// Renumbered is for a jail that gave everybody a new number. Without it, each person whose record is not
	// plainly the same is released and booked anew, with the events that follow.
	Renumbered bool `help:"Its booking keys were renumbered: recognise people by name and time of booking, instead of releasing them and booking them anew."`
	// Discard ends the hold and keeps the records as they are.
	Discard bool `help:"The held snapshot is wrong: end the hold and apply nothing of it."`
	// Undo is for an operator who wants a moment to think better of it. The process that works the jobs applies it.
	Undo time.Duration `help:"Apply it only after this time, such as 1m. Until then rollcall sources undo takes it back." placeholder:"TIME"`
	countyFlag
	waitFlag
}

// Run releases the source. If the held snapshot cannot be applied, the hold stands and the command fails.
// Without a snapshot only the hold ends.
func (c *sourcesReleaseCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if c.Undo > 0 {
		return c.later(ctx, app, store)
	}
	if err := c.pending(ctx, store); err != nil {
		return err
	}
	report, err := app.Release(ctx, store, c.ID, c.County, ingest.Decision{Renumbered: c.Renumbered, Discard: c.Discard}, func(r *ingest.Runner) { c.apply(app, r) })
	if err != nil {
		return err
	}
	// Run 0 means that no snapshot was applied: only the hold has ended.
	if report.Run == 0 {
		_, err = fmt.Fprintf(app.Stdout, "Released %s: %s\n", report.Source, report.Note)
		return err
	}
	if _, err := fmt.Fprint(app.Stdout, report); err != nil {
		return err
	}
	if report.State != source.RunOK && report.State != source.RunPartial {
		return fmt.Errorf("the held snapshot of %s could not be applied; it stays held", report.Source)
	}
	_, err = fmt.Fprintf(app.Stdout, "Released %s: its held snapshot is applied; what comes later is judged against what is known now.\n", report.Source)
	return err
}

// pending refuses a release while another one of the source is about to be applied, such as one of its page: that could not be
// undone any more.
func (c *sourcesReleaseCmd) pending(ctx context.Context, store *store.Store) error {
	src, err := service.HeldScope(ctx, store, c.ID, c.County)
	if err != nil {
		return err
	}
	last, err := store.LastRelease(ctx, src.ID)
	if err != nil || last == nil || !last.Open() {
		return err
	}
	return &models.Error{Code: models.CodeConflict, Message: fmt.Sprintf(
		"%s decided to release %s at %s; wait for it, or first: rollcall sources undo %s", last.Actor, src.ID, cell.Time(&last.DueAt), src.ID)}
}

// later notes the release, so that it is applied when it is due.
func (c *sourcesReleaseCmd) later(ctx context.Context, app *service.App, store *store.Store) error {
	if c.Discard {
		return models.Invalid("undo", "nothing is applied of a snapshot that is discarded, so there is nothing to undo; nothing was changed")
	}
	src, err := service.HeldScope(ctx, store, c.ID, c.County)
	if err != nil {
		return err
	}
	r, err := store.DecideRelease(ctx, source.Release{SourceID: src.ID, Renumbered: c.Renumbered, Actor: service.Operator()}, c.Undo)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(app.Stdout, "Releasing %s at %s. Until then: rollcall sources undo %s\n", src.ID, cell.Time(&r.DueAt), src.ID)
	return err
}

// sourcesUndoCmd takes back a release that is not applied yet.
type sourcesUndoCmd struct {
	ID string `arg:"" help:"Id of a source that is about to be released; of one county as SOURCE:COUNTY."`
}

// Run takes the release back. The hold stands.
func (c *sourcesUndoCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := store.UndoRelease(ctx, c.ID); err != nil {
		return err
	}
	_, err = fmt.Fprintf(app.Stdout, "The release of %s is undone: it stays held.\n", c.ID)
	return err
}

// sourcesHealCmd corrects instants that a source has of the future, because the clock of this machine was wrong when it was
// read. Until then its runs fail, and nobody of it is booked or released.
type sourcesHealCmd struct {
	ID string `arg:"" help:"Id of a source; its counties are healed with it."`
}

// Run sets what the source reported of the future to the newest instant that it truly reported. It prints what it corrected.
func (c *sourcesHealCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	healed, err := store.HealSource(ctx, c.ID, store.Now(), ingest.Ahead)
	if err != nil {
		return err
	}
	if len(healed) == 0 {
		_, err = fmt.Fprintf(app.Stdout, "%s has no data from the future: nothing was changed.\n", c.ID)
		return err
	}
	_, err = fmt.Fprintf(app.Stdout, "Healed %s: what it reported of the future counts as of the newest instant that it truly reported. Read it again now.\n",
		strings.Join(healed, ", "))
	return err
}

// sourcesAcceptCmd accepts new columns of a source whose document says `drift: hold`.
type sourcesAcceptCmd struct {
	ID string `arg:"" help:"Id of a source."`
}

// Run makes the columns of the next snapshot the known ones. It does not release the source.
func (c *sourcesAcceptCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := store.AcceptColumns(ctx, c.ID); err != nil {
		return err
	}
	_, err = fmt.Fprintf(app.Stdout, "The columns of the next snapshot of %s are the known ones from then on.\n", c.ID)
	return err
}

// sourcesShowCmd shows one source with its last runs, and what a held snapshot would do.
type sourcesShowCmd struct {
	ID string `arg:"" help:"Id of a source."`
	// RunID is 0 for the snapshot that a release would apply.
	RunID int64 `name:"run" help:"Show what the held snapshot of this run would do, instead of the one that a release applies." placeholder:"N"`
	JSON  bool  `name:"json" help:"Print JSON."`
}

// shownSource is a source as an operator looks at it. It names people: those whom a release would release.
type shownSource struct {
	sourceJSON
	// Trouble is what began the present troubles of the source and of its counties, the oldest first. It is empty where all is well.
	Trouble []troubleJSON `json:"trouble"`
	// LastAttempt is when the source was last asked, whatever came of it; null if it never was.
	LastAttempt *time.Time `json:"last_attempt"`
	// LagSeconds is the age of the newest data in seconds; null without a success.
	LagSeconds *int       `json:"lag_seconds"`
	HeldSince  *time.Time `json:"held_since"`
	// Counties is the state of each county of a source whose rows name their county, retired ones last.
	Counties []sourceJSON `json:"counties,omitempty"`
	// Waiting counts the runs that are read in order after the release.
	Waiting int        `json:"waiting"`
	Runs    []shownRun `json:"runs"`
	// Held is what the held snapshot, or that of the requested run, would do; null when there is none.
	Held *service.Rehearsed `json:"held"`
}

// shownRun is one of the last runs, newest first. Its numbers are those of the run's report; Closed counts what
// the run ended, such as bookings by a release.
type shownRun struct {
	ID      int64     `json:"id"`
	State   string    `json:"state"`
	Started time.Time `json:"started"`
	Note    string    `json:"note"`
	Fetched int       `json:"fetched"`
	New     int       `json:"new"`
	Changed int       `json:"changed"`
	Closed  int       `json:"closed"`
}

// Run prints the source. What a held snapshot would do is found by applying it in a transaction that is rolled
// back (service.App.Rehearse), so the answer is exact and not an estimate.
func (c *sourcesShowCmd) Run(ctx context.Context, app *service.App) error {
	store, done, err := app.Store(ctx)
	if err != nil {
		return err
	}
	defer done()
	list, err := sourceList(ctx, app, store)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(s sourceJSON) bool { return s.ID == c.ID })
	if i < 0 {
		return models.NoSource(c.ID)
	}
	out := shownSource{sourceJSON: list[i], Trouble: []troubleJSON{}, Runs: []shownRun{}}
	known, err := store.SourcesByID(ctx)
	if err != nil {
		return err
	}
	if k := known[c.ID]; k != nil {
		out.LastAttempt, out.LagSeconds, out.HeldSince = k.LastAttempt, k.LagSeconds(), k.HeldSince
		if out.Trouble, err = troubles(ctx, store, k); err != nil {
			return err
		}
		for _, scope := range slices.Concat(k.Scopes, k.Retired) {
			out.Counties = append(out.Counties, list[slices.IndexFunc(list, func(s sourceJSON) bool { return s.ID == scope.ID })])
		}
	}
	runs, err := store.Runs(ctx, c.ID, service.ShownRuns)
	if err != nil {
		return err
	}
	waiting, err := store.WaitingRuns(ctx, c.ID)
	if err != nil {
		return err
	}
	out.Waiting = len(waiting)
	for _, r := range runs {
		shown, err := showRun(r)
		if err != nil {
			return err
		}
		out.Runs = append(out.Runs, shown)
	}
	if out.Held, err = c.held(ctx, app, store, known[c.ID], runs); err != nil {
		return err
	}
	if c.JSON {
		return app.PrintJSON(out)
	}
	return printSource(app, &out)
}

// held returns what a held snapshot would do: that of the requested run, else the one that a release would
// apply. It returns nil when nothing is held. It also returns nil when several counties are held, because each
// is released by itself and has to be asked for by its run.
func (c *sourcesShowCmd) held(ctx context.Context, app *service.App, store *store.Store, known *models.Source, runs []*source.Run) (*service.Rehearsed, error) {
	id := c.RunID
	if id == 0 {
		if known == nil {
			return nil, nil
		}
		held := known.Held()
		if len(held) != 1 { // of several counties each is asked by itself
			return nil, nil
		}
		// A held county is a scope with runs of its own.
		if held[0] != known {
			var err error
			if runs, err = store.Runs(ctx, held[0].ID, service.ShownRuns); err != nil {
				return nil, err
			}
		}
		if id = service.HeldRun(held[0], runs); id == 0 {
			return nil, nil
		}
	}
	run, err := store.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	// A run of another source would name the people of another jail.
	if of, _ := models.SplitScope(run.SourceID); of != c.ID && run.SourceID != c.ID {
		return nil, models.Invalid("run", fmt.Sprintf("run %d belongs to source %s, not to %s", run.ID, run.SourceID, c.ID))
	}
	if run.State != source.RunHeld {
		return nil, models.Invalid("run", fmt.Sprintf("run %d is %s: only what a held run would do is open", run.ID, run.State))
	}
	return app.Rehearse(ctx, store, notifier.NewStanding(store, app.Log), c.ID, id)
}

// showRun reads the numbers of a run from its report.
func showRun(r *source.Run) (shownRun, error) {
	var report ingest.Report
	if err := json.Unmarshal(r.Report, &report); err != nil {
		return shownRun{}, fmt.Errorf("read report of run %d: %w", r.ID, err)
	}
	s := shownRun{ID: r.ID, State: string(r.State), Started: r.Started, Fetched: report.Fetched, New: report.New, Changed: report.Changed, Closed: report.Closed}
	if r.Note != nil {
		s.Note = *r.Note
	}
	return s, nil
}

// printSource prints a source for people, and how to go on when it is held.
func printSource(a *service.App, s *shownSource) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s\n", s.ID, s.Title)
	for i := range s.Trouble {
		fmt.Fprintf(w, "began\t%s\n", s.Trouble[i].line())
	}
	fmt.Fprintf(w, "state\t%s\n", cell.Text(s.State))
	fmt.Fprintf(w, "note\t%s\n", cell.Text(s.Note))
	fmt.Fprintf(w, "last attempt\t%s\n", cell.Time(s.LastAttempt))
	if s.Waiting > 0 {
		fmt.Fprintf(w, "waiting\t%s, read in order when the source is read after its release\n", plural.Of(s.Waiting, "run"))
	}
	fmt.Fprintf(w, "last success\t%s\n", cell.Time(s.LastSuccess))
	if err := w.Flush(); err != nil {
		return err
	}
	for _, county := range s.Counties {
		fmt.Fprintf(w, "%s\t%s\t%s\n", county.ID, cell.Text(county.State), cell.Text(county.Note))
	}
	for _, r := range s.Runs {
		fmt.Fprintf(w, "run %d\t%s\t%s\tfetched %d\tnew %d\tchanged %d\tclosed %d\t%s\n",
			r.ID, cell.Time(&r.Started), r.State, r.Fetched, r.New, r.Changed, r.Closed, r.Note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if h := s.Held; h != nil {
		if _, err := fmt.Fprint(a.Stdout, rehearsal(h)); err != nil {
			return err
		}
		release := "rollcall sources release " + s.ID
		if h.Again > 0 {
			release += " --renumbered (without it they are booked anew)"
		}
		_, err := fmt.Fprintf(a.Stdout, "To apply it: %s; if it is wrong: rollcall sources release %s --discard\n", release, s.ID)
		return err
	}
	return nil
}
