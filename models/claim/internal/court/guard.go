package court

import (
	"context"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// closed is the status of a case that is over.
const closed = "closed"

// turnover asks the key-turnover guard about people who have new cases, before any is made. Of a court that exchanged all of its
// numbers, most of them have a case of the same day of filing under a number that the snapshot lacks. Many cases of one person
// count once, as one is often charged several times on a day. Cases without a day of filing are not asked, nor are those of the
// last days known already: a second citation of a stop may come a day after the first.
func (k *courtRun) turnover(ctx context.Context) error {
	if k.GuardTurnover == nil || k.Imported {
		return nil
	}
	settled := models.DateOf(k.At.Add(-resolve.Overdue).UTC())
	t := snapshot.KeyTurnover{Changes: true, Alike: resolve.RewriteFiled}
	if err := k.One(ctx, "doubled_cases", engine.Args{"source": k.SourceID, "settled": settled}, &t.Came, &t.Doubled); err != nil {
		return err
	}
	if reason := k.GuardTurnover(t); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}

// courtRewrites are the facts that the mass-change guard counts, in the order in which it looks at them.
var courtRewrites = []string{resolve.RewriteFiled, resolve.RewriteBirth, resolve.RewriteName, resolve.RewriteRestricted}

// weigh counts what changes of a case that is known, by kind of change. A fact that was not known before is no rewrite of it, nor
// is the earliest day of a case of which no source states the day of filing.
func (c *caseChange) weigh(m *engine.Impact) {
	b, a := &c.before, &c.after
	if b.Defendant == "" {
		return
	}
	if b.Status != closed && a.Status == closed {
		m.Closed++
		m.Note(engine.Release)
	}
	m.Turn(resolve.RewriteFiled, !b.FiledInferred, !a.FiledInferred)
	m.Turn(resolve.RewriteBirth, b.BirthYear != 0, a.BirthYear != 0)
	if !b.FiledInferred && !a.FiledInferred && b.Filed != a.Filed {
		m.Move(resolve.RewriteFiled, a.Filed.In(time.UTC).Sub(b.Filed.In(time.UTC)))
	}
	for fact, changed := range map[string]bool{
		resolve.RewriteBirth: b.DOB != nil && a.DOB != nil && *b.DOB != *a.DOB || b.BirthYear != 0 && a.BirthYear != 0 && b.BirthYear != a.BirthYear,
		resolve.RewriteName:  match.SearchKey(b.Defendant) != match.SearchKey(a.Defendant),
	} {
		if changed {
			m.Note(fact)
		}
	}
}

// judge asks the mass-change guard. Courts close many cases on a day, but not nearly all that are open. Documents that are read
// again are not asked that: they may state what nobody read before, such as which cases are over.
func (k *courtRun) judge(ctx context.Context) (err error) {
	if k.GuardMassChange == nil || k.Impact.Most() < engine.FewChanges {
		return nil
	}
	u := snapshot.MassChange{Cases: true}
	if u.Since, err = k.SinceLast(ctx); err != nil {
		return err
	}
	if closed := k.Impact.Closed; closed >= engine.FewChanges && !k.Returns {
		if err := k.One(ctx, "open_cases", engine.Args{"source": k.SourceID}, &u.Open); err != nil {
			return err
		}
		u.Closed = closed
		u.Open += closed // they are written already
	}
	var filed, births int
	if err := k.One(ctx, "facts_of_cases", engine.Args{"source": k.SourceID, "now": k.Now}, &u.Known, &filed, &births); err != nil {
		return err
	}
	of := map[string]int{resolve.RewriteFiled: filed, resolve.RewriteBirth: births}
	for fact := range of {
		of[fact] += k.Impact.Lost[fact]
	}
	return k.MassChange(u, courtRewrites, of)
}
