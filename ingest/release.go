package ingest

import (
	"context"
	"time"

	"rollcall/models"
	"rollcall/models/source"
)

// Decision is what an operator says of a held snapshot. The zero value: it is right.
type Decision struct {
	Renumbered bool // the jail changed the keys of its bookings: a person with the same name and time of booking keeps the booking
	Discard    bool // it is wrong: nothing of it is applied
	// HeldSince is when the hold began that the operator looked at, and no other is ended. Nil: the one that stands.
	HeldSince *time.Time
}

// release is a held snapshot that an operator released.
type release struct{ Decision }

// renumbered is false for a run that nobody released.
func (l *release) renumbered() bool { return l != nil && l.Renumbered }

// Release lets a held or refused source go on, or, where county is not nil, one of its counties. It applies exactly the snapshot
// that began the hold, as if it had been believed, and then reads what a source that reports only changes brought meanwhile, in
// order. What comes later is judged against what is known then. Of a source that lists everybody, the newest file that was
// dropped meanwhile is read anew by the next run. Where no snapshot is held, or its documents are not kept any more, only the
// hold ends, and the report says so. The hold ends when the snapshot is applied; when that fails, it stands.
func (r *Runner) Release(ctx context.Context, s *Source, county *models.County, d Decision) (*Report, error) {
	// To apply and to discard exclude each other. Nothing is locked or changed yet.
	if d.Renumbered && d.Discard {
		return nil, models.Invalid("renumbered", "a snapshot cannot be both applied and discarded; nothing was changed")
	}
	unlock, err := r.lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer unlock()
	entry, err := r.heldEntry(ctx, s, county)
	if err != nil {
		return nil, err
	}
	if d.HeldSince != nil && (entry.HeldSince == nil || !entry.HeldSince.Equal(*d.HeldSince)) {
		return nil, &models.Error{Code: models.CodeConflict, Message: "this hold has already ended; nothing was changed"}
	}
	report, err := r.applyHeld(ctx, s, entry, d)
	if err != nil || !report.applied() {
		return report, err
	}
	lost := report.Run == 0 && !d.Discard // where a snapshot was held, its documents are gone
	if err := r.Store.ForgetHeldFiles(ctx, s.ID, entry.ID, entry.HeldRun, lost); err != nil {
		return nil, err
	}
	return report, r.readHeld(ctx, s)
}

// heldEntry is what is known of the source, or of its scope of a county.
func (r *Runner) heldEntry(ctx context.Context, s *Source, county *models.County) (*source.Entry, error) {
	entry, err := r.entry(ctx, s)
	if err != nil || county == nil {
		return entry, err
	}
	if entry.HeldSince != nil {
		return nil, models.Invalid("id", "source "+s.ID+" is on hold as a whole: release that first; nothing was changed")
	}
	return r.scopeEntry(ctx, s, county)
}

// applyHeld applies the held snapshot, or ends the hold where there is none.
func (r *Runner) applyHeld(ctx context.Context, s *Source, entry *source.Entry, d Decision) (*Report, error) {
	switch {
	case entry.HeldRun == nil && d.Renumbered:
		return nil, models.Invalid("renumbered", "no snapshot of "+entry.Title+" is on hold, so no keys can count as renumbered; nothing was changed")
	case entry.HeldRun == nil:
		return r.endHold(ctx, entry.ID, "no snapshot was held: the next one is judged against what is known")
	case d.Discard:
		return r.endHold(ctx, entry.ID, "the held snapshot was discarded: the next one is judged against what is known")
	}
	u, then, err := r.archived(ctx, s, *entry.HeldRun)
	if models.CodeOf(err) == models.CodeNotFound {
		return r.endHold(ctx, entry.ID, "the documents of the held snapshot are not kept any more, so nothing of it was applied: the next one is judged against what is known")
	}
	if err != nil {
		return nil, err
	}
	u.released = &release{Decision: d}
	return r.readAgain(ctx, u, then)
}

// endHold ends a hold without applying anything.
func (r *Runner) endHold(ctx context.Context, scope, note string) (*Report, error) {
	if err := r.Store.ReleaseSource(ctx, scope); err != nil {
		return nil, err
	}
	report := newReport(0, scope)
	report.Note = note
	return report, nil
}
