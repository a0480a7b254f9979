package claim

import (
	"context"
	"iter"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// offenderSteps are the steps of a corrections snapshot.
var offenderSteps = []step{
	{
		name: "fold rows", needs: []string{staged, locked, matches, snapshots}, makes: []string{folded, touched},
		why: "rows become claims; one that speaks of another person is refused",
		do:  foldOffenders,
	},
	{
		name: "judge refused rows", needs: []string{folded}, makes: []string{proof},
		why: "a snapshot of which too many rows were refused proves nobody's absence",
		do:  judgeRefused,
	},
	{
		name: "touch unchanged rows", needs: []string{folded, proof},
		why: "the next complete snapshot tells whoever is missing when they were seen last",
		do:  touchUnchanged,
	},
	{
		name: "list snapshots again", needs: []string{proof}, makes: []string{snapshots},
		why: "this one may prove nothing any more",
		do:  listSnapshots,
	},
	{
		name: "turnover", needs: []string{folded, proof}, makes: []string{judged},
		why: "implausibly many new and gone keys hold the snapshot",
		do:  turnoverOfOffenders,
	},
	{
		name: "absences", needs: []string{folded, snapshots}, makes: []string{absentees, touched},
		why: "absence hides an offender, it never releases anybody",
		do: func(ctx context.Context, r *run) error {
			return absences(ctx, r, func(f *resolve.OffenderFacts) string { return f.Name }, 0)
		},
	},
	{
		name: "resolve", needs: []string{folded, absentees, touched}, makes: []string{records},
		why: "records follow their claims",
		do:  resolveOffenders,
	},
	{
		name: "mass change", needs: []string{records}, makes: []string{judged},
		why: "implausibly many changes of one kind hold the snapshot",
		do:  judgeOffenders,
	},
}

// offenderFamily are the tables of the corrections department's records.
var offenderFamily = newFamily(family{
	kind: models.Corrections, claims: "corrections_claims", records: "corrections_records", key: "cid", id: "gdc_id",
}, noStatements)

// reconcileOffenders brings the records of a corrections source into the tables.
func reconcileOffenders(ctx context.Context, on Database, r snapshot.Reconciler, rows iter.Seq2[*snapshot.CorrectionsRow, error]) (snapshot.Applied, snapshot.Completeness, error) {
	return reconcile(ctx, on, offenderFamily, r, incomingOffenders(rows), offenderSteps)
}

func incomingOffenders(rows iter.Seq2[*snapshot.CorrectionsRow, error]) iter.Seq2[incoming, error] {
	return func(yield func(incoming, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(incoming{}, err)
				return
			}
			r.SeenAt = resolve.Instant(r.SeenAt)
			if !yield(incoming{Line: r.Line, Key: r.GDCID, SaidAt: r.SeenAt, Fingerprint: r.Fingerprint, NameKey: match.SearchKey(r.Name), DOB: r.DOB, Row: r}, nil) {
				return
			}
		}
	}
}

// foldOffenders folds the rows of the snapshot into claims.
func foldOffenders(ctx context.Context, r *run) error {
	return changedRows(ctx, r, func(groups []group[snapshot.CorrectionsRow]) error {
		if len(groups) == 0 {
			return nil
		}
		f := &offenderFold{run: r}
		if err := f.load(ctx, groups); err != nil {
			return err
		}
		for i := range groups {
			f.fold(&groups[i])
		}
		return f.write(ctx)
	})
}

// offenderFold folds some thousand rows.
type offenderFold struct {
	*run
	claims  map[string]*resolve.OffenderClaim // of the source, by key
	others  map[string]offenderRecord         // records whose key the source did not report yet
	merged  map[int64]snapshot.Identity       // whom records speak of that got claims in a merge
	fresh   []*resolve.OffenderClaim          // of records that there are already
	known   []*resolve.OffenderClaim
	created []*resolve.OffenderClaim // of records that are made for them
}

// offenderRecord is a record that an id leads to.
type offenderRecord struct {
	cid      int64
	mergedAt *time.Time
	snapshot.Identity
}

