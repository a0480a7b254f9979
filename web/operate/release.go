package operate

import (
	"context"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/web/page"
	"rollcall/web/words"
)

// releases routes the forms that end a hold.
func (s Site) releases(r chi.Router) {
	r.Post("/operator/sources/{id}/release", s.Pages.Operator(s.release(Right, "source: release the source", "released")))
	r.Post("/operator/sources/{id}/release-renumbered", s.Pages.Operator(s.release(Renumbered, "source: release: the jail renumbered its list", "renumbered")))
	r.Post("/operator/sources/{id}/release-undo", s.Pages.Operator(s.sourceAction("source: undo the release", "undone", s.Store.UndoRelease)))
	r.Post("/operator/sources/{id}/discard", s.Pages.Operator(s.sourceAction("source: discard the held data", "discarded", s.discard)))
}

// release returns the handler of a release. It is decided now and applied a minute later, so that it can be undone until then.
// A source that is refused and not held has nothing to apply, and goes on at once.
func (s Site) release(how Decision, action, done string) func(*page.Visit) error {
	return func(v *page.Visit) error {
		return s.sourceAction(action, done, func(ctx context.Context, id string) error {
			src, err := s.source(ctx, id)
			switch {
			case err != nil:
				return err
			case src.HeldAbove():
				return models.Invalid("id", "source "+src.Parent+" is on hold as a whole: release that first; nothing was changed")
			case src.HeldSince == nil:
				return s.Release(ctx, id, how)
			}
			_, err = s.Store.DecideRelease(ctx, source.Release{SourceID: id, Renumbered: how == Renumbered, Actor: v.User.Email}, source.UndoFor)
			return err
		})(v)
	}
}

// discard ends a hold without applying anything, unless a release of it was decided.
func (s Site) discard(ctx context.Context, id string) error {
	last, err := s.Store.LastRelease(ctx, id)
	if err != nil {
		return err
	}
	if last != nil && last.Open() {
		return &models.Error{Code: models.CodeConflict, Message: "the source is about to be released: undo the release first; nothing was changed"}
	}
	return s.Release(ctx, id, Discarded)
}

// releaseShown is a release on the page of its source.
type releaseShown struct {
	*source.Release
	// Now is when the page was made.
	Now time.Time
}

// Undoable reports whether the page offers to undo the release.
func (r releaseShown) Undoable() bool { return r.Open() && r.StartedAt == nil }

// Left returns the whole seconds until the release is applied; 0: it is due.
func (r releaseShown) Left() int {
	return max(0, int(r.DueAt.Sub(r.Now).Round(time.Second)/time.Second))
}

// Late reports whether the release is due for longer than a worker takes to notice it: none may be running.
func (r releaseShown) Late() bool { return r.Undoable() && r.Now.Sub(r.DueAt) > 30*time.Second }

// Failed reports whether the release could not be applied. The hold stands then.
func (r releaseShown) Failed() bool { return r.Outcome != nil && *r.Outcome == source.ReleaseFailed }

// Applied reports whether the release was applied.
func (r releaseShown) Applied() bool { return r.Outcome != nil && *r.Outcome == source.ReleaseApplied }

// Overtaken reports whether the hold of the release had ended otherwise before it was due.
func (r releaseShown) Overtaken() bool {
	return r.Outcome != nil && *r.Outcome == source.ReleaseOvertaken
}

// releaseOf returns the release that the page of a source shows: one that is open, or that ended lately. One that was undone is not
// shown, nor what is of an earlier hold while another one stands.
func (s Site) releaseOf(ctx context.Context, src *models.Source) (*releaseShown, error) {
	last, err := s.Store.LastRelease(ctx, src.ID)
	if err != nil || last == nil {
		return nil, err
	}
	if r := (&releaseShown{Release: last, Now: s.Now()}); r.shownWith(src) {
		return r, nil
	}
	return nil, nil //nolint:nilnil // there is none to show
}

// heldAgain is how soon after a release the source goes on hold again where that comes of the release: its page then shows both.
const heldAgain = time.Minute

