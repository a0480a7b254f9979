package offender

import (
	"context"
	"embed"
	"iter"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/sqlfile"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// steps are the steps of a corrections snapshot.
var steps = []engine.Step{
	{
		Name: "fold rows", Needs: []string{engine.Staged, engine.Locked, engine.Matches, engine.Snapshots}, Makes: []string{engine.Folded},
		Why: "rows become claims; one that speaks of another person is refused",
		Do:  foldRows,
	},
	{
		Name: "judge refused rows", Needs: []string{engine.Folded}, Makes: []string{engine.Completed},
		Why: "a snapshot of which too many rows were refused proves nobody's absence",
		Do:  engine.JudgeRefused,
	},
	{
		Name: "touch unchanged rows", Needs: []string{engine.Folded, engine.Completed},
		Why: "people whom the next complete snapshot lacks were last seen in this one",
		Do:  engine.TouchUnchanged,
	},
	{
		Name: "list snapshots again", Needs: []string{engine.Completed}, Makes: []string{engine.Dated},
		Why: "this one may prove nothing any more",
		Do:  engine.ListSnapshots,
	},
	{
		Name: "turnover", Needs: []string{engine.Folded, engine.Completed}, Makes: []string{engine.JudgedKeys},
		Why: "implausibly many new and gone keys hold the snapshot",
		Do:  turnoverOfOffenders,
	},
	{
		Name: "absences", Needs: []string{engine.Folded, engine.Dated}, Makes: []string{engine.Absentees},
		Why: "absence hides an offender, it never releases anybody",
		Do:  absences,
	},
	{
		Name: "resolve", Needs: []string{engine.Folded, engine.JudgedKeys, engine.Absentees}, Makes: []string{engine.Records},
		Why: "records follow their claims",
		Do:  resolveOffenders,
	},
	{
		Name: "mass change", Needs: []string{engine.Records}, Makes: []string{engine.Judged},
		Why: "implausibly many changes of one kind hold the snapshot",
		Do:  judgeOffenders,
	},
}

//go:embed sql/*.sql
var files embed.FS

// Family holds the tables of the corrections department's records.
var Family = engine.NewFamily(engine.Family{
	Kind: models.Corrections, Claims: "corrections_claims", Records: "corrections_records", Key: "cid", ID: "gdc_id",
}, sqlfile.Load(files))

// Reconcile brings the rows of a corrections source into the tables, in one transaction. A HeldError means that nothing was
// applied.
func Reconcile(ctx context.Context, on engine.Database, r snapshot.Reconciler,
	rows iter.Seq2[*snapshot.CorrectionsRow, error],
) (snapshot.Applied, snapshot.Completeness, error) {
	return engine.Reconcile(ctx, on, Family, r, incomingOffenders(rows), steps)
}

// incomingOffenders returns rows as they are staged, under their GDC ids.
// The fingerprint is that of the mapper: all that a row says stands in it, its age included.
func incomingOffenders(rows iter.Seq2[*snapshot.CorrectionsRow, error]) iter.Seq2[engine.Incoming, error] {
	return func(yield func(engine.Incoming, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(engine.Incoming{}, err)
				return
			}
			r.SeenAt = resolve.Instant(r.SeenAt)
			if !yield(engine.Incoming{
				Line: r.Line, Key: r.GDCID, SaidAt: r.SeenAt, Fingerprint: r.Fingerprint, NameKey: match.SearchKey(r.Name), DOB: r.DOB,
				Row: r,
			}, nil) {
				return
			}
		}
	}
}

// foldRows folds the rows that may say something new into claims, and writes these, with the records that are made for them.
// Claims are written chunk by chunk, so a file of the whole state needs the memory of one.
func foldRows(ctx context.Context, r *engine.Run) error {
	return engine.ChangedRows(ctx, r, func(groups []engine.Group[snapshot.CorrectionsRow]) error {
		if len(groups) == 0 {
			return nil
		}
		f := &fold{Run: r}
		if err := f.load(ctx, groups); err != nil {
			return err
		}
		for i := range groups {
			f.fold(&groups[i])
		}
		return f.write(ctx)
	})
}

