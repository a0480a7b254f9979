package offender

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// storedOffender is a corrections record as it is stored.
type storedOffender struct {
	cid int64
	// id is the GDC id.
	id string
	// merged says that the id leads to another record now.
	merged    bool
	firstSeen time.Time
	// withheld is the reason as it is stored; nil: published.
	withheld *string
	resolve.OffenderState
}

// storedOffenders loads records by key. decisions are those in force about them: a lifted ground is known by its decision
// alone.
// A merged record is loaded too, so that a resolver can leave it alone.
func storedOffenders(ctx context.Context, s *engine.Session, records []int64, decisions map[int64][]resolve.Decision) (map[int64]*storedOffender, error) {
	rows, err := s.Query(ctx, "offenders", engine.Args{"records": records})
	if err != nil {
		return nil, err
	}
	out := make(map[int64]*storedOffender, len(records))
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*storedOffender, error) {
		o := &storedOffender{}
		f := &o.Facts
		var dob, release, parole pgtype.Date
		var year *int16
		var institution, sentence, text *string
		var since *time.Time
		err := row.Scan(&o.cid, &o.id, &o.Source, &f.Name, &dob, &year, &f.Category, &f.Categories, &institution, &sentence, &f.Status, &text, &release,
			&f.Projected, &parole,
			&o.withheld, &since, &o.merged, &o.firstSeen, &o.LastSeen)
		f.DOB, f.ReleaseDate, f.ParoleEnd = engine.DayOf(dob), engine.DayOf(release), engine.DayOf(parole)
		f.Institution, f.Sentence, f.StatusText = engine.OrEmpty(institution), engine.OrEmpty(sentence), engine.OrEmpty(text)
		if year != nil {
			f.BirthYear = *year
		}
		o.LastSeen = o.LastSeen.UTC()
		o.Visibility = resolve.Before(engine.ReasonOf(o.withheld), nil, engine.UTC(since), decisions[o.cid])
		return o, err
	})
	for _, o := range list {
		out[o.cid] = o
	}
	return out, err
}

// createdOffender are the columns of a new record.
var createdOffender = []string{
	"cid", "gdc_id", "source_id", "name", "name_key", "dob", "birth_year", "category", "categories", "institution", "sentence", "status", "status_text",
	"release_date", "release_projected", "parole_end_date", "withheld", "withheld_since", "first_seen", "last_seen", "known_at", "last_change", "gen",
}

// createOffenders makes a record for each of some new claims, and attaches the claims. New records have no history.
// It needs no second look at causes: the department's records are withheld on account of no other.
func createOffenders(ctx context.Context, r *engine.Run, claims []*resolve.OffenderClaim) error {
	if len(claims) == 0 {
		return nil
	}
	keys := make([]int64, 0, len(claims))
	var key int64
	if err := r.Each(ctx, "new_offender_keys", engine.Args{"n": len(claims)}, []any{&key}, func() error {
		keys = append(keys, key)
		return nil
	}); err != nil {
		return err
	}
	r.Applied.New += len(claims)
	return r.Copy(ctx, "corrections_records", createdOffender, func(yield func([]any, error) bool) {
		for i, c := range claims {
			c.Record = keys[i]
			state := resolve.Offender(resolve.OffenderInput{Claims: []*resolve.OffenderClaim{c}, Now: r.Now})
			r.Newcomer(c.Key, state.Facts.Name, state.Facts.NameKey(), state.Facts.DOB, state.Visibility)
			f, v := &state.Facts, state.Visibility
			if !yield([]any{
				c.Record, c.Key, state.Source, f.Name, f.NameKey(), f.DOB, engine.OrNull(f.BirthYear), f.Category, f.Categories, engine.OrNull(f.Institution),
				engine.OrNull(f.Sentence), f.Status, engine.OrNull(f.StatusText),
				f.ReleaseDate, f.Projected, f.ParoleEnd, engine.OrNull(string(v.Withheld())), engine.OrNull(v.Since), c.FirstAt, c.SaidAt, r.Now, r.Now, r.Gen,
			}, nil) {
				return
			}
		}
	})
}

// offenderChange is a record before and after, with the claims that it is resolved from.
type offenderChange struct {
	cid int64
	// id is the GDC id.
	id            string
	before, after resolve.OffenderState
	claims        []*resolve.OffenderClaim
	// versions are the facts with a history that changed.
	versions []resolve.Version
}

