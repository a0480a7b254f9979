-- Open changes become events (DECISIONS.md, "Alerts").

-- name: open_changes
-- Takes open changes, oldest first, and leaves those that another process holds. A change that takes something back
-- (@last) waits until all earlier changes of its record are matched.
select c.id, c.kind, c.detected_at, c.source_id, b.watcher_rev,
  c.rid, coalesce(c.record_id, '') as record_id, c.county_id, coalesce(c.name, '') as name, c.dob, c.birth_year,
  coalesce(c.booked_at, c.detected_at) as booked_at, c.released_at, coalesce(c.charges, '{}') as charges, c.bond_cents,
  c.old_name, c.old_dob, c.old_birth_year, c.either, c.retracts,
  exists (select from withheld_bookings w where w.rid = c.rid) as withheld
from changes c
join change_batches b on b.id = c.batch_id
where c.matched_at is null
  and (c.kind <> all (@last::text[])
    or not exists (select from changes r where r.rid = c.rid and r.id < c.id and r.matched_at is null))
order by c.id
limit @limit
for update of c skip locked

-- name: rehearsed_changes
-- Returns the changes of some batches, as open_changes returns open ones. It locks nothing: its transaction wrote them.
select c.id, c.kind, c.detected_at, c.source_id, b.watcher_rev,
  c.rid, coalesce(c.record_id, '') as record_id, c.county_id, coalesce(c.name, '') as name, c.dob, c.birth_year,
  coalesce(c.booked_at, c.detected_at) as booked_at, c.released_at, coalesce(c.charges, '{}') as charges, c.bond_cents,
  c.old_name, c.old_dob, c.old_birth_year, c.either, c.retracts,
  exists (select from withheld_bookings w where w.rid = c.rid) as withheld
from changes c
join change_batches b on b.id = c.batch_id
where c.batch_id = any (@batches::bigint[])
order by c.id
limit @limit

-- name: told_before
-- Returns which of some watchers are not notified of a booking by a change: they have an event of the booking, or one
-- of an earlier change of the record. The second kind of watcher began after the booking; a record that was withheld
-- and is published again is no new booking to it.
select e.watcher_id, e.rid, n.change
from unnest(@watchers::text[], @rids::bigint[], @changes::bigint[]) n (watcher, rid, change)
join events e on e.watcher_id = n.watcher and e.rid = n.rid
where e.kind = 'booking' or e.change_id < n.change

-- name: entitled_accounts
-- Returns and locks the accounts of watchers that have events and deliveries.
select id
from accounts
where entitled and id in (select account_id from watchers where id = any (@watchers::text[]))
order by id
for key share

-- name: begin_anew
-- Begins the watchers of an account anew; the trigger of watchers sets since_rev.
update watchers set since_rev = 0 where account_id = @account and deleted_at is null

-- name: mark_matched
-- Marks changes as matched.
update changes set matched_at = @now where id = any (@ids::bigint[])

-- name: notified_of
-- Returns the events that a change must take back, the newest one of each watcher. For a retraction they are the
-- events of the change that it retracts. For a record that must not be shown any more they are all events of it, and
-- of records that were merged into it (CLAIMS.md, rules 79 and 80). "events" are all ids of these.
with notified as (
  select c.id as change, e.id as event
  from changes c
  join events e on e.change_id = c.retracts
  where c.id = any (@changes::bigint[]) and c.kind = @retraction
  union all
  select c.id, e.id
  from changes c
  join events e on e.rid = c.rid
  where c.id = any (@changes) and c.kind = @withheld and e.kind <> @withheld
  union all
  select c.id, e.id
  from changes c
  join known_bookings g on g.merged_into = c.rid
  join events e on e.rid = g.rid
  where c.id = any (@changes) and c.kind = @withheld and e.kind <> @withheld
)
select distinct on (t.change, e.watcher_id)
  t.change as change_id, e.watcher_id, e.id as event_id, e.hit_id, e.kind, e.at, e.probability, e.reasons,
  array_agg(e.id) over (partition by t.change, e.watcher_id) as events
from notified t
join events e on e.id = t.event
where e.watcher_id is not null
order by t.change, e.watcher_id, e.seq desc

-- name: write_hits
-- Stores hits. A correction renews why the watcher matches. Rows come in one order everywhere, because two
-- transactions may write the same hits.
insert into hits as h (id, account_id, watcher_id, rid, probability, reasons, at)
select id, account_id, watcher_id, rid, probability, array(select jsonb_array_elements_text(reasons::jsonb)), at
from unnest(
  @ids::text[], @accounts::text[], @watchers::text[], @rids::bigint[], @probabilities::float8[], @reasons::text[],
  @ats::timestamptz[]
) with ordinality n (id, account_id, watcher_id, rid, probability, reasons, at, place)
order by place
on conflict (watcher_id, rid) do update
set probability = excluded.probability, reasons = excluded.reasons
returning h.watcher_id, h.rid, h.id

-- name: write_events
-- Stores events, and returns the new ones. There is one event for a watcher and change, and one for a watcher and
-- booking (DECISIONS.md, "Alerts").
insert into events (
  id, account_id, kind, change_id, watcher_id, rid, hit_id, retracts, level, probability, reasons, at, created_at
)
select id, account_id, kind, change_id, watcher_id, rid, hit_id, retracts, level, probability,
  case when reasons is not null then array(select jsonb_array_elements_text(reasons::jsonb)) end, at, @now
from unnest(
  @ids::text[], @accounts::text[], @kinds::text[], @changes::bigint[], @watchers::text[], @rids::bigint[],
  @hits::text[], @retracts::text[], @levels::text[], @probabilities::float8[], @reasons::text[], @ats::timestamptz[]
) with ordinality e (
  id, account_id, kind, change_id, watcher_id, rid, hit_id, retracts, level, probability, reasons, at, place
)
order by place
on conflict do nothing
returning id

-- name: heard
-- Returns which endpoints the deliveries of events reached. "why" is why one was dropped before it was ever sent.
select event_id, webhook_id,
  case when state = 'dropped' and attempts = 0 and leased_by is null then reason end as why
from deliveries
where event_id = any (@events::text[])

-- name: fired_by_run
-- Counts the alerts that the changes of a run fired, and says whether all of these are matched. The batches of runs
-- have no index: the newest ones are looked through.
select count(distinct e.watcher_id) as alerts, coalesce(bool_and(c.matched_at is not null), false) as known
from (select id, run_id from change_batches order by id desc limit 5000) b
join changes c on c.batch_id = b.id
left join events e on e.change_id = c.id
where b.run_id = @run
