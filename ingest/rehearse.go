package ingest

import (
	"context"
	"maps"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/models/source"
)

// Rehearsed is what a snapshot would do if an operator released its source. It names people.
type Rehearsed struct {
	Run int64 `json:"run"` // that read the snapshot
	// Complete reports whether it is proven complete. Else it would close nobody, and Doubts says why.
	Complete bool     `json:"complete"`
	Doubts   []string `json:"doubts"`
	// Note says why it cannot be applied at all; empty if it can.
	Note string `json:"note,omitempty"`

	Rows     int `json:"rows"`     // that it has
	New      int `json:"new"`      // records that it would make
	Changed  int `json:"changed"`  // records of which it would change a fact
	Closed   int `json:"closed"`   // that it would release
	Reopened int `json:"reopened"` // that it would show in jail again
	// Missing counts those who are absent for the first time of several, or would be hidden.
	Missing int `json:"missing"`
	// Again counts those who are gone from one key and there under a new one, by name and time of booking.
	Again int `json:"again"`
	// Quarantined counts rows that it would not take.
	Quarantined int `json:"quarantined"`

	// Gone are those who would be released or hidden, a thousand at most.
	Gone []snapshot.Gone `json:"gone"`
	// Fresh are those who would be new, 200 at most.
	Fresh []snapshot.Gone `json:"would_be_new"`
	// Altered are those whose facts would change otherwise, 200 at most; Alters is how many there are.
	Altered []snapshot.Altered `json:"would_change"`
	Alters  int                `json:"would_change_total"`

	// News is what watchers would be notified of.
	News snapshot.News `json:"-"`
}

// Rehearse returns what the snapshot of an earlier run would do, and stores nothing of it.
// It runs the whole way of a run, so what an operator sees is what a release does, and it takes as long.
func (r *Runner) Rehearse(ctx context.Context, s *Source, runID int64) (*Rehearsed, error) {
	return r.RehearseAs(ctx, s, runID, Decision{})
}

// RehearseAs is Rehearse for a release as d says.
func (r *Runner) RehearseAs(ctx context.Context, s *Source, runID int64, d Decision) (*Rehearsed, error) {
	u, then, err := r.archived(ctx, s, runID)
	if err != nil {
		return nil, err
	}
	// The source is not locked: what a rehearsal writes is rolled back.
	if err := r.onePart(ctx, u, runID); err != nil {
		return nil, err
	}
	var would snapshot.Rehearsal
	// The run is not begun in the tables: it has the id of the earlier one, and nothing is written under it.
	u.Runner, u.id, u.started, u.report = r, runID, r.Now(), newReport(runID, s.ID)
	if d.Renumbered { // else a rehearsal is a release as it is
		u.released = &release{Decision: d}
	}
	u.rehearse = func(h snapshot.Rehearsal) { would = joined(would, h) }
	dir, leave, err := r.directory().Make(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	_, err = u.do(ctx, dir, then.unpack)
	u.conclude(ctx, err)
	if err == nil { // what is partial is applied all the same
		u.report.Note = ""
	}
	return &Rehearsed{
		Run: runID, Complete: would.Complete, Doubts: u.report.Doubts, Note: u.report.Note, Rows: would.Rows, New: would.New, Changed: would.Changed,
		Closed: would.Closed, Reopened: would.Reopened, Missing: would.Missing, Again: u.again, Quarantined: u.report.Quarantined,
		Gone: would.Gone, Fresh: would.Fresh, Altered: would.Altered, Alters: would.Alters, News: would.News,
	}, nil
}

// joined is what two parts of a run would do. Each county of a source is a snapshot of its own, but an operator decides about
// the whole.
func joined(a, b snapshot.Rehearsal) snapshot.Rehearsal {
	if a.Rows == 0 {
		return b
	}
	a.Rows, a.New, a.Changed, a.Closed = a.Rows+b.Rows, a.New+b.New, a.Changed+b.Changed, a.Closed+b.Closed
	a.Reopened, a.Missing, a.Alters = a.Reopened+b.Reopened, a.Missing+b.Missing, a.Alters+b.Alters
	a.Complete = a.Complete && b.Complete
	a.News.Changes, a.News.Notified, a.News.More = append(a.News.Changes, b.News.Changes...), append(a.News.Notified, b.News.Notified...), a.News.More || b.News.More
	a.Gone, a.Fresh, a.Altered = append(a.Gone, b.Gone...), append(a.Fresh, b.Fresh...), append(a.Altered, b.Altered...)
	return a
}

// onePart narrows a run that read several counties to the only one that was held, if there is one.
func (r *Runner) onePart(ctx context.Context, u *run, runID int64) error {
	if !u.source.several() || u.only != nil {
		return nil
	}
	parts, err := r.Store.Parts(ctx, runID)
	if err != nil {
		return err
	}
	// The other counties were applied when the run was read: to rehearse them again would show nothing.
	maps.DeleteFunc(parts, func(_ string, p *source.Run) bool { return p.State != source.RunHeld })
	if len(parts) != 1 {
		return nil
	}
	for scope := range parts {
		_, slug := models.SplitScope(scope)
		u.only, err = r.Store.Counties().BySlug(slug)
	}
	return err
}
