package reconcile

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"rollcall/match"
	"rollcall/models"
)

// The parts of a case travel as JSON in its row: a record holds few of them, and one COPY carries all.
const courtStaging = `create temp table staged (
 ord bigint, county_id smallint, court_type text, case_number text collate "C", party text collate "C", whole boolean, has_case boolean,
 name text, name_key text collate "C", dob date, birth_year smallint, booking_key text, offense text, filed_date date, status text, status_text text,
 judge text, hearing_link text, withheld text, charges jsonb, hearings jsonb, dispositions jsonb, removed text[], seen_at timestamptz, line bigint, print bytea,
 own_withheld text, sealed_by bigint) on commit drop`

var stagedCourts = strings.Fields(`ord county_id court_type case_number party whole has_case name name_key dob birth_year booking_key offense filed_date status status_text
 judge hearing_link withheld charges hearings dispositions removed seen_at line print`)

// ReconcileCourts brings the records of a court source into the tables, like ReconcileRoster. A part of
// a case that nobody has told about is rejected; a case row is one party's.
func (s *Store) ReconcileCourts(ctx context.Context, r models.Reconciler, rows iter.Seq2[*models.CourtRow, error]) (models.Applied, models.Verdict, error) {
	delta := false
	return s.reconcile(ctx, r, models.Courts, courtStaging, stagedCourts, courtValues(rows, &delta), func(ctx context.Context, st *staging) error {
		st.delta = delta
		if err := st.bulk(ctx, st.courtSteps, "court_cases", "hearings", "dispositions", "case_charges"); err != nil {
			return err
		}
		return st.sealBookings(ctx)
	})
}

func (st *staging) courtSteps(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		st.dedupeCases, st.completeCases, st.matchCases, st.liftCases, st.withholdCases, st.sealStaged, st.ownOffenses, st.changeCases, st.heedLateCases, st.repeatCases, st.insertCases, st.placeParts, st.applyCharges, st.applyHearings, st.applyDispositions, st.refreshCases, st.courtCounts,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// courtValues are the rows as the staging table has them; delta says whether one of them tells no whole case.
func courtValues(rows iter.Seq2[*models.CourtRow, error], delta *bool) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		var ord int64
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			ord++
			*delta = *delta || !r.Whole
			c := r.Case
			if c == nil {
				c = &models.CaseFacts{}
			}
			var filed *models.Date
			if r.Case != nil {
				filed = &c.Filed
			}
			parts, err := courtParts(r)
			if err != nil {
				yield(nil, err)
				return
			}
			values := []any{
				ord, r.CountyID, r.CourtType, r.Number, models.NilIfEmpty(r.Party), r.Whole, r.Case != nil,
				c.Defendant, match.SearchKey(c.Defendant), c.DOB, nilIfZero(c.BirthYear), models.NilIfEmpty(c.BookingKey), c.Offense, filed, c.Status, models.NilIfEmpty(c.StatusText),
				models.NilIfEmpty(c.Judge), models.NilIfEmpty(c.HearingLink), models.NilIfEmpty(c.Withheld), parts[0], parts[1], parts[2], r.Removed, r.SeenAt, r.Line, r.Print,
			}
			if !yield(values, nil) {
				return
			}
		}
	}
}

type jsonPart map[string]any

func courtParts(r *models.CourtRow) (parts [3][]byte, err error) {
	var lists [3][]jsonPart
	for _, c := range r.Charges {
		lists[0] = append(lists[0], jsonPart{"seq": c.Seq, "description": c.Description, "statute": models.NilIfEmpty(c.Statute), "severity": models.NilIfEmpty(c.Severity), "disposition": models.NilIfEmpty(c.Disposition)})
	}
	for _, h := range r.Hearings {
		lists[1] = append(lists[1], jsonPart{
			"event": h.Event, "date": h.Date.String(), "time": models.NilIfEmpty(h.Time), "starts_at": h.StartsAt, "kind": models.NilIfEmpty(h.Kind),
			"judge": models.NilIfEmpty(h.Judge), "location": models.NilIfEmpty(h.Location), "link": models.NilIfEmpty(h.Link), "cancelled": h.Cancelled,
		})
	}
	for _, d := range r.Dispositions {
		lists[2] = append(lists[2], jsonPart{"seq": d.Seq, "date": d.Date.String(), "outcome": d.Outcome, "sentence": models.NilIfEmpty(d.Sentence)})
	}
	for i, list := range lists {
		if list == nil {
			continue
		}
		if parts[i], err = json.Marshal(list); err != nil {
			return parts, fmt.Errorf("encode parts of a case: %w", err)
		}
	}
	return parts, nil
}

