package claim

import (
	"context"
	"slices"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// resolveOffenders resolves the records whose claims became others.
func resolveOffenders(ctx context.Context, r *run) error {
	slices.Sort(r.touched)
	r.touched = slices.Compact(r.touched)
	for some := range slices.Chunk(r.touched, chunk) {
		changes, err := offendersAnew(ctx, r.session, some, r.RunID)
		if err != nil {
			return err
		}
		for i := range changes {
			countOffender(r, &changes[i])
		}
	}
	if r.applied.Missing = r.impact.hidden; r.policy.Confirmations > 1 {
		r.applied.Missing += r.impact.marked
	}
	return r.one(ctx, "withheld_offenders", args{"source": r.SourceID}, &r.applied.Withheld)
}

// countOffender counts what the snapshot did to a record: for the report, for the guards, and for a rehearsal.
func countOffender(r *run, c *offenderChange) {
	leads, led := resolve.Leads(c.claims), false
	for _, claim := range c.claims {
		if claim.Source.ID != r.SourceID || claim.RunID != r.RunID {
			continue
		}
		if slices.Contains(leads, claim) {
			r.applied.Changed++
			c.weigh(&r.impact)
			led = true
		} else { // it only keeps the record present
			r.applied.Unchanged++
		}
	}
	if !led && slices.ContainsFunc(c.versions, isFact) { // an unchanged row leads since another key is absent
		r.applied.Changed, r.applied.Unchanged = r.applied.Changed+1, r.applied.Unchanged-1
	}
	if c.after.Visibility.Reason == models.WithheldVanished && c.before.Visibility.Reason != models.WithheldVanished {
		r.impact.hidden++
		r.addGone(snapshot.Gone{ID: c.id, Name: c.after.Facts.Name, Inferred: true})
	}
	if c.after.Visibility.Withheld() == models.Published {
		r.addAltered(c.id, c.after.Facts.Name, c.versions)
	}
}

// weigh counts what would become another of a record that the source knew, by kind of change.
func (c *offenderChange) weigh(m *impact) {
	b, a := &c.before.Facts, &c.after.Facts
	if b.Status == incarcerated && a.Status != incarcerated {
		m.closed++
		m.note(wouldEnd)
	}
	for fact, changed := range map[string]bool{
		"birth date":      b.DOB != nil && a.DOB != nil && *b.DOB != *a.DOB || b.BirthYear != 0 && a.BirthYear != 0 && b.BirthYear != a.BirthYear,
		"name":            b.Name != a.Name,
		"category":        b.Category != a.Category,
		"institution":     b.Institution != "" && b.Institution != a.Institution,
		"sentence":        b.Sentence != "" && b.Sentence != a.Sentence,
		"release date":    b.ReleaseDate != nil && (a.ReleaseDate == nil || *b.ReleaseDate != *a.ReleaseDate),
		"parole end date": b.ParoleEnd != nil && (a.ParoleEnd == nil || *b.ParoleEnd != *a.ParoleEnd),
	} {
		if changed {
			m.note(fact)
		}
	}
}

const incarcerated = "incarcerated"

// offenderFacts are the facts that the mass-change guard counts, in the order in which it looks at them.
var offenderFacts = []string{"birth date", "name", "category", "institution", "sentence", "release date", "parole end date"}

// judgeOffenders asks the mass-change guard. A status that is no longer incarcerated counts as a release: offenders
// leave slowly, however long ago the last file came.
func judgeOffenders(ctx context.Context, r *run) error {
	if r.GuardMassChange == nil || r.impact.most() < massChange {
		return nil
	}
	open := 0
	if err := r.one(ctx, "open_offenders", args{"source": r.SourceID}, &open); err != nil {
		return err
	}
	return r.massChange(snapshot.MassChange{Open: open + r.impact.closed, Closed: r.impact.closed, Known: r.impact.known}, offenderFacts)
}

// turnoverOfOffenders asks the key-turnover guard. A list of offenders changes little from file to file, however long
// that takes. Who is gone stands there again where the name and birth date stand under a new key.
func turnoverOfOffenders(ctx context.Context, r *run) error {
	if !r.Tracks || r.GuardTurnover == nil || r.present == 0 {
		return nil
	}
	t := snapshot.KeyTurnover{By: "birth date", Known: r.present, Fresh: len(r.fresh), Listed: r.applied.Rows - r.applied.Repeated - len(r.applied.Rejected)}
	if r.policy.LastComplete.After(r.At) {
		t.Since = -1 // it came late
	}
	here := map[brief]bool{}
	for _, b := range r.fresh {
		here[b] = b.dob != ""
	}
	absent, err := r.absentees(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(absent, chunk) {
		keys := make([]string, len(some))
		for i, a := range some {
			keys[i] = a.key
		}
		claims, err := claimsByKey[resolve.OffenderFacts](ctx, r.session, r.SourceID, keys)
		if err != nil {
			return err
		}
		for _, c := range claims {
			if !c.Present {
				continue
			}
			t.Vanished++
			if here[newBrief(c.Facts.NameKey(), c.Facts.DOB)] {
				t.Again++
			}
		}
	}
	if reason := r.GuardTurnover(t); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}
