package court

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// placesOf finds the cases with some numbers, by number and party. For a removal that names no party it finds all parties.
//
// A number that went in a merge leads to the case that stayed (place.merged), so what a court goes on reporting under it is
// shown there.
func placesOf(ctx context.Context, s *engine.Session, keys []snapshot.CaseKey) (map[snapshot.CaseKey]place, error) {
	out := map[snapshot.CaseKey]place{}
	var key snapshot.CaseKey
	var p place
	var dob pgtype.Date
	into := []any{&key.CountyID, &key.CourtType, &key.Number, &key.Party, &p.own, &p.record, &p.mergedAt, &p.Name, &dob}
	return out, s.Each(ctx, "court_places", keyColumns(keys), into, func() error {
		p.DOB = engine.DayOf(dob)
		out[key] = p
		return nil
	})
}

// keyColumns returns case keys as arguments of a statement, one list a column.
// PostgreSQL has no arrays of records that pgx would fill, so the statement joins the lists by position (unnest).
func keyColumns(keys []snapshot.CaseKey) engine.Args {
	counties, columns := make([]int16, len(keys)), [3][]string{}
	for i, k := range keys {
		counties[i] = k.CountyID
		for c, text := range []string{k.CourtType, k.Number, k.Party} {
			columns[c] = append(columns[c], text)
		}
	}
	return engine.Args{"counties": counties, "courts": columns[0], "numbers": columns[1], "parties": columns[2]}
}

// createCases makes a case for each of some claims, in the order of their numbers, and attaches to it what waited for it at
// other sources. It returns those other claims, which the caller writes.
func (f *fold) createCases(ctx context.Context, claims []*court.Claim) (others []*court.Claim, err error) {
	if len(claims) == 0 {
		return nil, nil
	}
	waiting, err := f.waitingFor(ctx, claims)
	if err != nil {
		return nil, err
	}
	// Public ids follow the numbers of a first load, whatever the order of its rows.
	slices.SortStableFunc(claims, func(a, b *court.Claim) int { return strings.Compare(a.Facts.Key.Number, b.Facts.Key.Number) })
	ids, err := newKeys(ctx, f.Session, len(claims))
	if err != nil {
		return nil, err
	}
	made := make([]caseChange, len(claims))
	for i, c := range claims {
		c.Record = ids[i]
		all := []*court.Claim{c}
		for _, o := range waiting[c.Key] {
			// What waited keeps the instants of its rows: it is no news for having waited.
			if o.ID() != c.ID() {
				o.Record, o.How, o.HowAt = ids[i], resolve.Matched, f.Now
				all, others = append(all, o), append(others, o)
				f.Applied.Resolved++
			}
		}
		made[i] = caseChange{id: ids[i], key: c.Facts.Key, claims: all, removals: waiting[caseKey(everyParty(c.Facts.Key))], firstSeen: c.Facts.At.At}
		made[i].resolve(nil, f.Now)
	}
	// A case that names a juvenile's booking is withheld from its first moment.
	causes, err := causesOfCases(ctx, f.Session, made)
	if err != nil {
		return nil, err
	}
	for i := range made {
		c := &made[i]
		if found := causes[c.id]; len(found) > 0 {
			c.resolve(found, f.Now)
		}
		// It is counted as it may be shown, after bookings had their say.
		f.AddFresh(snapshot.Gone{ID: c.key.Number, Name: c.after.Defendant}, c.after.Visibility)
		if c.withheld() {
			f.Applied.Withheld++
		}
	}
	f.Applied.New += len(made)
	f.changed = append(f.changed, ids...)
	return others, insertCases(ctx, f.Session, made)
}

// waitingFor reads the claims that wait for new cases, by key: parts that other sources reported, and removals for every
// party, those of this run included.
// Those of this run are not in the tables yet, so they take the place of what is stored under their keys.
func (f *fold) waitingFor(ctx context.Context, claims []*court.Claim) (map[string][]*court.Claim, error) {
	keys := make([]string, 0, 2*len(claims))
	for _, c := range claims {
		keys = append(keys, c.Key, caseKey(everyParty(c.Facts.Key)))
	}
	list, err := claimsWaiting(ctx, f.Session, keys)
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Concat(f.fresh, f.known) { // of this run, and not written yet
		if c.Facts.Key.Party != court.EveryParty {
			continue
		}
		list[c.Key] = append(slices.DeleteFunc(list[c.Key], func(o *court.Claim) bool { return o.ID() == c.ID() }), c)
	}
	return list, nil
}

// newKeys takes n keys for new cases.
func newKeys(ctx context.Context, s *engine.Session, n int) (ids []int64, err error) {
	var id int64
	return ids, s.Each(ctx, "court_ids", engine.Args{"n": n}, []any{&id}, func() error {
		ids = append(ids, id)
		return nil
	})
}

// claimsWaiting reads the pending claims of all sources under some keys, by key.
func claimsWaiting(ctx context.Context, s *engine.Session, keys []string) (map[string][]*court.Claim, error) {
	out := map[string][]*court.Claim{}
	list, err := engine.ReadClaims[court.Report](ctx, s, "court_claims_waiting", engine.Args{"keys": keys})
	for _, c := range list {
		out[c.Key] = append(out[c.Key], c)
	}
	return out, err
}

// countPending counts the rows of which no source has reported the case yet. A later row of the run may have.
func (k *courtRun) countPending(ctx context.Context) error {
	if !k.waits {
		return nil
	}
	return k.One(ctx, "count_pending", engine.Args{"source": k.SourceID}, &k.Applied.Pending)
}
