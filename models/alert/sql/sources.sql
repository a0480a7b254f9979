-- Notices about sources.

-- name: stale_accounts
-- Returns the accounts that a change of a source concerns: they have watchers that it feeds, and an endpoint that asks
-- for such notices or an Atom subscription. A recovery concerns the accounts that were notified of the failure.
with fed as (
  select array_agg(k.id) as ids, array_agg(k.name order by k.name) as names
  from counties k
  where k.id in (
    select county_id from source_counties where source_id = @source
    union
    select county_id from sources where id = @source)
)
select w.account_id, count(*) as watchers, s.title as source, coalesce(f.names, '{}') as counties,
  greatest(s.last_success, s.last_applied) as last_success
from sources s
cross join fed f
join accounts a on a.entitled
join watchers w on w.account_id = a.id
  and w.deleted_at is null
  and not w.paused
  and (w.county_id is null or f.ids is null or w.county_id = any (f.ids))
where s.id = @source
  and (
    exists (
      select
      from webhooks h
      where h.account_id = w.account_id
        and h.deleted_at is null
        and @notice::text = any (h.notices))
    or exists (select from atom_subscriptions x where x.account_id = w.account_id and x.revoked_at is null))
  and (
    @kind <> @recovered::text
    or exists (
      select
      from events e
      join changes o on o.id = e.change_id
      where e.account_id = w.account_id and e.kind = @stale and o.source_id = @source))
group by w.account_id, s.title, f.names, s.last_success, s.last_applied
order by w.account_id

-- name: note_sources
-- Notes the sources that became stale or recovered, each turn once: the caller holds the lock of it. A source is stale
-- when it is held or refused, or had no success, or no newer data, for @intervals of its intervals. A source that
-- never succeeded is not stale, because nobody has relied on it yet. Where the rows of a source name their county,
-- each county is asked, since the scope is the unit of freshness (DECISIONS.md, "Holding"). It shares the schedule,
-- and a hold or refusal, of its source.
with state as (
  select s.id,
    s.held_since is not null
    or p.held_since is not null
    or s.refused_since is not null
    or p.refused_since is not null
    or coalesce(
      @now - greatest(p.last_success, s.last_success, s.last_applied)
        > make_interval(secs => s.interval_seconds) * @intervals::int,
      false)
    or coalesce(
      @now - s.data_at
        > make_interval(secs => case
          when p.id is not null and s.whole_since is null then greatest(s.data_seconds, 86400)
          else s.data_seconds
        end) * @intervals,
      false) as stale
  from sources s
  left join sources p on p.id = s.parent
  where coalesce(p.enabled, s.enabled)
    and (s.county_id is not null or not exists (select from sources c where c.parent = s.id))
    and p.county_id is null
    and s.retired_at is null
    and s.kind = @family
    and (s.interval_seconds is not null or s.data_seconds is not null)
    and greatest(s.last_success, s.last_applied) is not null
),
turns as (
  select id, case when stale then @stale else @recovered end as kind
  from state
  where stale is distinct from coalesce(
    (select c.kind = @stale from changes c where c.source_id = state.id and c.rid is null order by c.id desc limit 1),
    false)
),
batches as (
  insert into change_batches (source_id, detected_at, watcher_rev)
  select id, @now::timestamptz, 0
  from turns
  order by id
  returning id, source_id
)
insert into changes (batch_id, kind, detected_at, source_id)
select b.id, t.kind, @now, t.id
from batches b
join turns t on t.id = b.source_id
order by b.id
