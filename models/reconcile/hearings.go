package reconcile

import "context"

// timeHearings gives a hearing that was known by its day alone, without a number or a time, the time that the court tells
// of it now: it is that hearing, neither taken back nor another one. Only where one of that day can be meant, and the
// court does not go on telling the one without a time.
func (st *staging) timeHearings(ctx context.Context) error {
	const timed = `t.time <> '00:00' and t.event = t.date::text || 'T' || t.time`
	return st.exec(ctx, "time hearings", `with timed as materialized (
  select t.id, t.date, min(t.event) filter (where `+timed+`) as event, min(t.seen_at) as seen_at from told t where not t.removed group by 1, 2
  having count(*) filter (where `+timed+`) = 1 and not bool_or(t.event in (t.date::text || 'T', t.date::text || 'T00:00'))),
 same as materialized (select h.id, h.case_id, h.event as old, t.event from timed t cross join lateral (
   select id, case_id, event from hearings where case_id = t.id and event in (t.date::text || 'T', t.date::text || 'T00:00') and snapshot_at <= t.seen_at order by event limit 1) h
  left join lateral (select true as known from hearings where case_id = t.id and event = t.event limit 1) x on true where x.known is null),
 numbered as (update hearings h set event = s.event from same s where h.id = s.id)
 update record_changes v set field = 'hearing ' || s.event from same s where v.family = 'courts' and v.record = s.case_id and v.field = 'hearing ' || s.old`)
}
