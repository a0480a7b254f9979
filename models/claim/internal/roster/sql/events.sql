-- Changes of bookings, from which events for watchers are made (CLAIMS.md, rules 79 and 80).

-- name: baseline
-- Reports whether this is the first successful run of the source, or the first after an outage (DECISIONS.md,
-- "Alerts": baseline). A source without a schedule has no outage. A scope is read with its source, and one of a source
-- that reports only changes need not be in each file.
select greatest(s.last_applied, s.last_success) is null
  or coalesce(
    @now - greatest(s.last_applied, s.last_success, p.last_success) > make_interval(secs => s.interval_seconds) * 3,
    false)
  or coalesce(
    s.interval_seconds is not null
    and @now - s.data_at > make_interval(
      secs => case
        when p.id is not null and s.whole_since is null then greatest(s.data_seconds, 86400)
        else s.data_seconds
      end) * 3,
    false)
from sources s
left join sources p on p.id = s.parent
where s.id = @source

-- name: begin_batch
-- Begins the batch of this run's changes.
insert into change_batches (source_id, run_id, detected_at, watcher_rev)
values (@source, nullif(@run::bigint, 0), @at, 0)
returning id

-- name: new_changes
-- Writes the changes of bookings that this run made. Those before @since are older than a baseline announces.
insert into changes (
  batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, released_at,
  release_inferred, release_absent, charges, bond_cents
)
select @batch, v.kind, @at, @source, b.rid, b.id, b.county_id, b.name, b.dob, b.birth_year, b.booked_at,
  b.released_at, b.release_inferred, b.release_after is not null, b.charges, b.bond_cents
from bookings b
cross join lateral (values ('booking', b.booked_at), ('release', b.released_at)) v (kind, at)
where b.rid between @first and @last
  and b.gen = @gen
  and b.withheld is null
  and b.merged_into is null
  and v.at >= @since
order by b.rid, v.kind

-- name: known_changes
-- Writes the changes of bookings that were known. Only a release that was announced is retracted, and only once. A
-- hidden record is announced only where there was a change before.
insert into changes (
  batch_id, kind, detected_at, source_id, rid, record_id, county_id, name, dob, birth_year, booked_at, released_at,
  release_inferred, release_absent, charges, bond_cents, old_bond_cents, old_name, old_dob, old_birth_year, either,
  retracts
)
select distinct on (b.rid, u.kind) @batch, u.kind, @at, @source, b.rid, b.id, b.county_id, b.name, b.dob,
  b.birth_year, b.booked_at, b.released_at, b.release_inferred, b.release_after is not null, b.charges, b.bond_cents,
  u.old_bond, u.old_name, u.old_dob, u.old_year, u.either, r.id
from unnest(
  @records::bigint[], @kinds::text[], @old_bonds::bigint[], @old_names::text[], @old_dobs::date[],
  @old_years::smallint[], @either::boolean[]
) u (rid, kind, old_bond, old_name, old_dob, old_year, either)
join bookings b on b.rid = u.rid
left join lateral (
  select id
  from changes c
  where u.kind = 'retraction' and c.rid = b.rid and c.kind = 'release'
  order by id desc
  limit 1
) r on true
where case u.kind
  when 'retraction' then r.id is not null and not exists (select from changes t where t.retracts = r.id)
  when 'sealed' then exists (select from changes c where c.rid = b.rid)
    or exists (select from bookings g where g.merged_into = b.rid)
  else true
end
order by b.rid, u.kind, u.old_name nulls first

-- name: wait_for_watchers
-- Takes, last before the commit, the lock that each new watcher waits for. Every watcher is either before this batch
-- or after it (DECISIONS.md, "Alerts").
select settle_watchers()

-- name: note_watchers
-- Stores up to which watcher the batch is matched.
update change_batches
set watcher_rev = coalesce((select max(rev) from watchers), 0)
where id = @batch

-- name: cancel_deliveries
-- Drops the deliveries under way about records, except for the notice that a record is withheld, which names nobody
-- (CLAIMS.md, rule 79). Rows are locked in one order, as by the transactions that record attempts.
update deliveries d
set state = 'dropped', reason = @reason, next_attempt = null, leased_until = null, leased_by = null, updated_at = @at
from (
  select id
  from deliveries
  where event_id in (select id from events where rid = any(@records::bigint[]))
    and kind <> 'sealed'
    and state in ('pending', 'failed')
  order by id
  for update
) open
where d.id = open.id
