package claim

import (
	"context"
	"slices"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// courtFold folds some thousand rows.
type courtFold struct {
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
	err := changedRows(ctx, k.run, func(groups []group[snapshot.CourtRow]) error {
		if len(groups) == 0 {
			return nil
		}
		f := &courtFold{courtRun: k}
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
	return k.do(ctx, "touch_unchanged", args{"source": k.SourceID})
}

func (f *courtFold) load(ctx context.Context, groups []group[snapshot.CourtRow]) (err error) {
	keys, cases := make([]string, len(groups)), make([]snapshot.CaseKey, len(groups))
	for i := range groups {
		keys[i], cases[i] = groups[i].key, court.KeyOf(groups[i].rows[0].data)
	}
	if f.claims, err = claimsByKey[court.Report](ctx, f.session, f.SourceID, keys); err != nil {
		return err
	}
	f.places, err = placesOf(ctx, f.session, cases)
	f.parties = map[snapshot.CaseKey][]snapshot.CaseKey{}
	for key := range f.places {
		f.parties[everyParty(key)] = append(f.parties[everyParty(key)], key)
	}
	return err
}

// fold folds the rows of one case. The rows of another person are refused.
func (f *courtFold) fold(g *group[snapshot.CourtRow]) {
	key := court.KeyOf(g.rows[0].data)
	at, c := f.places[key], f.claims[g.key]
	if f.Imported && at.record != 0 {
		return // what is known stays as it is
	}
	made := c == nil
	if made {
		c = &court.Claim{Head: resolve.Head{Source: f.policy, Key: g.key, County: key.CountyID, How: resolve.Own, HowAt: f.now, Present: true}}
		c.Facts.Key = key
	}
	took, older, again := f.foldRows(c, g, at)
	if took == 0 {
		return
	}
	f.attach(c, at)
	switch last := g.last(); {
	case older:
	case len(g.rows) == 1 && last.Whole && last.Case != nil && !again && last.Fingerprint != nil:
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
		f.applied.Older++
	}
}

// foldRows folds the rows of a key. It gives how many were of the case's own person, and whether a row of the case
// is older than what is known of it, and whether one lacks fields that the snapshot has nowhere.
func (f *courtFold) foldRows(c *court.Claim, g *group[snapshot.CourtRow], at place) (took int, older, again bool) {
	c.Facts.Refresh(c.SaidAt)
	who, known := at.Identity, at.record != 0
	if !c.Facts.Pending() {
		known = true
		if c.How != resolve.Matched {
			who = reportedPerson(&c.Facts)
		}
	}
	cases := 0
	for _, row := range g.rows {
		if facts := row.data.Case; facts != nil {
			says := snapshot.Identity{Name: facts.Defendant, DOB: facts.DOB}
			if known && !f.samePerson(who, says) && (at.record == 0 || !f.samePerson(at.Identity, says)) {
				f.refuse(row.line, "identity", anotherPerson, g.key, facts.Defendant)
				continue
			}
			if says.DOB == nil {
				says.DOB = who.DOB
			}
			who, known = says, true
			older = c.Facts.At.At.After(resolve.Instant(row.data.SeenAt))
			cases++
		}
		took++
		again = court.Tell(c, row.data, f.verdict.MissingFields) || again
	}
	f.applied.Repeated += max(0, cases-1)
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
func (f *courtFold) attach(c *court.Claim, at place) {
	if c.Record != 0 || at.record == 0 || c.Facts.Key.Party == court.EveryParty {
		return
	}
	c.Record, c.How, c.HowAt = at.record, resolve.Matched, f.now
	if at.merged {
		c.How = resolve.Merged
	}
}

// mark notes which cases have to be resolved because of a claim: those of all parties where a removal names none.
// A claim without any waits.
func (f *courtFold) mark(g *group[snapshot.CourtRow], c *court.Claim) {
	of := []int64{c.Record}
	if c.Facts.Key.Party == court.EveryParty {
		of = nil
		for _, key := range f.parties[c.Facts.Key] {
			of = append(of, f.places[key].record)
		}
	}
	removes := slices.ContainsFunc(g.rows, func(r row[snapshot.CourtRow]) bool { return len(r.data.Removed) > 0 })
	some := false
	for _, record := range of {
		f.touch(record)
		some = some || record != 0
		if removes && record != 0 {
			f.removes[record] = true
		}
	}
	if some {
		return
	}
	for _, row := range g.rows {
		f.waiting = append(f.waiting, waitingPart{row.line, snapshot.Parent{CaseKey: row.data.CaseKey, SeenAt: row.data.SeenAt}})
	}
}

// write makes the cases that nobody knew, and writes the claims.
func (f *courtFold) write(ctx context.Context) error {
	others, err := f.createCases(ctx, f.created)
	if err != nil {
		return err
	}
	return writeClaims(ctx, f.session, f.fresh, append(f.known, others...))
}
