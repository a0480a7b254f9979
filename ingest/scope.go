package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/mapping"
	"rollcall/ingest/reconcile"
	"rollcall/ingest/spool"
	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/models/source"
)

// several reports whether the rows of the source name their county, so that each county is a scope: completeness, guards,
// freshness and holds are asked of it alone.
func (s *Source) several() bool { return s.County == "" && s.Kind != "corrections" }

// scope is one county of a run whose rows name theirs.
// Only what it counts by itself is its own: columns and fields are those of the document (docs/decisions/0015-scopes.md).
type scope struct {
	*run
	county   *models.County
	gathered *gathering       // of its rows alone
	told     mapping.Reported // what they tell of births
	spool    *spool.Spool
	files    []string  // the names of the documents that have rows of it
	newest   time.Time // the instant of the newest document that has rows of it
	absent   bool      // no row of it can be read; one that can not may speak of it, or of a juvenile of it, all the same
}

// eachScope reads all documents, and then takes the rows of each county as a snapshot of its own, in a transaction of its own:
// one that is held, or fails, leaves the others as they are.
func (d *documents) eachScope(ctx context.Context) error {
	// A hold of the whole source stands above those of its counties.
	if d.past().Held {
		return &snapshot.HeldError{Reason: reconcile.StandingHold, Standing: true}
	}
	// All rows are read before the first county is taken: what is missing from all of them is a matter of the source.
	scopes, err := d.split(ctx)
	defer func() {
		for _, s := range scopes {
			s.spool.Close()
		}
	}()
	if err != nil {
		return err
	}
	d.finishReading()
	d.report.Drift = append(d.report.Drift, d.news()...)
	present := slices.DeleteFunc(slices.Clone(scopes), func(s *scope) bool { return s.absent })
	switch {
	case len(present) > 0:
	// The operator released one county, and nothing of it is there to apply: its hold stays.
	case d.released != nil && d.rehearse == nil:
		return fmt.Errorf("no row of %s County can be read in the held snapshot: correct the source's document, or discard it", d.only.Name)
	default:
		d.verdict(&d.seen, d.gathered, d.gathered.facts.Rows, d.gathered.rows) // notes why nothing of it counts
	}
	var failed error
	for _, s := range scopes {
		err := d.takeScope(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// The first failure is that of the run. Each county has a report of its own.
		failed = cmp.Or(failed, err) // the other counties go on
	}
	d.toldKeys = d.seen.keys
	if len(d.seen.lost) == 0 && (d.approved() || !d.source.lists() || newestWhole(present)) {
		d.toldNow = d.told()
	}
	if err := d.together(present); err != nil {
		return err
	}
	return failed
}

// newestWhole reports whether every scope has a complete snapshot that is its newest: only such rows are a measure for the next.
func newestWhole(scopes []*scope) bool {
	return len(scopes) > 0 && !slices.ContainsFunc(scopes, func(s *scope) bool {
		return s.run == nil || !s.report.Complete || s.entry.LastComplete != nil && s.entry.LastComplete.After(s.at)
	})
}

// split reads all documents and keeps the rows of each county beside each other, by county.
// A county is judged by all of its rows, and those of a file of the whole state need not fit into memory (spool).
func (d *documents) split(ctx context.Context) ([]*scope, error) {
	byCounty := map[int16]*scope{}
	left := spool.Memory
	of := func(county int16, absent bool) *scope {
		s := byCounty[county]
		if s == nil {
			s = &scope{county: d.Store.Counties().ByID(county), gathered: newGathering(nil), spool: spool.New(d.dir, county, &left), absent: absent}
			byCounty[county] = s
		}
		return s
	}
	keep := func(county int16, row any) (*scope, error) {
		d.gathered.rows++
		if d.only != nil && d.only.ID != county {
			return &scope{gathered: newGathering(nil)}, nil // what is read of it is not asked for
		}
		s := of(county, false)
		if doc := d.docs[d.gathered.document]; len(s.files) == 0 || s.gathered.document != d.gathered.document {
			s.gathered.document = d.gathered.document
			s.files = append(s.files, doc.Name)
			s.newest = later(s.newest, doc.At)
		}
		return s, s.spool.Add(row)
	}
	err := d.rows(ctx, sink{
		roster: func(row *snapshot.RosterRow) error {
			row.Line = d.gathered.place(row.Line)
			s, err := keep(row.CountyID, row)
			if err == nil {
				s.gathered.see(row.Key, row.Fingerprint)
				s.told.Seen(row)
			}
			return err
		},
		court: func(row *snapshot.CourtRow) error {
			row.Order = d.order(d.gathered.document, row.Line)
			row.Line = d.gathered.place(row.Line)
			s, err := keep(row.CountyID, row)
			if err == nil {
				s.gathered.rows++
				s.told.SeenCase(row)
			}
			return err
		},
	})
	// They have no rows, and yet something must be noted of each.
	absent, aerr := d.absentCounties(ctx)
	for county := range d.gathered.of {
		if county != 0 && (d.only == nil || d.only.ID == county) {
			absent = append(absent, county)
		}
	}
	for _, county := range absent {
		s := of(county, true)
		s.gathered.untaken = d.gathered.lost(county).rows // for its rows that the tables refuse
	}
	scopes := slices.SortedFunc(maps.Values(byCounty), func(a, b *scope) int { return cmp.Compare(a.county.Slug, b.county.Slug) })
	return scopes, cmp.Or(err, aerr)
}

// absentCounties are those that have to be looked at although none of their rows may have been read: of a replay the one that it
// is for, so that it is noted, else those of whose known people rows speak as of juveniles that could not be read.
func (d *documents) absentCounties(ctx context.Context) ([]int16, error) {
	if d.only != nil {
		return []int16{d.only.ID}, nil
	}
	if len(d.gathered.spared.Children) == 0 {
		return nil, nil
	}
	return d.Store.ScopesOfKeys(ctx, d.source.ID, d.gathered.spared.Children)
}

// takeScope takes the rows of a county into the tables and notes how that went. An error is for what is wrong with the whole
// run, or with us.
// A scope that is held or fails ends here with a report of its own, and the next county is taken.
func (d *documents) takeScope(ctx context.Context, s *scope) error {
	if d.decided(s.county) {
		d.report.Doubts = append(d.report.Doubts, s.county.Name+" was held in that run, and is left out")
		return nil
	}
	var err error
	if s.run, err = d.part(ctx, s); err != nil || s.run == nil {
		return err
	}
	if s.silent = s.absent; !s.absent && !d.source.lists() {
		s.at = s.newest // the fresh file of another county makes this one no fresher
	}
	if err := s.measure(ctx); err != nil {
		return err
	}
	begun := d.Now()
	applied, err := d.applyScope(ctx, s)
	s.conclude(ctx, err)
	s.report.Files = s.files
	s.report.SnapshotAt, s.report.Fetched, s.report.Seconds = s.at.UTC(), s.gathered.rows, d.Now().Sub(begun).Seconds()
	if !s.absent {
		d.dated(s.dataAt)
		d.again += s.again
		d.report.part(s.report)
	}
	for _, row := range applied.Rejected {
		row.County = s.county.ID
		d.rejected = append(d.rejected, row)
	}
	if d.rehearse != nil {
		return err
	}
	if ferr := s.finish(context.WithoutCancel(ctx), ""); ferr != nil {
		return ferr
	}
	if s.report.State == source.RunHeld {
		return nil // the others go on
	}
	return err
}

// applyScope applies the rows of one county as a snapshot of its own. What no county is named for is judged by the whole document:
// its columns, its end, and rows that could not be read. The rest is judged by the county's own rows.
func (d *documents) applyScope(ctx context.Context, s *scope) (snapshot.Applied, error) {
	r := s.reconciler(s.gathered)
	r.Exempt = func() snapshot.Exempt { return d.gathered.spared } // nobody knows of which county those are
	g := d.gathered.scope(s)
	r.Prove = func(int) snapshot.Completeness {
		seen := d.seen
		seen.blind = slices.Concat(seen.blind, s.birthless(s.told))
		v := s.verdict(&seen, g, s.gathered.rows+g.own, d.gathered.rows)
		v.Reported, _ = json.Marshal(s.remembered(s.told)) // counts alone: that can not go wrong
		return v
	}
	if s.absent { // it proves nothing
		if g.own > 0 {
			s.report.Doubts = append(s.report.Doubts, reconcile.UntakenDoubt(g.own, g.own))
		}
		r.Prove = func(int) snapshot.Completeness { return snapshot.Completeness{} }
	}
	// Rows come from the spool and not from the documents, so the tally begins anew.
	return s.apply(ctx, newGathering(nil), r, func(to sink) error { return s.spool.Push(spool.To{Roster: to.roster, Court: to.court}) })
}

// part begins the run of a scope, as a part of the run that reads the documents. A rehearsal stores nothing, nor does a county of
// which no row can be read: where the source never reported it before there is no scope, and nil is returned.
func (u *run) part(ctx context.Context, s *scope) (*run, error) {
	county := s.county
	entry, err := u.scopeOf(ctx, county, u.rehearse == nil && !s.absent)
	if err != nil || entry == nil {
		return nil, err
	}
	entry.HeaderFingerprint = u.entry.HeaderFingerprint // the columns are those of the document
	// It shares documents and instant with the run. Its entry, report and guards are those of the scope.
	p := &run{
		Runner: u.Runner, source: u.source, entry: entry, replayOf: u.replayOf, readThen: u.readThen, id: u.id, started: u.started, at: u.at, docs: u.docs, dir: u.dir,
		rehearse: u.rehearse, released: u.released, county: county,
	}
	if u.rehearse == nil {
		if p.id, err = u.Store.BeginPart(ctx, entry.ID, u.id, u.partOf(entry.ID), u.started); err != nil {
			return nil, err
		}
	}
	p.report = newReport(p.id, entry.ID)
	p.report.ReplayOf, p.report.Transport = u.partOf(entry.ID), u.report.Transport
	return p, nil
}

// partOf is the run of a scope in the run that is read again; 0: it had none, or nothing is read again.
func (u *run) partOf(scope string) int64 {
	if part := u.parts[scope]; part != nil {
		return part.ID
	}
	return 0
}

// decided reports whether the run that is read again held the county, so that an operator decides what becomes of it.
func (d *documents) decided(county *models.County) bool {
	part := d.parts[models.ScopeID(d.source.ID, county.Slug)]
	return d.only == nil && part != nil && part.State == source.RunHeld
}

// scopeOf is what is known of the scope of a county, which is stored where store says so; nil: there is none.
func (u *run) scopeOf(ctx context.Context, county *models.County, store bool) (*source.Entry, error) {
	if store {
		return u.scopeEntry(ctx, u.source, county)
	}
	e, err := u.source.Entry(u.Store.Counties())
	if err != nil {
		return nil, err
	}
	return u.Store.KnownSource(ctx, e.Scope(county))
}

// scopeEntry stores the scope of a county, and returns what is known of it.
func (r *Runner) scopeEntry(ctx context.Context, of *Source, county *models.County) (*source.Entry, error) {
	e, err := of.Entry(r.Store.Counties())
	if err != nil {
		return nil, err
	}
	e = e.Scope(county)
	return r.Store.PutSource(ctx, e)
}

// together is how a run went of which some scopes were held.
func (d *documents) together(scopes []*scope) error {
	var why []string
	only := ""
	scopes = slices.DeleteFunc(slices.Clone(scopes), func(s *scope) bool { return s.run == nil })
	for _, s := range scopes {
		if s.report.State == source.RunHeld {
			why = append(why, s.county.Name+": "+s.report.Note)
			only = s.report.Note
		}
	}
	d.report.Complete = d.source.lists() && len(scopes) > 0 && !slices.ContainsFunc(scopes, func(s *scope) bool { return !s.report.Complete })
	switch {
	case len(why) == 0:
		return nil
	case len(scopes) == 1:
		d.scopesHeld = true
		return &snapshot.HeldError{Reason: only, Standing: true}
	case len(why) == len(scopes):
		d.scopesHeld = true
		return &snapshot.HeldError{Reason: strings.Join(why, "; "), Standing: true} // the scopes are held, the source is not
	default:
		d.report.Part = "held: " + strings.Join(why, "; ")
		return nil
	}
}

// later returns the later of two instants.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
