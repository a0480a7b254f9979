package reconcile

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// placeParts finds the case of each row that tells of parts. A removal without a party speaks of every
// party; parts of a case that nobody has told about wait for it. A late row that told a whole case says nothing
// of its parts any more: the source has told all of them since. What is told under the number of a case that was merged
// into another is a part of that one; own is the case with the number.
func (st *staging) placeParts(ctx context.Context) error {
	err := st.exec(ctx, "place parts", `create temp table placed on commit drop as
 select s.ord, coalesce(m.record, c.id) as id, c.id as own, s.whole and s.seen_at >= c.snapshot_at as replaces, s.seen_at from staged s join court_cases c
  on c.county_id = s.county_id and c.court_type = s.court_type and c.case_number = s.case_number and (s.party is null or c.party = s.party)
 left join merged_records m on m.family = 'courts' and m.gone = c.id and c.withheld = '`+models.Merged+`'
 where not ($1 and exists (select from known k where k.ord = s.ord)) and not (s.whole and s.has_case and s.seen_at < c.snapshot_at and c.source_id = $2)`, st.Imported, st.SourceID)
	if err != nil {
		return err
	}
	if err := st.exec(ctx, "analyze places", `analyze placed`); err != nil {
		return err
	}
	if err := st.awaitCases(ctx); err != nil {
		return err
	}
	return st.exec(ctx, "make list of touched cases", `create temp table touched (id bigint, what text) on commit drop`)
}

// awaitsCase is why a part of a case is not a fact yet.
const awaitsCase = "waits for its case, which no file has told of yet"

// awaitCases takes out the rows of parts whose case nobody has told about.
func (st *staging) awaitCases(ctx context.Context) error {
	rows, err := st.tx.Query(ctx, `delete from staged s where not s.has_case and not exists (select from placed p where p.ord = s.ord)
 returning s.line, s.county_id, s.court_type, s.case_number, coalesce(s.party, ''), s.seen_at`)
	if err != nil {
		return fmt.Errorf("find parts without a case: %w", err)
	}
	var line int64
	var a models.Awaited
	_, err = pgx.ForEachRow(rows, []any{&line, &a.CountyID, &a.CourtType, &a.Number, &a.Party, &a.SeenAt}, func() error {
		own := a
		st.applied.Rejected = append(st.applied.Rejected, models.RejectedRow{Line: line, Reason: awaitsCase, Awaits: &own})
		return nil
	})
	if err != nil {
		return fmt.Errorf("find parts without a case: %w", err)
	}
	return nil
}

func (st *staging) applyCharges(ctx context.Context) error {
	err := st.exec(ctx, "apply charges", `with told as (
  select distinct on (p.id, x.seq) p.id, x.seq, x.description, x.statute, x.severity, x.disposition, p.seen_at
  from placed p join staged s on s.ord = p.ord cross join lateral jsonb_to_recordset(s.charges) x (seq int, description text, statute text, severity text, disposition text)
  order by p.id, x.seq, p.seen_at desc, p.ord desc),
 gone as (delete from case_charges c using placed p where p.replaces and p.id = c.case_id and not exists (select from told t where t.id = c.case_id and t.seq = c.seq) returning c.case_id),
 kept as (insert into case_charges as c (case_id, seq, description, statute, severity, disposition, snapshot_at)
  select id, seq, description, statute, severity, disposition, seen_at from told
  on conflict (case_id, seq) do update set description = excluded.description, statute = excluded.statute, severity = excluded.severity, disposition = excluded.disposition, snapshot_at = excluded.snapshot_at
  where excluded.snapshot_at >= c.snapshot_at and (c.description, c.statute, c.severity, c.disposition) is distinct from (excluded.description, excluded.statute, excluded.severity, excluded.disposition)
  returning c.case_id)
 insert into touched select case_id, 'charges' from gone union select case_id, 'charges' from kept`)
	if err != nil || !st.delta {
		return err
	}
	return st.exec(ctx, "note repeated charges", `update case_charges c set snapshot_at = t.at from (
  select p.id, x.seq, max(p.seen_at) as at from placed p join staged s on s.ord = p.ord cross join lateral jsonb_to_recordset(s.charges) x (seq int) where not s.whole group by 1, 2) t
 where c.case_id = t.id and c.seq = t.seq and c.snapshot_at < t.at`)
}

