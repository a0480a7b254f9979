package reconcile

import (
	"context"
	"slices"
)

// lost tells whether one of the fields is in no row of the snapshot, though its source told it before: its key was
// renamed, so an empty value says nothing. What is known of it stays; the print of such a row is kept empty, so that
// the row is looked at again when the field is back.
func (st *staging) lost(fields ...string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(st.verdict.Lost, f) })
}

// completeCases writes into the staged rows what is known of fields that are lost, as if the source had told it: all
// that follows finds nothing to wipe. The print of such a row gets a mark, so that it is looked at again when the field is back.
func (st *staging) completeCases(ctx context.Context) error {
	if len(st.verdict.Lost) == 0 {
		return nil
	}
	err := st.exec(ctx, "find what stays of cases", `create temp table completed on commit drop as
 select s.ord, case when $1 and s.whole then coalesce(s.judge, c.judge) else s.judge end as judge, case when $2 and s.whole then coalesce(s.hearing_link, c.hearing_link) else s.hearing_link end as hearing_link,
  case when s.charges is not null then (select jsonb_agg(e || case when $4 and e->>'statute' is null and k.statute is not null then jsonb_build_object('statute', k.statute) else '{}' end
    || case when $5 and e->>'severity' is null and k.severity is not null then jsonb_build_object('severity', k.severity) else '{}' end
    || case when $6 and e->>'disposition' is null and k.disposition is not null then jsonb_build_object('disposition', k.disposition) else '{}' end order by n)
   from jsonb_array_elements(s.charges) with ordinality x (e, n) left join case_charges k on k.case_id = c.id and k.seq = (e->>'seq')::int and k.description = e->>'description')
   when $3 and s.whole then (select jsonb_agg(to_jsonb(k) order by seq) from case_charges k where k.case_id = c.id) end as charges,
  case when s.dispositions is not null then (select jsonb_agg(e || case when $8 and e->>'sentence' is null and k.sentence is not null then jsonb_build_object('sentence', k.sentence) else '{}' end order by n)
   from jsonb_array_elements(s.dispositions) with ordinality x (e, n)
   left join lateral (select max(sentence) as sentence from dispositions d where d.case_id = c.id and d.date::text = e->>'date' and d.outcome = e->>'outcome') k on true)
   when $7 and s.has_case then (select jsonb_agg(to_jsonb(k) order by seq) from dispositions k where k.case_id = c.id) end as dispositions
 from staged s join court_cases c on c.county_id = s.county_id and c.court_type = s.court_type and c.case_number = s.case_number and c.party = s.party`,
		st.lost("case.judge"), st.lost("case.link"), st.lost("charge.description"), st.lost("charge.statute"), st.lost("charge.severity"), st.lost("charge.disposition"),
		st.lost("case.disposition", "case.disposition_date", "disposition.date", "disposition.outcome"), st.lost("case.sentence", "disposition.sentence"))
	if err != nil {
		return err
	}
	err = st.exec(ctx, "complete cases", `update staged s set judge = t.judge, hearing_link = t.hearing_link, charges = t.charges, dispositions = t.dispositions, print = s.print || '\x00'
 from completed t where t.ord = s.ord and (s.judge, s.hearing_link, s.charges, s.dispositions) is distinct from (t.judge, t.hearing_link, t.charges, t.dispositions)`)
	if err != nil {
		return err
	}
	return st.completeHearings(ctx)
}

// completeHearings does the same for hearings. Where the court's numbers or the times are lost, a hearing is known by
// its day, and by its time or as the only one of that day.
func (st *staging) completeHearings(ctx context.Context) error {
	return st.exec(ctx, "complete hearings", `with completed as (
 select s.ord, case when s.hearings is not null then (select jsonb_agg(e || case when k.event <> e->>'event' then jsonb_build_object('event', k.event) else '{}' end
    || case when $2 and e->>'time' is null and k.time is not null then jsonb_build_object('time', k.time, 'starts_at', k.starts_at) else '{}' end
    || case when $4 and e->>'kind' is null and k.kind is not null then jsonb_build_object('kind', k.kind) else '{}' end
    || case when $5 and e->>'judge' is null and k.judge is not null then jsonb_build_object('judge', k.judge) else '{}' end
    || case when $6 and e->>'location' is null and k.location is not null then jsonb_build_object('location', k.location) else '{}' end
    || case when $7 and e->>'link' is null and k.link is not null then jsonb_build_object('link', k.link) else '{}' end
    || case when $8 and k.cancelled then jsonb_build_object('cancelled', true) else '{}' end order by n)
   from jsonb_array_elements(s.hearings) with ordinality x (e, n) left join lateral (select h.* from hearings h where h.case_id = c.id and h.date::text = e->>'date' and (h.event = e->>'event'
     or ($2 or $3) and e->>'event' = (e->>'date') || 'T' || coalesce(e->>'time', '') and (h.time is not distinct from e->>'time'
      or $2 and e->>'time' is null and (select count(*) from hearings o where o.case_id = c.id and o.date = h.date) = 1)) order by h.event <> e->>'event' limit 1) k on true)
   when $1 and s.whole then (select jsonb_agg(to_jsonb(k) order by starts_at, event) from hearings k where k.case_id = c.id) end as hearings
 from staged s join court_cases c on c.county_id = s.county_id and c.court_type = s.court_type and c.case_number = s.case_number and c.party = s.party)
 update staged s set hearings = t.hearings from completed t where t.ord = s.ord and s.hearings is distinct from t.hearings`,
		st.lost("hearing.date"), st.lost("hearing.time"), st.lost("hearing.event"), st.lost("hearing.kind"), st.lost("hearing.judge"), st.lost("hearing.location"), st.lost("hearing.link"), st.lost("hearing.cancelled"))
}
