package court

import (
	"context"
	"slices"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// fold folds some thousand rows.
type fold struct {
	*courtRun
	claims  map[string]*court.Claim                 // of the source, by key
	places  map[snapshot.CaseKey]place              // cases that there are, by number
	parties map[snapshot.CaseKey][]snapshot.CaseKey // of places, by the key of removals for every party
	fresh   []*court.Claim                          // that nobody made before
	known   []*court.Claim
	created []*court.Claim // that report a case which nobody knew
}

// place is the case that a number leads to, and whom it is about.
type place struct {
	record int64
	merged bool // the number went in a merge
	snapshot.Identity
}

// fold folds the rows that are not unchanged into claims.
func (k *courtRun) fold(ctx context.Context) error {
	err := engine.ChangedRows(ctx, k.Run, func(groups []engine.Group[snapshot.CourtRow]) error {
		if len(groups) == 0 {
			return nil
		}
		f := &fold{courtRun: k}
		if err := f.load(ctx, groups); err != nil {
			return err
		}
		for i := range groups {
			f.fold(&groups[i])
		}
		return f.write(ctx)
	})
	if err != nil {
		return err
	}
	return k.Do(ctx, "touch_unchanged", engine.Args{"source": k.SourceID})
}

func (f *fold) load(ctx context.Context, groups []engine.Group[snapshot.CourtRow]) (err error) {
	keys, cases := make([]string, len(groups)), make([]snapshot.CaseKey, len(groups))
	for i := range groups {
		keys[i], cases[i] = groups[i].Key, court.KeyOf(groups[i].Rows[0].Data)
	}
	if f.claims, err = engine.ClaimsByKey[court.Report](ctx, f.Session, f.SourceID, keys); err != nil {
		return err
	}
	f.places, err = placesOf(ctx, f.Session, cases)
	f.parties = map[snapshot.CaseKey][]snapshot.CaseKey{}
	for key := range f.places {
		f.parties[everyParty(key)] = append(f.parties[everyParty(key)], key)
	}
	return err
}

// fold folds the rows of one case. The rows of another person are refused.
func (f *fold) fold(g *engine.Group[snapshot.CourtRow]) {
	key := court.KeyOf(g.Rows[0].Data)
	at, c := f.places[key], f.claims[g.Key]
	if f.Imported && at.record != 0 {
		return // what is known stays as it is
	}
	made := c == nil
	if made {
		c = &court.Claim{Head: resolve.Head{Source: f.Policy, Key: g.Key, County: key.CountyID, How: resolve.Own, HowAt: f.Now, Present: true}}
		c.Facts.Key = key
	}
	took, older, again := f.foldRows(c, g, at)
	if took == 0 {
		return
	}
	f.attach(c, at)
	switch last := g.Last(); {
	case older:
	case len(g.Rows) == 1 && last.Whole && last.Case != nil && !again && last.Fingerprint != nil:
		c.Fingerprint = last.Fingerprint
	default: // it is looked at again, whatever comes next
		c.Fingerprint = []byte{}
	}
	c.RunID, c.Number = f.RunID, match.BookingNumber(c.Facts.BookingKey)
	switch {
	case c.Record == 0 && !c.Facts.Pending():
		f.created = append(f.created, c)
		if !made {
			f.known = append(f.known, c)
			return
		}
		f.fresh = append(f.fresh, c)
		return
	case made:
		f.fresh = append(f.fresh, c)
	default:
		f.known = append(f.known, c)
	}
	f.mark(g, c)
	if older && c.Record != 0 {
		f.Applied.Older++
	}
}

// foldRows folds the rows of a key. It gives how many were of the case's own person, and whether a row of the case
// is older than what is known of it, and whether one lacks fields that the snapshot has nowhere.
func (f *fold) foldRows(c *court.Claim, g *engine.Group[snapshot.CourtRow], at place) (took int, older, again bool) {
	c.Facts.Refresh(c.SaidAt)
	who, known := at.Identity, at.record != 0
	if !c.Facts.Pending() {
		known = true
		if c.How != resolve.Matched {
			who = reportedPerson(&c.Facts)
		}
	}
	cases := 0
	for _, row := range g.Rows {
		if facts := row.Data.Case; facts != nil {
			says := snapshot.Identity{Name: facts.Defendant, DOB: facts.DOB}
			if known && !f.SamePerson(who, says) && (at.record == 0 || !f.SamePerson(at.Identity, says)) {
				f.Reject(row.Line, "identity", engine.AnotherPerson, g.Key, facts.Defendant)
				continue
			}
			if says.DOB == nil {
				says.DOB = who.DOB
			}
			who, known = says, true
			older = c.Facts.At.At.After(resolve.Instant(row.Data.SeenAt))
			cases++
		}
		took++
		again = court.Tell(c, row.Data, f.Verdict.MissingFields) || again
	}
	f.Applied.Repeated += max(0, cases-1)
	return took, older, again
}

// reportedPerson is whom a source reports a case about.
func reportedPerson(r *court.Report) snapshot.Identity {
	who := snapshot.Identity{Name: r.Defendant}
	if r.DOB != (models.Date{}) {
		born := r.DOB
		who.DOB = &born
	}
	return who
}

// attach gives a claim the case of its number, where there is one.
func (f *fold) attach(c *court.Claim, at place) {
	if c.Record != 0 || at.record == 0 || c.Facts.Key.Party == court.EveryParty {
		return
	}
	c.Record, c.How, c.HowAt = at.record, resolve.Matched, f.Now
	if at.merged {
		c.How = resolve.Merged
	}
}

// mark notes which cases have to be resolved because of a claim: those of all parties where a removal names none.
// A claim without any waits.
func (f *fold) mark(g *engine.Group[snapshot.CourtRow], c *court.Claim) {
	of := []int64{c.Record}
	if c.Facts.Key.Party == court.EveryParty {
		of = nil
		for _, key := range f.parties[c.Facts.Key] {
			of = append(of, f.places[key].record)
		}
	}
	removes := slices.ContainsFunc(g.Rows, func(r engine.Row[snapshot.CourtRow]) bool { return len(r.Data.Removed) > 0 })
	some := false
	for _, record := range of {
		f.Touch(record)
		some = some || record != 0
		if removes && record != 0 {
			f.removes[record] = true
		}
	}
	if some {
		return
	}
	for _, row := range g.Rows {
		f.waiting = append(f.waiting, waitingPart{row.Line, snapshot.Parent{CaseKey: row.Data.CaseKey, SeenAt: row.Data.SeenAt}})
	}
}

// write makes the cases that nobody knew, and writes the claims.
func (f *fold) write(ctx context.Context) error {
	others, err := f.createCases(ctx, f.created)
	if err != nil {
		return err
	}
	return engine.WriteClaims(ctx, f.Session, f.fresh, append(f.known, others...))
}