// hearingText is the text of a version row for the hearing h: all that is published of it in JSON, null
// where it is cancelled or there is none.
func hearingText(h string) string {
	return fmt.Sprintf(`hearing_text(%[1]s.cancelled, %[1]s.starts_at, %[1]s.date, %[1]s.time, %[1]s.kind, %[1]s.judge, %[1]s.location, %[1]s.link)`, h)
}

// newCases are the ids of the cases that this run made: what they came with is no change.
const newCases = `select p.id from placed p join staged s on s.ord = p.ord where s.has_case and not exists (select from known x where x.ord = s.ord)`

// applyHearings adds, changes and takes back hearings. Within a file the later record counts, between
// files the newer.
func (st *staging) applyHearings(ctx context.Context) error {
	err := st.exec(ctx, "read hearings", `create temp table told on commit drop as
 select distinct on (id, event) * from (
  select p.id, p.id <> p.own as merged, x.event, x.date, x.time, x.starts_at, x.kind, x.judge, x.location, x.link, x.cancelled, false as removed, p.seen_at, p.ord
  from placed p join staged s on s.ord = p.ord cross join lateral jsonb_to_recordset(s.hearings)
   x (event text, date date, time text, starts_at timestamptz, kind text, judge text, location text, link text, cancelled boolean)
  union all
  select p.id, p.id <> p.own, e, null, null, null, null, null, null, null, null, true, p.seen_at, p.ord from placed p join staged s on s.ord = p.ord cross join lateral unnest(s.removed) e
 ) t order by id, event, seen_at desc, merged, ord desc`)
	if err != nil {
		return err
	}
	if err := st.dropTakenBack(ctx); err != nil {
		return err
	}
	// As when they were merged: two numbers at one time are one hearing.
	err = st.exec(ctx, "drop hearings told under two numbers", `delete from told t where t.merged and not t.removed and not exists (select from hearings x where x.case_id = t.id and x.event = t.event)
  and (exists (select from hearings h where h.case_id = t.id and h.starts_at = t.starts_at) or exists (select from told o where o.id = t.id and not o.merged and not o.removed and o.starts_at = t.starts_at))`)
	if err != nil {
		return err
	}
	// A hearing that was known by its time alone, as from a takeover, gets the court's number, and so do its versions.
	err = st.exec(ctx, "number hearings", `with numbered as (update hearings h set event = t.event from told t where not t.removed and h.case_id = t.id and h.starts_at = t.starts_at
   and h.event = t.date::text || 'T' || coalesce(t.time, '') and h.event <> t.event and not exists (select from hearings x where x.case_id = t.id and x.event = t.event)
   returning h.case_id, t.date::text || 'T' || coalesce(t.time, '') as old, t.event)
 update record_changes v set field = 'hearing ' || n.event from numbered n where v.family = 'courts' and v.record = n.case_id and v.field = 'hearing ' || n.old`)
	if err != nil {
		return err
	}
	if err := st.timeHearings(ctx); err != nil {
		return err
	}
	if st.applied.Removed, err = st.count(ctx, "take hearings back", `with gone as (delete from hearings h using told t where t.removed and h.case_id = t.id and h.event = t.event and h.snapshot_at <= t.seen_at
   returning h.case_id, h.event, `+hearingText("h")+` as text),
 noted as (insert into record_changes (family, record, at, source_id, run_id, field, before) select 'courts', case_id, $1, $2, $3, 'hearing ' || event, text from gone where text is not null)
 insert into touched select case_id, 'hearings' from gone`, st.Now, st.SourceID, st.RunID); err != nil {
		return err
	}
	err = st.exec(ctx, "remember what was taken back", `insert into removed_hearings as r (case_id, event, snapshot_at, every_party)
 select distinct on (p.id, e) p.id, e, p.seen_at, s.party is null from placed p join staged s on s.ord = p.ord cross join lateral unnest(s.removed) e order by p.id, e, p.seen_at desc, s.party nulls first
 on conflict (case_id, event) do update set snapshot_at = greatest(r.snapshot_at, excluded.snapshot_at), every_party = case when excluded.snapshot_at < r.snapshot_at then r.every_party else excluded.every_party end`)
	if err != nil {
		return err
	}
	if err := st.writeHearings(ctx); err != nil || !st.delta {
		return err
	}
	return st.exec(ctx, "note repeated hearings", `update hearings h set snapshot_at = t.seen_at from told t join staged s on s.ord = t.ord
 where not t.removed and not s.whole and h.case_id = t.id and h.event = t.event and h.snapshot_at < t.seen_at`)
}