// fold is some thousand rows on their way into claims.
type fold struct {
	*engine.Run
	claims map[string]*resolve.OffenderClaim // of the source, by key
	// others are the records that ids of the snapshot lead to, whichever source reported them.
	others map[string]offenderRecord
	// merged are the people of those records, by their keys.
	merged map[int64]snapshot.Identity

	// created are claims whose records are made, fresh new claims on records that are there, and known those that are stored
	// and became others.
	created []*resolve.OffenderClaim
	fresh   []*resolve.OffenderClaim
	known   []*resolve.OffenderClaim
	// attracted are those of the new claims whose ids went in a merge.
	attracted []engine.Attracted
}

// offenderRecord is the record that an id leads to.
type offenderRecord struct {
	cid int64
	// own is the record of the id itself, which may have been merged.
	own int64
	// mergedAt is when the id went in a merge; nil: it did not.
	mergedAt *time.Time
	// Identity is the person of the record, and named the one of the id itself.
	snapshot.Identity
	named snapshot.Identity
}

// load loads the claims of the source under the ids of the groups, and the records that these ids lead to.
// A GDC id means one person at every source, so an id that is known leads to its record whoever reported it.
func (f *fold) load(ctx context.Context, groups []engine.Group[snapshot.CorrectionsRow]) (err error) {
	keys := make([]string, len(groups))
	for i := range groups {
		keys[i] = groups[i].Key
	}
	if f.claims, err = engine.ClaimsByKey[resolve.OffenderFacts](ctx, f.Session, f.SourceID, keys); err != nil {
		return err
	}
	f.others, f.merged = map[string]offenderRecord{}, map[int64]snapshot.Identity{}
	var id string
	var o offenderRecord
	var dob, born pgtype.Date
	into := []any{&id, &o.own, &o.cid, &o.mergedAt, &o.Name, &dob, &o.named.Name, &born}
	return f.Each(ctx, "offenders_by_id", engine.Args{"ids": keys}, into, func() error {
		o.DOB, o.named.DOB = engine.DayOf(dob), engine.DayOf(born)
		f.others[id], f.merged[o.cid] = o, o.Identity
		return nil
	})
}

// fold folds the rows of one key. The newest counts; those before it add what they say of the age. In a takeover, a record
// that is known by its id stays as it is. A row that is as it was, but was read because the key repeats, is unchanged.
func (f *fold) fold(g *engine.Group[snapshot.CorrectionsRow]) {
	// A number belongs to one person for good. A row of somebody else is a mistake, and which of the two is right nobody here knows.
	newest := g.Last()
	who := snapshot.Identity{Name: newest.Name, DOB: newest.DOB, Year: newest.BirthYear}
	c, old := f.claims[g.Key], f.others[g.Key]
	if f.Imported && (c != nil || old.cid != 0) {
		f.Applied.Repeated += len(g.Rows) - 1
		return // any source knows better than a takeover (CLAIMS.md, rule 51)
	}
	// All rows of the key are refused: which of two people it means, only the department can say.
	if !f.mayBe(c, old, who) {
		for _, row := range g.Rows {
			f.Reject(row.Line, "identity", engine.AnotherPerson, g.Key, row.Data.Name)
		}
		if c != nil && !newest.SeenAt.Before(c.SaidAt) { // else the number may have been another person's then
			f.Impact.Refuse(resolve.RewriteName)
			f.Impact.Known++
		}
		return
	}
	known, listed := c != nil, false
	switch {
	case known:
		// A repeated key is read even if nothing changed (CLAIMS.md, rule 28), so it is compared here again.
		listed = c.Listed() && c.SameFingerprint(newest.Fingerprint) && !newest.SeenAt.Before(c.SaidAt)
	case old.cid != 0:
		c = f.attach(g.Key, old)
	default:
		c = &resolve.OffenderClaim{Head: resolve.Head{Source: f.Policy, Key: g.Key, How: resolve.Own, HowAt: f.Now, Present: true}}
	}
	// Evidence of age is compared as a whole: it is all that a late row can change.
	before := c.Age
	said := f.foldRows(c, g, who)
	switch {
	case !known && old.cid == 0:
		f.created = append(f.created, c)
		return
	case !known:
		f.fresh = append(f.fresh, c)
		f.Impact.Known++
	// The row repeats what is known, and an older one beside it says nothing of the age.
	case listed && before.Equal(c.Age):
		f.Applied.Unchanged++
		f.Impact.Known++
		return
	case said: // the row is the newest of the claim
		f.known = append(f.known, c)
		f.Impact.Known++
	// A late row counts for the age alone.
	default:
		f.Applied.Older++
		if before.Equal(c.Age) {
			return
		}
		f.known = append(f.known, c)
	}
	f.Touch(c.Record)
}

