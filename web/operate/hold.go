package operate

import (
	"context"
	"slices"
	"strings"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/web/page"
)

// sortTroubles takes the hold or refusal of the source itself out of its troubles, as it has a card of its own. A source whose hold has
// just ended is in no other trouble than that it catches up, and one whose schedule is stopped in none but that.
func (b *sourceBody) sortTroubles() {
	for i := range b.Trouble {
		switch t := &b.Trouble[i]; {
		case t.Reason == models.NoteReleased:
			t.State = models.ShownCatchingUp
		case t.Source == b.ID && b.Shown() == models.ShownStopped:
			t.State = models.ShownStopped
		}
	}
	i := slices.IndexFunc(b.Trouble, func(t source.Trouble) bool { return t.Source == b.ID })
	if i >= 0 && (b.HeldSince != nil || b.RefusedAt != nil) {
		b.Began, b.Trouble = &b.Trouble[i], slices.Concat(b.Trouble[:i], b.Trouble[i+1:])
	}
}

// showHold fills in what a release of a held source would change.
func (s Site) showHold(ctx context.Context, b *sourceBody) (err error) {
	if b.Held, err = s.Rehearse(ctx, b.ID); err != nil {
		return err
	}
	if b.Held != nil {
		if i := slices.IndexFunc(b.Runs, func(r runLine) bool { return r.ID == int64(b.Held.Run) }); i >= 0 {
			b.HeldAt = &b.Runs[i].Started
		}
	}
	if b.HeldRun != nil {
		return nil
	}
	queued, err := s.Store.WaitingRuns(ctx, b.ID)
	b.Queued = len(queued)
	return err
}

// hold holds a source for the reason that the form states, which every page then shows with the
// source.
func (s Site) hold(v *page.Visit) error {
	note, why := "an operator holds it", strings.TrimSpace(v.R.PostFormValue("why"))
	if why != "" {
		note += ": " + why
	}
	return s.sourceActionFor("source: hold", why, "held", func(ctx context.Context, id string) error {
		return s.Store.HoldSource(ctx, id, note, s.Now())
	})(v)
}