// shownWith reports whether the page of a source shows the release.
func (r *releaseShown) shownWith(src *models.Source) bool {
	switch {
	case r.Open():
		return true
	case r.Now.Sub(*r.EndedAt) >= source.ReleasesFor:
		return false
	case src.HeldSince != nil && r.HeldSince.Equal(*src.HeldSince):
		return r.Failed()
	case src.HeldSince != nil: // what the release let go on was held again, or this is a later hold
		return r.Applied() && src.HeldSince.Sub(*r.EndedAt) < heldAgain
	}
	return r.Applied() || r.Overtaken()
}

// appliedBy returns the run that applied a release, of some, newest first. A release of a source that an operator held applies nothing
// by itself: that is the first run after it. nil: there is none, or these runs do not reach back so far.
func appliedBy(r *releaseShown, runs []runLine) *runLine {
	if r == nil || !r.Applied() || r.StartedAt == nil || len(runs) == 0 || runs[len(runs)-1].Started.After(*r.EndedAt) {
		return nil
	}
	for i := range slices.Backward(runs) {
		run := &runs[i]
		within := run.ReplayOf != nil && !run.Started.Before(*r.StartedAt) && !run.Started.After(*r.EndedAt)
		if within || r.HeldRun == nil && run.Started.After(*r.EndedAt) && run.Applied() {
			return run
		}
	}
	return nil
}

// showApplied fills in which run applied the release that the page shows, and how many alerts it fired.
func (s Site) showApplied(ctx context.Context, b *sourceBody) error {
	if b.Applied = appliedBy(b.Ending, b.Runs); b.Applied == nil {
		return nil
	}
	fired, known, err := s.Store.FiredBy(ctx, b.Applied.ID)
	switch {
	case err != nil:
		return err
	case known && fired == 0:
		b.Fired = words.T("No alert fired.")
	case known:
		b.Fired = words.T("{1 alert|alerts} fired.", fired)
	}
	return nil
}

// eventNouns are the kinds of events, one and several, in the order in which a forecast names them.
var eventNouns = []struct {
	kind models.EventKind
	noun words.Text
}{
	{models.EventBooking, words.T("{1 booking|bookings}")},
	{models.EventRelease, words.T("{1 release|releases}")},
	{models.EventBondChange, words.T("{1 bond change|bond changes}")},
	{models.EventRetraction, words.T("{1 retraction|retractions}")},
	{models.EventWithheld, words.T("{1 notice of a withheld record|notices of withheld records}")},
}

// Same reports whether a release would change nothing that is published, and take every row.
func (h *HeldSnapshot) Same() bool {
	return h.New+h.Changed+h.Closed+h.Reopened+h.Alters+h.Quarantined == 0 && h.Forecast.Alerts == 0
}

// Says returns what a release would change, of people or of records as the kind of the source has it.
func (h *HeldSnapshot) Says(kind string) words.Text {
	if h.Same() {
		return words.T("The held data matches what is published: releasing it changes nothing")
	}
	fresh, closed := words.T("{1 new record|new records}", h.New), words.T("{1 record|records} closed or hidden", h.Closed)
	if kind == string(models.Roster) {
		fresh, closed = words.T("{1 person|people} booked", h.New), words.T("{1 person|people} released", h.Closed)
	}
	var back, refused words.Text
	if h.Reopened > 0 {
		back = words.T("{1 person|people} back in jail", h.Reopened)
	}
	if h.Quarantined > 0 {
		refused = words.T("{1 row|rows} refused", h.Quarantined)
	}
	return words.Join(", ", fresh, words.T("{1 record|records} changed", h.Changed), closed, back, refused)
}

// Says returns how many alerts would fire, and for what.
func (f Forecast) Says() words.Text {
	if f.Alerts == 0 {
		return words.T("No alert will fire.")
	}
	var parts []words.Text
	for _, n := range eventNouns {
		if f.Events[n.kind] > 0 {
			parts = append(parts, slices.Concat(n.noun, words.Text{f.Events[n.kind]}))
		}
	}
	if f.More {
		return words.T("At least {1 alert|alerts} will fire: {2}.", f.Alerts, words.Join(", ", parts...))
	}
	return words.T("{1 alert|alerts} will fire: {2}.", f.Alerts, words.Join(", ", parts...))
}