// mayBe reports whether a row can speak of the person whom its key is known for: the person whom the source reported under
// it, or, after a merge, the person of the record that stayed or whom the id named before. c is nil for a key that is new to the source.
func (f *fold) mayBe(c *resolve.OffenderClaim, old offenderRecord, row snapshot.Identity) bool {
	switch {
	case c == nil:
		return old.cid == 0 || f.SamePerson(old.Identity, row) || f.SamePerson(old.named, row)
	case f.SamePerson(snapshot.Identity{Name: c.Facts.Name, DOB: c.Facts.DOB, Year: c.Facts.BirthYear}, row):
		return true
	default:
		whom, merged := f.merged[c.Record]
		return c.How == resolve.Merged && merged && f.SamePerson(whom, row)
	}
}

// attach makes a claim on a record that is known by its id: another source reported it, or it went in a merge.
// The claim begins as listed. Whether it is missing from newer files is counted when its row is folded (foldRows).
func (f *fold) attach(key string, to offenderRecord) *resolve.OffenderClaim {
	c := &resolve.OffenderClaim{Head: resolve.Head{Source: f.Policy, Key: key, Record: to.cid, How: resolve.Matched, HowAt: f.Now, Present: true}}
	if to.mergedAt != nil {
		c.How, c.HowAt = resolve.Merged, to.mergedAt.UTC()
		f.attracted = append(f.attracted, engine.Attracted{Key: key, By: to.own, How: resolve.Matched})
	}
	return c
}

// foldRows folds the rows of a key, and reports whether the newest of them is the newest of the claim. Facts that the
// snapshot lacks though the source reported them before are kept, and counted for the mass-change guard.
//
// A fact that is kept for a missing field counts as lost to the guard: a renamed column must hold the snapshot, though nothing
// of it is wiped.
func (f *fold) foldRows(c *resolve.OffenderClaim, g *engine.Group[snapshot.CorrectionsRow], who snapshot.Identity) (said bool) {
	restricted := c.Age.Restricted()
	for i, row := range g.Rows {
		last := i == len(g.Rows)-1
		if !last && !f.SamePerson(who, snapshot.Identity{Name: row.Data.Name, DOB: row.Data.DOB, Year: row.Data.BirthYear}) {
			f.Reject(row.Line, "identity", engine.AnotherPerson, g.Key, row.Data.Name)
			continue
		}
		if !last {
			f.Applied.Repeated++
		}
		newest, kept := resolve.FoldOffender(c, row.Data, f.Proven.MissingFields)
		if !newest || !last {
			continue
		}
		said, c.RunID = true, f.RunID
		if f.Tracks {
			c.Recount(engine.Later(c.SaidAt, f.At))
		}
		for _, fact := range kept {
			f.Impact.Note(fact) // it would have been lost
		}
	}
	if c.Record != 0 && !restricted && c.Age.Restricted() {
		f.Impact.Note(resolve.RewriteRestricted)
	}
	return said
}

// write writes the claims, and makes the records of those that nobody knew.
// Records come first, as claims refer to them.
func (f *fold) write(ctx context.Context) error {
	if err := createOffenders(ctx, f.Run, f.created); err != nil {
		return err
	}
	if err := engine.WriteClaims(ctx, f.Session, append(f.created, f.fresh...), f.known); err != nil {
		return err
	}
	return f.NoteAttracted(ctx, f.attracted)
}
