package court

import (
	"context"
	"slices"
	"time"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// caseChange is a case before and after, with all that it is resolved from.
type caseChange struct {
	id  int64
	key snapshot.CaseKey
	// before is the zero State for a new case.
	before, after court.State
	// claims are attached to the case, and removals hold for every party of it.
	claims, removals []*court.Claim
	decisions        []resolve.Decision
	versions         []resolve.Version
	// firstSeen is the instant of the first row of a new case.
	firstSeen time.Time
	// lastSeen is when the case was last seen, as it is stored.
	lastSeen time.Time
}

// resolve resolves the cases whose claims became others, some thousands at once, and writes them.
func (k *courtRun) resolve(ctx context.Context) error {
	slices.Sort(k.Touched)
	k.Touched = slices.Compact(k.Touched)
	for some := range slices.Chunk(k.Touched, engine.Chunk) {
		changes, err := casesAnew(ctx, k.Session, some, engine.Origin{Run: k.RunID, Source: k.SourceID})
		if err != nil {
			return err
		}
		for i := range changes {
			k.count(&changes[i])
		}
	}
	return nil
}

// count counts what the snapshot did to a case, for the report, for the guards and for a rehearsal.
func (k *courtRun) count(c *caseChange) {
	// A hearing counts as removed only where a row took one back: others end with a whole row.
	if k.removes[c.id] {
		for _, h := range c.before.Hearings {
			if !slices.ContainsFunc(c.after.Hearings, func(o court.Hearing) bool { return o.ID == h.ID }) {
				k.Applied.Removed++
			}
		}
	}
	if c.withheld() {
		k.Applied.Withheld++
	}
	if !c.changed() {
		k.Applied.Unchanged++
		return
	}
	k.Applied.Changed++
	c.weigh(&k.Impact)
	if c.after.Visibility.Withheld() == models.Published {
		k.AddAltered(c.key.Number, c.after.Defendant, c.versions)
	}
	if c.evidence() {
		k.changed = append(k.changed, c.id)
	}
}

// withheld reports whether the claims of the case by themselves forbid publishing it.
func (c *caseChange) withheld() bool {
	return c.after.Own != models.Published || c.after.Visibility.Reason == models.WithheldRestricted
}

// changed reports whether anything that is stored of the case changed.
func (c *caseChange) changed() bool { return !c.before.Same(&c.after) }

// evidence reports whether what the case says of its person's age, or of a booking, changed: bookings may have to follow.
// What a case says of an age can withhold a booking, and a jail's next list may be a day away.
func (c *caseChange) evidence() bool {
	b, a := &c.before, &c.after
	return b.Visibility.Reason != a.Visibility.Reason || b.BookingKey != a.BookingKey || b.BirthYear != a.BirthYear ||
		(b.DOB == nil) != (a.DOB == nil) || b.DOB != nil && *b.DOB != *a.DOB
}

// casesAnew resolves cases from their claims and decisions, writes those that became others, and returns all of them but
// merged ones. Decisions whose grounds hold no more are ended.
//
// A case is resolved twice where bookings withhold it: which bookings it names is known only after the first time.
//
// Runs, decisions of operators and rebuilds all bring known cases here, so one rule resolves them. New ones are resolved where
// they are made (createCases).
func casesAnew(ctx context.Context, s *engine.Session, records []int64, by engine.Origin) ([]caseChange, error) {
	decisions, err := s.DecisionsOf(ctx, records)
	if err != nil {
		return nil, err
	}
	stored, err := storedCases(ctx, s, records, decisions)
	if err != nil {
		return nil, err
	}
	claims, everyParty, err := claimsOfCases(ctx, s, records)
	if err != nil {
		return nil, err
	}
	var changes []caseChange
	for _, id := range records {
		c := stored[id]
		if c == nil || c.merged {
			continue
		}
		x := caseChange{id: id, key: c.key, before: c.State, claims: claims[id], removals: everyParty[id], decisions: decisions[id], lastSeen: c.lastSeen}
		x.resolve(nil, s.Now)
		changes = append(changes, x)
	}
	causes, err := causesOfCases(ctx, s, changes)
	if err != nil {
		return nil, err
	}
	var spent []int64
	for i := range changes {
		c := &changes[i]
		// Facts are the same both times. Only who may see the case can differ.
		if found := causes[c.id]; len(found) > 0 {
			c.resolve(found, s.Now)
		}
		c.versions = court.Diff(&c.before, &c.after)
		spent = append(spent, c.after.Spent...)
	}
	if err := s.EndDecisions(ctx, spent); err != nil {
		return nil, err
	}
	return changes, writeCases(ctx, s, changes, by)
}

// resolve resolves the case from its claims, and from the bookings on whose account it may have to be withheld.
func (c *caseChange) resolve(causes []resolve.Cause, now time.Time) {
	in := court.Input{Claims: c.claims, EveryParty: c.removals, Causes: causes, Decisions: c.decisions, Now: now}
	if c.before.Defendant != "" {
		in.Before = &c.before
	}
	c.after = *court.Resolve(in)
}

// claimsOfCases loads the claims of cases, and the removals for every party under any of their numbers, by case. A merged case
// has several numbers.
// Removals are found by key and not by record: a removal for every party is attached to no case.
func claimsOfCases(ctx context.Context, s *engine.Session, records []int64) (claims, removals map[int64][]*court.Claim, err error) {
	if claims, err = engine.ClaimsOf[court.Report](ctx, s, records); err != nil {
		return nil, nil, err
	}
	var keys []string
	for _, list := range claims {
		for _, c := range list {
			keys = append(keys, caseKey(everyParty(c.Facts.Key)))
		}
	}
	waiting, err := claimsWaiting(ctx, s, keys)
	if err != nil {
		return nil, nil, err
	}
	removals = map[int64][]*court.Claim{}
	for record, list := range claims {
		seen := map[string]bool{}
		for _, c := range list {
			key := caseKey(everyParty(c.Facts.Key))
			if !seen[key] {
				removals[record] = append(removals[record], waiting[key]...)
			}
			seen[key] = true
		}
	}
	return claims, removals, nil
}

// saidAt returns when a source last said anything of the case, or took back a hearing of all parties.
func (c *caseChange) saidAt() time.Time {
	at := c.lastSeen
	for _, claim := range slices.Concat(c.claims, c.removals) {
		at = engine.Later(at, claim.SaidAt)
	}
	return at
}

// Resolve resolves cases without a snapshot, because an operator decided something or a rule changed, and writes what became
// another. It returns the cases that did. Bookings that they concern are left to the caller.
func Resolve(ctx context.Context, s *engine.Session, records []int64) ([]engine.Change, error) {
	all, err := casesAnew(ctx, s, records, engine.Origin{})
	var out []engine.Change
	for i := range all {
		if all[i].changed() {
			out = append(out, engine.Change{Family: models.Courts, ID: all[i].key.Number, Versions: all[i].versions})
		}
	}
	return out, err
}

// Because returns the booking on whose account a case is withheld, or would be if an operator had not published it; nil: the
// case itself says so.
func Because(ctx context.Context, s *engine.Session, record int64) (*resolve.Ref, error) {
	decisions, err := s.DecisionsOf(ctx, []int64{record})
	if err != nil {
		return nil, err
	}
	cases, err := storedCases(ctx, s, []int64{record}, decisions)
	if err != nil || cases[record] == nil {
		return nil, err
	}
	return cases[record].Visibility.Because, nil
}
