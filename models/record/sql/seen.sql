-- When a source last showed records (CLAIMS.md, rule 26). A record shown again without a change is not written again:
-- the newest complete snapshot of a source has shown every record that it does not miss.

-- name: last_seen_roster
-- Returns when bookings were last seen.
select b.rid as key,
  greatest(b.last_seen, (select max(c.at) from claims_seen c where c.family = 'roster' and c.record = b.rid)) as at
from reachable_bookings b
where b.rid = any (@keys)

-- name: last_seen_courts
-- Returns when cases were last seen. A court reports changes only, so that is when the case or a part of it last
-- changed.
select c.id as key, greatest(c.last_seen, (select max(snapshot_at) from published_hearings where case_id = c.id)) as at
from reachable_cases c
where c.id = any (@keys)

-- name: last_seen_corrections
-- Returns when corrections records were last seen.
select o.cid as key,
  greatest(o.last_seen, (select max(c.at) from claims_seen c where c.family = 'corrections' and c.record = o.cid)) as at
from reachable_corrections o
where o.cid = any (@keys)

-- name: reported_by_roster
-- Returns the newest instant, of snapshots read by @at, of what may have shown a booking: a snapshot that changed it,
-- or a complete one of a source that lists it. until is when the record was no longer shown.
select k.key,
  greatest(
    (
      select max(r.snapshot_at)
      from reachable_booking_versions v
      join runs r on r.id = v.run_id
      where v.record = k.key
        and v.at <= @at
        and r.snapshot_at < coalesce(k.until, 'infinity')),
    (
      select max(r.snapshot_at)
      from runs r
      where r.complete
        and r.started_at <= @at
        and r.snapshot_at < coalesce(k.until, 'infinity')
        and (
          r.source_id = b.source_id
          or r.source_id in (
            select source_id from claims_seen where family = 'roster' and record = b.rid)))) as reported
from unnest(@keys::bigint[], @until::timestamptz[]) k (key, until)
join reachable_bookings b on b.rid = k.key

-- name: reported_by_courts
-- Returns the same of cases. A court has no complete snapshots, because it reports changes only.
select k.key, (
  select max(r.snapshot_at)
  from reachable_case_versions v
  join runs r on r.id = v.run_id
  where v.record = k.key and v.at <= @at and r.snapshot_at < coalesce(k.until, 'infinity')) as reported
from unnest(@keys::bigint[], @until::timestamptz[]) k (key, until)
join reachable_cases c on c.id = k.key

-- name: reported_by_corrections
-- Returns the same of corrections records.
select k.key,
  greatest(
    (
      select max(r.snapshot_at)
      from reachable_corrections_versions v
      join runs r on r.id = v.run_id
      where v.record = k.key
        and v.at <= @at
        and r.snapshot_at < coalesce(k.until, 'infinity')),
    (
      select max(r.snapshot_at)
      from runs r
      where r.complete
        and r.started_at <= @at
        and r.snapshot_at < coalesce(k.until, 'infinity')
        and r.source_id = o.source_id)) as reported
from unnest(@keys::bigint[], @until::timestamptz[]) k (key, until)
join reachable_corrections o on o.cid = k.key
