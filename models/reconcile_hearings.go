package models

import "context"

// timeHearings gives a hearing that was known by its day alone, without a number or a time, the time that the court tells
// of it now: it is that hearing, neither taken back nor another one. Only where one of that day can be meant, and the
// court does not go on telling the one without a time. Both are looked for in sets: of told the server knows nothing.
func (st *staging) timeHearings(ctx context.Context) error {
	return st.exec(ctx, "time hearings", `with timed as materialized (select t.id, t.date, min(t.event) as event, min(t.seen_at) as seen_at from told t
  where not t.removed and t.time <> '00:00' and t.event = t.date::text || 'T' || t.time group by 1, 2 having count(*) = 1),
 found as materialized (select h.id, h.case_id, h.event as old, t.event from timed t cross join lateral (
   select id, case_id, event from hearings where case_id = t.id and event in (t.date::text || 'T', t.date::text || 'T00:00') and snapshot_at <= t.seen_at limit 2) h),
 same as (select distinct on (f.case_id, f.event) f.* from found f where not exists (select from told x where x.id = f.case_id and x.event = f.old)
   and not exists (select from hearings x where x.case_id = f.case_id and x.event = f.event) order by f.case_id, f.event, f.old),
 numbered as (update hearings h set event = s.event from same s where h.id = s.id)
 update record_changes v set field = 'hearing ' || s.event from same s where v.family = 'courts' and v.record = s.case_id and v.field = 'hearing ' || s.old`)
}