func (f *offenderFold) load(ctx context.Context, groups []group[snapshot.CorrectionsRow]) (err error) {
	keys := make([]string, len(groups))
	for i := range groups {
		keys[i] = groups[i].key
	}
	if f.claims, err = claimsByKey[resolve.OffenderFacts](ctx, f.session, f.SourceID, keys); err != nil {
		return err
	}
	f.others, f.merged = map[string]offenderRecord{}, map[int64]snapshot.Identity{}
	var id string
	var o offenderRecord
	var dob pgtype.Date
	return f.each(ctx, "offenders_by_id", args{"ids": keys}, []any{&id, &o.cid, &o.mergedAt, &o.Name, &dob}, func() error {
		if o.DOB = nil; dob.Valid {
			day := models.DateOf(dob.Time)
			o.DOB = &day
		}
		f.others[id], f.merged[o.cid] = o, o.Identity
		return nil
	})
}

// fold folds the rows of one key. The newest counts; those before it add what they say of the age.
func (f *offenderFold) fold(g *group[snapshot.CorrectionsRow]) {
	newest := g.last()
	who := snapshot.Identity{Name: newest.Name, DOB: newest.DOB}
	c, old := f.claims[g.key], f.others[g.key]
	if f.Imported && (c != nil || old.cid != 0) {
		f.applied.Repeated += len(g.rows) - 1
		return // what is known by its id stays as it is
	}
	if !f.mayBe(c, old, who) {
		for _, row := range g.rows {
			f.refuse(row.line, "identity", anotherPerson, g.key, row.data.Name)
		}
		return
	}
	known, listed := c != nil, false
	switch {
	case known:
		listed = c.Listed() && c.SameFingerprint(newest.Fingerprint) && !newest.SeenAt.Before(c.SaidAt)
	case old.cid != 0:
		c = f.attach(g.key, old)
	default:
		c = &resolve.OffenderClaim{Head: resolve.Head{Source: f.policy, Key: g.key, How: resolve.Own, HowAt: f.now, Present: true}}
	}
	before := c.Age
	said := f.foldRows(c, g, who)
	switch {
	case !known && old.cid == 0:
		f.created = append(f.created, c)
		return
	case !known:
		f.fresh = append(f.fresh, c)
		f.impact.known++
	case listed && before.Equal(c.Age):
		f.applied.Unchanged++
		f.impact.known++
		return
	case said:
		f.known = append(f.known, c)
		f.impact.known++
	default:
		f.applied.Older++
		if before.Equal(c.Age) {
			return
		}
		f.known = append(f.known, c)
	}
	f.touch(c.Record)
}

// mayBe reports whether a row can speak of the person whom its key is known for: as the source reported it, or as
// the record says since.
func (f *offenderFold) mayBe(c *resolve.OffenderClaim, old offenderRecord, row snapshot.Identity) bool {
	switch {
	case c == nil:
		return old.cid == 0 || f.samePerson(old.Identity, row)
	case f.samePerson(snapshot.Identity{Name: c.Facts.Name, DOB: c.Facts.DOB}, row):
		return true
	default:
		whom, merged := f.merged[c.Record]
		return c.How == resolve.Merged && merged && f.samePerson(whom, row)
	}
}

// attach makes a claim of a record that is known by its id.
func (f *offenderFold) attach(key string, to offenderRecord) *resolve.OffenderClaim {
	c := &resolve.OffenderClaim{Head: resolve.Head{Source: f.policy, Key: key, Record: to.cid, How: resolve.Matched, HowAt: f.now, Present: true}}
	if to.mergedAt != nil {
		c.How, c.HowAt = resolve.Merged, to.mergedAt.UTC()
	}
	return c
}

// foldRows folds the rows of a key and reports whether the newest of them is the newest of the claim.
func (f *offenderFold) foldRows(c *resolve.OffenderClaim, g *group[snapshot.CorrectionsRow], who snapshot.Identity) (said bool) {
	for i, row := range g.rows {
		last := i == len(g.rows)-1
		if !last && !f.samePerson(who, snapshot.Identity{Name: row.data.Name, DOB: row.data.DOB}) {
			f.refuse(row.line, "identity", anotherPerson, g.key, row.data.Name)
			continue
		}
		if !last {
			f.applied.Repeated++
		}
		newest, kept := resolve.FoldOffender(c, row.data, f.verdict.MissingFields)
		if !newest || !last {
			continue
		}
		said, c.RunID = true, f.RunID
		if f.Tracks {
			c.Miss(later(c.SaidAt, f.At), 0)
		}
		for _, fact := range kept {
			f.impact.note(fact) // it would have been lost
		}
	}
	return said
}

// write writes the claims, and the records that are made for new ones.
func (f *offenderFold) write(ctx context.Context) error {
	if err := createOffenders(ctx, f.run, f.created); err != nil {
		return err
	}
	return writeClaims(ctx, f.session, append(f.created, f.fresh...), f.known)
}
