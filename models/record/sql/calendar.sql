-- Hearings for calendar subscriptions.

-- name: calendar
-- Returns the hearings of a case, with how often each changed. Hearings that the court removed are among them: only
-- the versions say when those would have begun.
with versions as (
  select substr(v.field, length('hearing ') + 1) as event, count(*)::int as n, max(v.at) as at,
    (array_agg(coalesce(v.after, v.before) order by v.id desc))[1]::json ->> 'startsAt' as starts_at,
    (array_agg(v.after is null order by v.id desc))[1] as ended
  from reachable_case_versions v
  where v.record = @case and v.field like 'hearing %'
  group by 1
)
select h.event, h.starts_at, coalesce(h.time, '00:00') = '00:00' as whole_day, h.kind, h.judge, h.location, h.link,
  h.cancelled, coalesce(t.n, 0) as revision, coalesce(t.at, @first_seen) as changed
from published_hearings h
left join versions t using (event)
where h.case_id = @case
union all
select t.event, t.starts_at::timestamptz, georgia_clock(t.starts_at::timestamptz)::time = '00:00', null, null, null,
  null, true, t.n, t.at
from versions t
where t.ended
  and t.starts_at is not null
  and not exists (select from published_hearings h where h.case_id = @case and h.event = t.event)
order by 2, 1