// dropTakenBack drops what is told late of hearings that were taken back since: of this party of the case, or of
// all, when this party was not known yet.
func (st *staging) dropTakenBack(ctx context.Context) error {
	err := st.exec(ctx, "drop older hearings", `delete from told t using removed_hearings r where r.case_id = t.id and r.event = t.event and r.snapshot_at > t.seen_at`)
	if err != nil || !st.delta {
		return err
	}
	return st.exec(ctx, "drop older hearings of all parties", `delete from told t using court_cases c join court_cases o on o.county_id = c.county_id and o.court_type = c.court_type and o.case_number = c.case_number and o.id <> c.id
 join removed_hearings r on r.case_id = o.id and r.every_party where c.id = t.id and r.event = t.event and r.snapshot_at > t.seen_at`)
}

// writeHearings writes the hearings told, and that those which a whole case lacks are gone, with their versions.
func (st *staging) writeHearings(ctx context.Context) error {
	return st.exec(ctx, "apply hearings", `with gone as (delete from hearings h using placed p where p.replaces and p.id = h.case_id and not exists (select from told t where t.id = h.case_id and t.event = h.event)
   returning h.case_id, h.event, `+hearingText("h")+` as text),
 kept as (insert into hearings as h (case_id, event, date, time, starts_at, kind, judge, location, link, cancelled, snapshot_at)
  select id, event, date, time, starts_at, kind, judge, location, link, cancelled, seen_at from told where not removed order by id, starts_at
  on conflict (case_id, event) do update set date = excluded.date, time = excluded.time, starts_at = excluded.starts_at, kind = excluded.kind, judge = excluded.judge,
   location = excluded.location, link = excluded.link, cancelled = excluded.cancelled, snapshot_at = excluded.snapshot_at
  where excluded.snapshot_at >= h.snapshot_at and (h.date, h.time, h.starts_at, h.kind, h.judge, h.location, h.link, h.cancelled)
   is distinct from (excluded.date, excluded.time, excluded.starts_at, excluded.kind, excluded.judge, excluded.location, excluded.link, excluded.cancelled)
  returning h.case_id, h.event, `+hearingText("h")+` as text),
 -- The statement still sees the hearings as they were before it. Those that a case came with are of its beginning.
 noted as (insert into record_changes (family, record, at, source_id, run_id, field, before, after)
  select 'courts', case_id, $1::timestamptz, $2, $3::bigint, 'hearing ' || event, text, null from gone where text is not null
  union all
  select 'courts', k.case_id, $1::timestamptz, $2, $3::bigint, 'hearing ' || k.event, `+hearingText("o")+`, k.text
  from kept k left join hearings o on o.case_id = k.case_id and o.event = k.event
  where `+hearingText("o")+` is distinct from k.text and k.case_id not in (`+newCases+`))
 insert into touched select case_id, 'hearings' from gone union select case_id, 'hearings' from kept`, st.Now, st.SourceID, st.RunID)
}

// dispositionList is the text of a version row for dispositions d: all of them in JSON, null where there are none.
const dispositionList = `json_agg(json_build_object('date', d.date, 'outcome', d.outcome, 'sentence', d.sentence) order by d.date, d.seq)::text`