// dedupeCases keeps the newest row of each case; what it drops may not be of another person.
func (st *staging) dedupeCases(ctx context.Context) error {
	err := st.exec(ctx, "find repeated cases", `create temp table repeated on commit drop as
 select ord, first_value(ord) over w as kept from staged where has_case and (county_id, court_type, case_number, party) in
  (select county_id, court_type, case_number, party from staged where has_case group by 1, 2, 3, 4 having count(*) > 1)
 window w as (partition by county_id, court_type, case_number, party order by seen_at desc, ord desc)`)
	if err != nil {
		return err
	}
	return st.dropRepeated(ctx)
}

func (st *staging) matchCases(ctx context.Context) error {
	err := st.exec(ctx, "match known cases", `create temp table known on commit drop as
 select s.ord, c.id, c.print is not distinct from s.print as same, s.seen_at < c.snapshot_at or $1 as older
 from staged s join court_cases c on c.county_id = s.county_id and c.court_type = s.court_type and c.case_number = s.case_number and c.party = s.party where s.has_case`, st.Imported)
	if err != nil {
		return err
	}
	if err := st.exec(ctx, "analyze known cases", `analyze known`); err != nil {
		return err
	}
	err = st.guard(ctx, `select s.ord, c.defendant, c.dob, s.name, s.dob from known k join staged s on s.ord = k.ord join court_cases c on c.id = k.id
 where not k.same and (s.name_key <> c.name_key or s.dob <> c.dob)`)
	if err != nil {
		return err
	}
	return st.exec(ctx, "drop rejected cases", `delete from known k where not exists (select from staged s where s.ord = k.ord)`)
}

// ownOffenses notes which cases name their offense themselves, so that no charge takes its place. That of a takeover yields
// to the charges that a court tells.
func (st *staging) ownOffenses(ctx context.Context) error {
	return st.exec(ctx, "note whose offense is its own", `update court_cases c set offense_own = s.offense <> '' from known k join staged s on s.ord = k.ord
 where c.id = k.id and not k.older and (s.offense <> '' and not c.offense_own or s.offense = '' and c.offense_own and c.snapshot_at = 'epoch')`)
}

