package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"rollcall/ingest/reconcile"
	"rollcall/models"
)

// several tells whether the rows of the source name their county, so that each county is a scope: completeness, guards,
// freshness and holds are asked of it alone.
func (s *Source) several() bool { return s.County == "" && s.Kind != "corrections" }

// scope is one county of a run whose rows name theirs.
type scope struct {
	*run
	county   *models.County
	gathered *gathering // of its rows alone
	spool    *spool
	absent   bool // the file has no row of it; a row that could not be read may speak of a juvenile of it all the same
}

// eachScope reads all documents, and then takes the rows of each county as a snapshot of its own, in a transaction of its own:
// one that is held, or fails, leaves the others as they are.
func (d *documents) eachScope(ctx context.Context) error {
	if d.past().Held {
		return &models.HeldError{Reason: reconcile.StandingHold, Standing: true}
	}
	scopes, err := d.split(ctx)
	defer func() {
		for _, s := range scopes {
			s.spool.close()
		}
	}()
	if err != nil {
		return err
	}
	d.finishReading()
	d.report.Drift = append(d.report.Drift, d.news()...)
	if len(scopes) == 0 {
		d.verdict(&d.seen, d.gathered, d.gathered.facts.Rows, d.gathered.rows) // notes why nothing of it counts
	}
	if d.only != nil && len(scopes) == 0 {
		return fmt.Errorf("no row of %s County can be read in the held snapshot: correct the source's document, or discard it", d.only.Name)
	}
	var failed error
	for _, s := range scopes {
		err := d.takeScope(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = cmp.Or(failed, err) // the other counties go on
	}
	d.toldKeys = d.seen.keys
	if len(d.seen.lost) == 0 && (d.approved() || !d.source.lists() || newestWhole(scopes)) {
		d.toldNow = d.told()
	}
	if err := d.together(scopes); err != nil {
		return err
	}
	return failed
}

// newestWhole tells whether every scope has a complete snapshot that is its newest: only such rows are a measure for the next.
func newestWhole(scopes []*scope) bool {
	return len(scopes) > 0 && !slices.ContainsFunc(scopes, func(s *scope) bool {
		return s.run == nil || s.absent || !s.report.Complete || s.entry.LastComplete != nil && s.entry.LastComplete.After(s.at)
	})
}

// split reads all documents and keeps the rows of each county beside each other, by county.
func (d *documents) split(ctx context.Context) ([]*scope, error) {
	byCounty := map[int16]*scope{}
	left := spooled
	of := func(county int16) *scope {
		s := byCounty[county]
		if s == nil {
			s = &scope{county: d.Store.Counties().ByID(county), gathered: newGathering(nil), spool: newSpool(d.dir, county, &left)}
			byCounty[county] = s
		}
		return s
	}
	keep := func(county int16, row any) (*gathering, error) {
		d.gathered.rows++
		if d.only != nil && d.only.ID != county {
			return newGathering(nil), nil // what is read of it is not asked for
		}
		s := of(county)
		s.gathered.document = d.gathered.document
		return s.gathered, s.spool.add(row)
	}
	err := d.rows(ctx, sink{
		roster: func(row *models.RosterRow) error {
			row.Line = d.gathered.place(row.Line)
			g, err := keep(row.CountyID, row)
			if err == nil {
				g.see(row.Key, row.Print)
			}
			return err
		},
		court: func(row *models.CourtRow) error {
			row.Line = d.gathered.place(row.Line)
			g, err := keep(row.CountyID, row)
			if err == nil {
				g.rows++
			}
			return err
		},
	})
	scopes := make([]*scope, 0, len(byCounty))
	for _, s := range byCounty {
		scopes = append(scopes, s)
	}
	if err == nil && len(d.gathered.spared.Children) > 0 && d.only == nil {
		scopes, err = d.withAbsent(ctx, scopes)
	}
	slices.SortFunc(scopes, func(a, b *scope) int { return cmp.Compare(a.county.Slug, b.county.Slug) })
	return scopes, err
}

// withAbsent adds the scopes of which the file has no row: one that could not be read may speak of a juvenile of any of them.
func (d *documents) withAbsent(ctx context.Context, scopes []*scope) ([]*scope, error) {
	counties, err := d.Store.ScopeCounties(ctx, d.source.ID)
	if err != nil {
		return scopes, err
	}
	for _, id := range counties {
		if !slices.ContainsFunc(scopes, func(s *scope) bool { return s.county.ID == id }) {
			none := 0
			scopes = append(scopes, &scope{county: d.Store.Counties().ByID(id), gathered: newGathering(nil), spool: newSpool(d.dir, id, &none), absent: true})
		}
	}
	return scopes, nil
}

// takeScope takes the rows of a county into the tables and notes how that went. An error is for what is wrong with the whole
// run, or with us.
func (d *documents) takeScope(ctx context.Context, s *scope) error {
	var err error
	if s.run, err = d.part(ctx, s.county); err != nil || s.run == nil {
		return err
	}
	s.silent = s.absent
	if err := s.measure(ctx); err != nil {
		return err
	}
	begun := d.Now()
	applied, err := d.applyScope(ctx, s)
	s.conclude(err)
	s.report.SnapshotAt, s.report.Fetched, s.report.Seconds = s.at, s.gathered.rows, d.Now().Sub(begun).Seconds()
	if !s.absent {
		d.dated(s.dataAt)
		d.again += s.again
		d.report.part(s.report)
	}
	if d.rehearse != nil {
		return err
	}
	if ferr := s.finish(context.WithoutCancel(ctx), ""); ferr != nil {
		return ferr
	}
	d.rejected = append(d.rejected, applied.Rejected...)
	if s.report.State == models.RunHeld {
		return nil // the others go on
	}
	return err
}

func (d *documents) applyScope(ctx context.Context, s *scope) (models.Applied, error) {
	r := s.reconciler(s.gathered)
	r.Spared = func() models.Spared { return d.gathered.spared } // nobody knows of which county those are
	r.Prove = func(int) models.Verdict {                         // rows that could not be read have no county: they are weighed against all
		g := *d.gathered
		g.repeated, g.slips = s.gathered.repeated, s.gathered.slips
		return s.verdict(&d.seen, &g, s.gathered.rows, d.gathered.rows)
	}
	if s.absent {
		r.Prove = func(int) models.Verdict { return models.Verdict{} } // it proves nothing
	}
	part := *d
	part.run, part.gathered = s.run, newGathering(nil)
	applied, verdict, err := part.apply(ctx, r, s.spool.push)
	s.report.Complete = err == nil && verdict.Complete && s.source.lists()
	if err == nil {
		s.report.take(applied)
	}
	return applied, err
}

// part begins the run of a scope, as a part of the run that reads the documents. A rehearsal stores nothing: of a county that the
// source never reported before there is no scope, and nil is returned.
func (u *run) part(ctx context.Context, county *models.County) (*run, error) {
	find := u.knownScope
	if u.rehearse == nil {
		find = func(ctx context.Context, c *models.County) (*models.SourceEntry, error) {
			return u.scopeEntry(ctx, u.source, c)
		}
	}
	entry, err := find(ctx, county)
	if err != nil || entry == nil {
		return nil, err
	}
	entry.HeaderPrint = u.entry.HeaderPrint // the columns are those of the document
	p := &run{
		Runner: u.Runner, source: u.source, entry: entry, replayOf: u.replayOf, id: u.id, started: u.started, at: u.at, docs: u.docs, dir: u.dir,
		rehearse: u.rehearse, released: u.released, county: county,
	}
	if u.rehearse == nil {
		if p.id, err = u.Store.BeginPart(ctx, entry.ID, u.id, u.parts[entry.ID], u.started); err != nil {
			return nil, err
		}
	}
	p.report = newReport(p.id, entry.ID)
	p.report.ReplayOf, p.report.Transport = u.parts[entry.ID], u.report.Transport
	return p, nil
}

// knownScope is what is known of the scope of a county; nil: there is none.
func (u *run) knownScope(ctx context.Context, county *models.County) (*models.SourceEntry, error) {
	e, err := u.source.Entry(u.Store.Counties())
	if err != nil {
		return nil, err
	}
	known, _, err := u.Store.KnownSource(ctx, e.Scope(county))
	return known, err
}

// scopeEntry stores the scope of a county, and returns what is known of it.
func (r *Runner) scopeEntry(ctx context.Context, of *Source, county *models.County) (*models.SourceEntry, error) {
	e, err := of.Entry(r.Store.Counties())
	if err != nil {
		return nil, err
	}
	e = e.Scope(county)
	if err := r.Store.HealSource(ctx, e.ID, r.Now(), Ahead); err != nil {
		return nil, err
	}
	return r.Store.PutSource(ctx, e)
}

// together is how a run went of which some scopes were held.
func (d *documents) together(scopes []*scope) error {
	var why []string
	only := ""
	scopes = slices.DeleteFunc(slices.Clone(scopes), func(s *scope) bool { return s.absent || s.run == nil })
	for _, s := range scopes {
		if s.report.State == models.RunHeld {
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
		return &models.HeldError{Reason: only, Standing: true}
	case len(why) == len(scopes):
		d.scopesHeld = true
		return &models.HeldError{Reason: strings.Join(why, "; "), Standing: true} // the scopes are held, the source is not
	default:
		d.report.Part = "held: " + strings.Join(why, "; ")
		return nil
	}
}
