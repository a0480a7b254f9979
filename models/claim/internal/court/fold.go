package court

import (
	"context"
	"slices"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// fold is some thousand rows on their way into claims.
// Cases that the rows name are looked up together, so a run makes a few statements for each thousand rows.
type fold struct {
	*courtRun
	claims  map[string]*court.Claim                 // of the source, by key
	places  map[snapshot.CaseKey]place              // known cases, by number and party
	parties map[snapshot.CaseKey][]snapshot.CaseKey // the known parties of a case, by the key of removals for every party

	// fresh are claims that are not stored yet, and known those that are and became others.
	fresh []*court.Claim
	known []*court.Claim
	// created are those of both that report a case which nobody knew.
	created []*court.Claim
	// attracted are those of both whose numbers went in a merge.
	attracted []engine.Attracted
}

// place is the case that a number leads to, and the person it is about.
type place struct {
	record   int64
	own      int64      // the case of the number itself, which may have been merged into record
	mergedAt *time.Time // when it was; nil: it was not
	snapshot.Identity
}

// fold folds the rows that may say something new into claims, and writes these. Unchanged rows note that they were seen.
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

// load loads the claims of the source under the keys of the groups, and the cases with these numbers.
// A key can have no claim and a case all the same: another source reported it.
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

// fold folds the rows of one key into its claim. The rows of another person are refused. In a takeover, a case that is known
// by its number stays as it is. A row that is older than what is known still adds parts, and what it says of the age.
func (f *fold) fold(g *engine.Group[snapshot.CourtRow]) {
	key := court.KeyOf(g.Rows[0].Data)
	at, c := f.places[key], f.claims[g.Key]
	if f.Imported && at.record != 0 {
		return // any source knows better than a takeover (CLAIMS.md, rule 51)
	}
	made := c == nil
	if made {
		c = &court.Claim{Head: resolve.Head{Source: f.Policy, Key: g.Key, County: key.CountyID, How: resolve.Own, HowAt: f.Now, Present: true}}
		c.Facts.Key = key
	}
	took, older, again := f.foldRows(c, g, at)
	// All rows were refused: a new claim would say nothing.
	if took == 0 {
		return
	}
	// Attached before it is resolved: what it says counts in this run.
	f.attach(c, at)
	// The fingerprint is that of one whole row, the newest; else the next row is read whatever it says.
	switch last := g.Last(); {
	case older:
	case len(g.Rows) == 1 && last.Whole && last.Case != nil && !again && last.Fingerprint != nil:
		c.Fingerprint = last.Fingerprint
	default: // it is looked at again, whatever comes next
		c.Fingerprint = []byte{}
	}
	c.RunID, c.Number = f.RunID, match.BookingNumber(c.Facts.BookingKey)
	switch {
	// The case itself came, and no source reported it before: its record is made.
	case c.Record == 0 && !c.Facts.Pending():
		f.created = append(f.created, c)
		if !made {
			f.known = append(f.known, c)
			f.Applied.Resolved++ // it was pending
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
	// A late row that waits for its case is counted as waiting, not as older.
	if older && c.Record != 0 {
		f.Applied.Older++
	}
}

// foldRows folds the rows of a key. took is how many were not refused. older reports whether a row of the case is older than
// what is known of it. again reports whether a row lacks fields that the snapshot has nowhere: it must be read again when
// they are back.
//
// A row of the case must speak of the person whom the claim, or the case as it is stored, speaks of; within one file each row
// is compared with the one before. Rows of parts alone name nobody and are taken, and so is one that says in the place of the name
// that the case is restricted. A name of one other word is refused, and is no sign that the keys mean other people.
func (f *fold) foldRows(c *court.Claim, g *engine.Group[snapshot.CourtRow], at place) (took int, older, again bool) {
	// Repetitions of the newest row were noted in the claim without reading them.
	c.Facts.Refresh(c.SaidAt)
	// Without a case and a claim nobody is known, so the first row decides whose case it is.
	who, known := at.Identity, at.record != 0
	if !c.Facts.Pending() {
		known = true
		// A claim that was matched is compared with the person of the stored case, whom another source reported.
		if c.How != resolve.Matched {
			who = reportedPerson(&c.Facts)
		}
	}
	cases, strangers, restricted := 0, 0, c.Age.Restricted()
	for _, row := range g.Rows {
		if facts := row.Data.Case; facts != nil {
			says := snapshot.Identity{Name: facts.Defendant, DOB: facts.DOB}
			if known && !f.SamePerson(who, says) && (at.record == 0 || !f.SamePerson(at.Identity, says)) {
				f.Reject(row.Line, "identity", engine.AnotherPerson, g.Key, facts.Defendant)
				if len(match.Words(facts.Defendant)) > 1 && !c.Facts.Pending() && !c.Facts.At.At.After(resolve.Instant(row.Data.SeenAt)) { // else the number may have been another person's then
					strangers++
				}
				continue
			}
			// A row that leaves the birth out does not forget it for the next one.
			if says.DOB == nil {
				says.DOB = who.DOB
			}
			if !resolve.StatesRestriction(says.Name) {
				who, known = says, true
			}
			older = c.Facts.At.At.After(resolve.Instant(row.Data.SeenAt))
			cases++
		}
		took++
		again = court.Tell(c, row.Data, f.Proven.MissingFields) || again
	}
	switch {
	case cases == 0 && strangers > 0:
		f.Impact.Refuse(resolve.RewriteName)
	case at.record != 0 && !restricted && c.Age.Restricted():
		f.Impact.Note(resolve.RewriteRestricted)
	}
	f.Applied.Repeated += max(0, cases-1)
	return took, older, again
}

// reportedPerson returns the person whom a source reports a case about.
func reportedPerson(r *court.Report) snapshot.Identity {
	who := snapshot.Identity{Name: r.Defendant}
	if r.DOB != (models.Date{}) {
		born := r.DOB
		who.DOB = &born
	}
	return who
}

// attach attaches a claim to the case of its number, where there is one. A number that went in a merge leads to the case that
// stayed. Removals for every party are attached to no case.
// A claim that has a case keeps it: only a merge, or the undoing of one, attaches it to another.
func (f *fold) attach(c *court.Claim, at place) {
	if c.Record != 0 || at.record == 0 || c.Facts.Key.Party == court.EveryParty {
		return
	}
	c.Record, c.How, c.HowAt = at.record, resolve.Matched, f.Now
	if at.mergedAt != nil {
		c.How, c.HowAt = resolve.Merged, at.mergedAt.UTC()
		f.attracted = append(f.attracted, engine.Attracted{Key: c.Key, By: at.own, How: resolve.Matched})
	}
}

// mark notes which cases must be resolved because of a claim: those of all parties where a removal names none. The rows of a
// claim without a case wait for it.
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
	f.waits = f.waits || !some
}

// write makes the cases that nobody knew, and writes the claims, those of other sources that waited for these cases included.
func (f *fold) write(ctx context.Context) error {
	others, err := f.createCases(ctx, f.created)
	if err != nil {
		return err
	}
	if err := engine.WriteClaims(ctx, f.Session, f.fresh, append(f.known, others...)); err != nil {
		return err
	}
	return f.NoteAttracted(ctx, f.attracted)
}