// changeCases writes the facts of cases that differ. What a delta does not say of a case itself (its
// offense, judge and link come with charges and hearings) stays.
func (st *staging) changeCases(ctx context.Context) error {
	err := st.exec(ctx, "find changed cases", `create temp table changed on commit drop as
 select s.ord, c.id, c.defendant as old_name, c.dob as old_dob, c.birth_year as old_year, c.offense as old_offense, c.filed_date as old_filed, c.status as old_status,
  c.judge as old_judge, c.hearing_link as old_link, c.withheld as old_withheld,
  s.name, s.name_key, coalesce(s.dob, c.dob) as dob, coalesce(s.birth_year, c.birth_year) as birth_year, coalesce(s.booking_key, c.booking_key) as booking_key,
  coalesce(nullif(s.offense, ''), c.offense) as offense, s.filed_date, case when s.status = 'unknown' then c.status else s.status end as status, s.status_text,
  case when s.whole then s.judge else coalesce(s.judge, c.judge) end as judge, case when s.whole then s.hearing_link else coalesce(s.hearing_link, c.hearing_link) end as hearing_link,
  s.withheld, s.own_withheld, s.sealed_by, s.seen_at, s.print, false as passed
 from known k join staged s on s.ord = k.ord join court_cases c on c.id = k.id where not k.same and not k.older`)
	if err != nil {
		return err
	}
	if err := st.passMerged(ctx); err != nil {
		return err
	}
	err = st.exec(ctx, "write versions", `insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'courts', c.id, $1, $2, $3, f.field, f.before, f.after from changed c cross join lateral (values
  ('defendant', c.old_name, c.name), ('dob', c.old_dob::text, c.dob::text), ('birth_year', c.old_year::text, c.birth_year::text), ('offense', c.old_offense, c.offense),
  ('filed_date', c.old_filed::text, c.filed_date::text), ('status', c.old_status, c.status), ('judge', c.old_judge, c.judge), ('hearing_link', c.old_link, c.hearing_link),
  ('withheld', c.old_withheld, c.withheld)) f (field, before, after) where f.before is distinct from f.after order by c.id`, st.Now, st.SourceID, st.RunID)
	if err != nil {
		return err
	}
	st.applied.Changed, err = st.count(ctx, "change cases", `update court_cases t set defendant = c.name, name_key = c.name_key, dob = c.dob, birth_year = c.birth_year, booking_key = c.booking_key,
  offense = c.offense, filed_date = c.filed_date, status = c.status, status_text = c.status_text, judge = c.judge, hearing_link = c.hearing_link, withheld = c.withheld, own_withheld = c.own_withheld, sealed_by = c.sealed_by,
  source_id = $3, print = c.print, snapshot_at = c.seen_at, last_seen = greatest(t.last_seen, c.seen_at), last_change = $1, gen = $2 from changed c where c.id = t.id`,
		st.Now, st.applied.Generation, st.SourceID)
	return err
}

// repeatCases notes when a delta told a case again as it is known, so that a late file in between takes nothing back.
func (st *staging) repeatCases(ctx context.Context) error {
	if !st.delta {
		return nil
	}
	return st.exec(ctx, "note repeated cases", `update court_cases c set snapshot_at = s.seen_at, last_seen = greatest(c.last_seen, s.seen_at)
 from known k join staged s on s.ord = k.ord where c.id = k.id and k.same and not k.older and not s.whole and s.seen_at > c.snapshot_at`)
}

func (st *staging) insertCases(ctx context.Context) (err error) {
	st.applied.New, err = st.count(ctx, "insert cases", `insert into court_cases (county_id, court_type, case_number, party, source_id, defendant, name_key, dob, birth_year, booking_key, offense, offense_own,
  filed_date, status, status_text, judge, hearing_link, withheld, own_withheld, sealed_by, print, snapshot_at, first_seen, last_seen, known_at, last_change, gen)
 select s.county_id, s.court_type, s.case_number, s.party, $1, s.name, s.name_key, s.dob, s.birth_year, s.booking_key, s.offense, s.offense <> '',
  s.filed_date, s.status, s.status_text, s.judge, s.hearing_link, s.withheld, s.own_withheld, s.sealed_by, s.print, case when $4 then 'epoch' else s.seen_at end, s.seen_at, s.seen_at, $2, $2, $3
 from staged s where s.has_case and not exists (select from known k where k.ord = s.ord) order by s.ord`, st.SourceID, st.Now, st.applied.Generation, st.Imported)
	if err != nil {
		return err
	}
	return st.exec(ctx, "note counties", `insert into source_counties (source_id, county_id) select $1, county_id from staged group by county_id on conflict do nothing`, st.SourceID)
}

func (st *staging) courtCounts(ctx context.Context) error {
	err := st.tx.QueryRow(ctx, `select (select count(*) from known where same), (select count(*) from known where older and not same), (select count(*) from staged where withheld is not null)`).
		Scan(&st.applied.Unchanged, &st.applied.Older, &st.applied.Withheld)
	if err != nil {
		return fmt.Errorf("count rows: %w", err)
	}
	return nil
}