// offendersAnew resolves records from their claims and decisions, writes those that became others, and returns all of them
// but merged ones. Decisions whose grounds hold no more are ended. run is the run that brings the changes; 0: an operator.
func offendersAnew(ctx context.Context, s *engine.Session, records []int64, run int64) ([]offenderChange, error) {
	decisions, err := s.DecisionsOf(ctx, records)
	if err != nil {
		return nil, err
	}
	stored, err := storedOffenders(ctx, s, records, decisions)
	if err != nil {
		return nil, err
	}
	claims, err := engine.ClaimsOf[resolve.OffenderFacts](ctx, s, records)
	if err != nil {
		return nil, err
	}
	var changes []offenderChange
	var spent []int64
	for _, cid := range records {
		o := stored[cid]
		if o == nil || o.merged {
			continue
		}
		after := resolve.Offender(resolve.OffenderInput{Claims: claims[cid], Decisions: decisions[cid], Before: o.OffenderState, Now: s.Now})
		spent = append(spent, after.Spent...)
		changes = append(changes, offenderChange{
			cid: cid, id: o.id, before: o.OffenderState, after: after, claims: claims[cid],
			versions: resolve.Diff(o.Fields(), after.Fields()),
		})
	}
	if err := s.EndDecisions(ctx, spent); err != nil {
		return nil, err
	}
	return changes, writeOffenders(ctx, s, changes, run)
}

// changed reports whether anything that is stored of the record changed, facts without a history included.
func (c *offenderChange) changed() bool {
	b, a := &c.before, &c.after
	return len(c.versions) > 0 || b.Facts.StatusText != a.Facts.StatusText || b.Source != a.Source || !b.Visibility.Same(a.Visibility) ||
		!b.Visibility.Since.Equal(a.Visibility.Since)
}

// writtenOffender are the columns of a record that a run may change.
var writtenOffender = []string{
	"cid", "source_id", "name", "name_key", "dob", "birth_year", "category", "categories", "institution", "sentence", "status", "status_text",
	"release_date", "release_projected", "parole_end_date", "withheld", "withheld_since", "last_seen",
}

// writeOffenders writes the records that became others, with their history. It takes the family's lock where the caller has
// not.
func writeOffenders(ctx context.Context, s *engine.Session, all []offenderChange, run int64) error {
	changes := slices.DeleteFunc(slices.Clone(all), func(c offenderChange) bool { return !c.changed() })
	if len(changes) == 0 {
		return nil
	}
	if err := s.Lock(ctx); err != nil {
		return err
	}
	var versions []engine.Version
	var hidden []int64
	for _, c := range changes {
		if c.before.Visibility.Withheld() == models.Published && c.after.Visibility.Withheld() != models.Published {
			hidden = append(hidden, c.cid)
		}
		for _, v := range c.versions {
			versions = append(versions, engine.Version{Record: c.cid, Source: c.after.Source, Version: v})
		}
	}
	if err := s.WriteVersions(ctx, run, versions); err != nil {
		return err
	}
	for _, name := range []string{"create_written_offenders", "clear_written_offenders"} {
		if err := s.Do(ctx, name, nil); err != nil {
			return err
		}
	}
	err := s.Copy(ctx, "written_offenders", writtenOffender, func(yield func([]any, error) bool) {
		for i := range changes {
			f, v := &changes[i].after.Facts, changes[i].after.Visibility
			if !yield([]any{
				changes[i].cid, changes[i].after.Source, f.Name, f.NameKey(), f.DOB, engine.OrNull(f.BirthYear), f.Category, f.Categories,
				engine.OrNull(f.Institution), engine.OrNull(f.Sentence), f.Status, engine.OrNull(f.StatusText),
				f.ReleaseDate, f.Projected, f.ParoleEnd, engine.OrNull(string(v.Withheld())), engine.OrNull(v.Since), changes[i].after.LastSeen,
			}, nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if err := s.Do(ctx, "write_offenders", engine.Args{"now": s.Now, "gen": s.Gen}); err != nil {
		return err
	}
	_, err = s.Withdraw(ctx, hidden)
	return err
}

// Resolve resolves records without a snapshot, because an operator decided something or a rule changed, and writes what
// became another. It returns the records that did.
// No other record follows those of the department, so nothing else is resolved.
func Resolve(ctx context.Context, s *engine.Session, records []int64) ([]engine.Change, error) {
	all, err := offendersAnew(ctx, s, records, 0)
	var out []engine.Change
	for i := range all {
		if all[i].changed() {
			out = append(out, engine.Change{Family: models.Corrections, ID: all[i].id, Versions: all[i].versions})
		}
	}
	return out, err
}
