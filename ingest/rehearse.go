package ingest

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"rollcall/internal/cell"
	"rollcall/internal/plural"
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

	// Gone are those who would be released or hidden, a thousand at most.
	Gone []snapshot.Gone `json:"gone"`
	// Fresh are those who would be new, 200 at most.
	Fresh []snapshot.Gone `json:"would_be_new"`
	// Altered are those whose facts would change otherwise, 200 at most; Alters is how many there are.
	Altered []snapshot.Altered `json:"would_change"`
	Alters  int                `json:"would_change_total"`
}

// Rehearse returns what the snapshot of an earlier run would do, and stores nothing of it.
// It runs the whole way of a run, so what an operator sees is what a release does, and it takes as long.
func (r *Runner) Rehearse(ctx context.Context, s *Source, runID int64) (*Rehearsed, error) {
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
	u.rehearse = func(h snapshot.Rehearsal) { would = joined(would, h) }
	dir, leave, err := r.directory().Make(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	_, err = u.do(ctx, dir, then.unpack)
	u.conclude(err)
	if err == nil { // what is partial is applied all the same
		u.report.Note = ""
	}
	return &Rehearsed{
		Run: runID, Complete: would.Complete, Doubts: u.report.Doubts, Note: u.report.Note, Rows: would.Rows, New: would.New, Changed: would.Changed,
		Closed: would.Closed, Reopened: would.Reopened, Missing: would.Missing, Again: u.again,
		Gone: would.Gone, Fresh: would.Fresh, Altered: would.Altered, Alters: would.Alters,
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

// String is the rehearsal in lines for a terminal.
func (h *Rehearsed) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The held snapshot of run %d would: new %d  changed %d  closed %d  reopened %d  missing %d  (of %s)\n", h.Run, h.New, h.Changed, h.Closed, h.Reopened, h.Missing, plural.Of(h.Rows, "row"))
	for _, doubt := range h.Doubts {
		fmt.Fprintf(&b, "  not complete, so it closes nobody: %s\n", doubt)
	}
	if h.Again > 0 {
		fmt.Fprintf(&b, "  %s gone from known keys and in it under new ones, with the same name and time of booking; if the jail renumbered its bookings: rollcall sources release ID --renumbered\n", plural.Of(h.Again, "person is", "people are"))
	}
	if h.Note != "" {
		fmt.Fprintf(&b, "  %s\n", h.Note)
	}
	people(&b, "gone", h.Gone, h.Closed)
	people(&b, "new", h.Fresh, h.New)
	for _, a := range h.Altered {
		fmt.Fprintf(&b, "  changed: %s %s:", a.ID, a.Name)
		for i, c := range a.Changes {
			if i > 0 {
				b.WriteString(";")
			}
			fmt.Fprintf(&b, " %s %s -> %s", c.Field, cell.Text(c.Before), cell.Text(c.After))
		}
		b.WriteString("\n")
	}
	more(&b, h.Alters-len(h.Altered))
	return b.String()
}

// people writes a line for each of a list, and how many of all it leaves out.
func people(b *strings.Builder, what string, list []snapshot.Gone, all int) {
	for _, g := range list {
		since := ""
		if g.Since != nil {
			since = ", booked " + g.Since.In(models.Georgia).Format("2006-01-02")
		}
		fmt.Fprintf(b, "  %s: %s%s\n", what, strings.TrimSpace(g.ID+" "+g.Name), since)
	}
	more(b, all-len(list))
}

// more writes how many lines were left out, if any were.
func more(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "  and %d more\n", n)
	}
}