// applyDispositions replaces the dispositions of cases whose own row is new or changed. A version row holds
// the whole list before and after, in JSON.
func (st *staging) applyDispositions(ctx context.Context) error {
	if err := st.noteMerged(ctx); err != nil {
		return err
	}
	err := st.exec(ctx, "write versions of dispositions", `with anew as materialized (select s.ord, `+dispositionList+` as list
  from staged s cross join lateral jsonb_to_recordset(s.dispositions) d (seq int, date date, outcome text, sentence text) group by s.ord)
 insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'courts', c.id, $1, $2, $3, 'dispositions', b.list, a.list from changed c
 left join lateral (select `+dispositionList+` as list
  from dispositions d where d.case_id = c.id) b on true
 left join anew a on a.ord = c.ord
 where b.list is distinct from a.list and not c.passed and c.id not in (select id from mirrored) order by c.id`, st.Now, st.SourceID, st.RunID)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "drop old dispositions", `delete from dispositions d using changed c where d.case_id = c.id and not c.passed`)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "apply dispositions", `insert into dispositions (case_id, seq, date, outcome, sentence)
 select p.own, row_number() over (partition by p.own order by x.date, x.seq), x.date, x.outcome, x.sentence
 from placed p join staged s on s.ord = p.ord cross join lateral jsonb_to_recordset(s.dispositions) x (seq int, date date, outcome text, sentence text)
 where s.has_case and not exists (select from known k where k.ord = s.ord and (k.same or k.older)) order by p.own, x.date, x.seq`)
	if err != nil {
		return err
	}
	return st.mirrorMerged(ctx)
}

// refreshCases brings what a case shows of its parts in line with them: the first charge is the
// offense where the case names none, the newest hearing names the judge, the next one the link.
func (st *staging) refreshCases(ctx context.Context) error {
	err := st.exec(ctx, "analyze touched cases", `analyze touched`)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "find refreshed cases", `create temp table refreshed on commit drop as
 select c.id, c.offense as old_offense, c.judge as old_judge, c.hearing_link as old_link,
  case when t.charges and not (c.offense_own and c.snapshot_at > 'epoch') then coalesce((select description from case_charges x where x.case_id = c.id order by seq limit 1), c.offense) else c.offense end as offense,
  case when d.delta and t.hearings then coalesce((select judge from hearings h where h.case_id = c.id and h.judge is not null order by starts_at desc limit 1), c.judge) else c.judge end as judge,
  case when d.delta and t.hearings then (select link from hearings h where h.case_id = c.id and not h.cancelled and h.starts_at >= $1 order by starts_at limit 1) else c.hearing_link end as hearing_link
 from (select id, bool_or(what = 'charges') as charges, bool_or(what = 'hearings') as hearings from touched group by id) t
 join (select p.id, bool_or(not s.whole) as delta from placed p join staged s on s.ord = p.ord group by p.id) d on d.id = t.id
 join court_cases c on c.id = t.id where d.delta or c.gen <> $2 or t.charges and not c.offense_own`, st.Now, st.applied.Generation)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "write versions", `insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'courts', r.id, $1, $2, $3, f.field, f.before, f.after from refreshed r cross join lateral (values
  ('offense', nullif(r.old_offense, ''), r.offense), ('judge', r.old_judge, r.judge), ('hearing_link', r.old_link, r.hearing_link)) f (field, before, after)
 where f.before is distinct from f.after and r.id not in (`+newCases+`)`, st.Now, st.SourceID, st.RunID)
	if err != nil {
		return err
	}
	n, err := st.count(ctx, "refresh cases", `update court_cases c set offense = r.offense, judge = r.judge, hearing_link = r.hearing_link, last_change = $1, gen = $2 from refreshed r where r.id = c.id`,
		st.Now, st.applied.Generation)
	if err != nil {
		return err
	}
	// A case that is new or changed itself was counted already.
	var counted int
	err = st.tx.QueryRow(ctx, `select count(*) from refreshed r where exists (select from changed c where c.id = r.id) or r.id in (`+newCases+`)`).Scan(&counted)
	if err != nil {
		return fmt.Errorf("count cases: %w", err)
	}
	st.applied.Changed += n - counted
	return nil
}
