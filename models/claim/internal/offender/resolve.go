package offender

import (
	"context"
	"slices"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// resolveOffenders resolves the records whose claims became others, writes them, and counts what is missing or withheld.
// Records are written before the guards judge. A HeldError rolls the transaction back, with all that it wrote.
func resolveOffenders(ctx context.Context, r *engine.Run) error {
	slices.Sort(r.Touched)
	r.Touched = slices.Compact(r.Touched)
	for some := range slices.Chunk(r.Touched, engine.Chunk) {
		changes, err := offendersAnew(ctx, r.Session, some, r.RunID)
		if err != nil {
			return err
		}
		for i := range changes {
			countOffender(r, &changes[i])
		}
	}
	// Records that a second snapshot must still confirm are missing, and not hidden yet.
	if r.Applied.Missing = r.Impact.Hidden; r.Policy.Confirmations > 1 {
		r.Applied.Missing += r.Impact.Marked
	}
	return r.One(ctx, "withheld_offenders", engine.Args{"source": r.SourceID}, &r.Applied.Withheld)
}

// countOffender counts what the snapshot did to a record: for the report, for the guards, and for a rehearsal. A row of a
// claim that only keeps the record present is unchanged to the report.
// A record can have two keys of one source after a merge. Only the lead claim changes facts, so only its rows are changes.
func countOffender(r *engine.Run, c *offenderChange) {
	leads, led := resolve.Leads(c.claims), false
	for _, claim := range c.claims {
		if claim.Source.ID != r.SourceID || claim.RunID != r.RunID {
			continue
		}
		if slices.Contains(leads, claim) {
			r.Applied.Changed++
			c.weigh(&r.Impact)
			led = true
		} else { // it only keeps the record present
			r.Applied.Unchanged++
		}
	}
	if !led && slices.ContainsFunc(c.versions, engine.IsFact) { // an unchanged row leads since another key is absent
		r.Applied.Changed, r.Applied.Unchanged = r.Applied.Changed+1, r.Applied.Unchanged-1
	}
	if c.after.Visibility.Reason == models.WithheldVanished && c.before.Visibility.Reason != models.WithheldVanished {
		r.Impact.Hidden++
		r.AddGone(snapshot.Gone{ID: c.id, Name: c.after.Facts.Name, Inferred: true})
	}
	if c.after.Visibility.Withheld() == models.Published {
		r.AddAltered(c.id, c.after.Facts.Name, c.versions)
	}
}

// weigh counts what changes of a record that the source knew, by kind of change. A fact that was not known before is no
// rewrite of it.
// Facts that come and go for single people even out in Lost, so that the guard sees how many had the fact before.
func (c *offenderChange) weigh(m *engine.Impact) {
	b, a := &c.before.Facts, &c.after.Facts
	if b.Status == incarcerated && a.Status != incarcerated {
		m.Closed++
		m.Note(engine.Release)
	}
	for fact, had := range map[string][2]bool{
		resolve.RewriteBirth: {b.BirthYear != 0, a.BirthYear != 0},
		"institution":        {b.Institution != "", a.Institution != ""},
		"sentence":           {b.Sentence != "", a.Sentence != ""},
		"release date":       {b.ReleaseDate != nil, a.ReleaseDate != nil},
		"parole end date":    {b.ParoleEnd != nil, a.ParoleEnd != nil},
	} {
		m.Turn(fact, had[0], had[1])
	}
	for fact, changed := range map[string]bool{
		resolve.RewriteBirth: b.DOB != nil && a.DOB != nil && *b.DOB != *a.DOB || b.BirthYear != 0 && a.BirthYear != 0 && b.BirthYear != a.BirthYear,
		resolve.RewriteName:  b.Name != a.Name,
		"category":           b.Category != a.Category,
		"institution":        b.Institution != "" && b.Institution != a.Institution,
		"sentence":           b.Sentence != "" && b.Sentence != a.Sentence,
		"release date":       b.ReleaseDate != nil && (a.ReleaseDate == nil || *b.ReleaseDate != *a.ReleaseDate),
		"parole end date":    b.ParoleEnd != nil && (a.ParoleEnd == nil || *b.ParoleEnd != *a.ParoleEnd),
	} {
		if changed {
			m.Note(fact)
		}
	}
}

// incarcerated is the status of a record whose stay has not ended.
const incarcerated = "incarcerated"

// offenderFacts are the facts that the mass-change guard counts, in the order in which it looks at them.
var offenderFacts = []string{resolve.RewriteBirth, resolve.RewriteName, resolve.RewriteRestricted, "category", "institution", "sentence", "release date", "parole end date"}

// judgeOffenders asks the mass-change guard. A status that is no longer incarcerated counts as a release. Offenders leave
// slowly, so how long ago the last file came does not matter.
// Below engine.FewChanges it is not asked: in a small file no share of the people means anything.
func judgeOffenders(ctx context.Context, r *engine.Run) error {
	if r.GuardMassChange == nil || r.Impact.Most() < engine.FewChanges {
		return nil
	}
	// Those that the run would close are open no more in the tables: they are added again.
	open := 0
	if err := r.One(ctx, "open_offenders", engine.Args{"source": r.SourceID}, &open); err != nil {
		return err
	}
	// The records are written already: what they lost and gained since is known from their changes.
	var births, institutions, sentences, releases, paroles int
	err := r.One(ctx, "facts_of_offenders", engine.Args{"source": r.SourceID, "now": r.Now}, &births, &institutions, &sentences, &releases, &paroles)
	if err != nil {
		return err
	}
	of := map[string]int{
		resolve.RewriteBirth: births, "institution": institutions, "sentence": sentences, "release date": releases, "parole end date": paroles,
	}
	for fact := range of {
		of[fact] += r.Impact.Lost[fact]
	}
	u := snapshot.MassChange{Open: open + r.Impact.Closed, Closed: r.Impact.Closed, Known: r.Impact.Known}
	return r.MassChange(u, offenderFacts, of)
}

// turnoverOfOffenders asks the key-turnover guard. A list of offenders changes little from file to file, however long ago
// the last one came. A person who is gone and whose name and birth date stand under a new key is there again. A file that
// is older than the newest complete one is compared with nothing.
// The department numbers people and not stays, so a person under a new number is a mistake of the file, never a new stay.
func turnoverOfOffenders(ctx context.Context, r *engine.Run) error {
	switch {
	case r.GuardTurnover == nil || r.Present == 0:
		return nil
	case !r.Tracks:
		return doubledOffenders(ctx, r)
	}
	t := snapshot.KeyTurnover{By: resolve.RewriteBirth, Known: r.Present, Fresh: len(r.Fresh), Listed: r.Applied.Rows - r.Applied.Repeated - len(r.Applied.Rejected)}
	// People who are absent from an old file may have come since.
	if r.Policy.LastComplete.After(r.At) {
		t.Since = -1 // it came late
	}
	// Without a date of birth a name alone proves nothing.
	here := map[engine.Brief]bool{}
	for _, b := range r.Fresh {
		here[b] = b.DOB != ""
	}
	absent, err := r.Absentees(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(absent, engine.Chunk) {
		keys := make([]string, len(some))
		for i, a := range some {
			keys[i] = a.Key
		}
		claims, err := engine.ClaimsByKey[resolve.OffenderFacts](ctx, r.Session, r.SourceID, keys)
		if err != nil {
			return err
		}
		for _, c := range claims {
			if !c.Present {
				continue
			}
			t.Vanished++
			if here[engine.NewBrief(c.Facts.NameKey(), c.Facts.DOB)] {
				t.Again++
			}
		}
	}
	if reason := r.GuardTurnover(t); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}

// doubledOffenders asks the same guard about a source that reports single people: most of those under new numbers are known
// under numbers that the snapshot lacks. Many queries show the year of birth alone.
func doubledOffenders(ctx context.Context, r *engine.Run) error {
	if len(r.Fresh) == 0 {
		return nil
	}
	t := snapshot.KeyTurnover{Changes: true, Alike: "year of birth"}
	if err := r.One(ctx, "doubled_offenders", engine.Args{"source": r.SourceID, "now": r.Now}, &t.Came, &t.Doubled); err != nil {
		return err
	}
	if reason := r.GuardTurnover(t); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}
