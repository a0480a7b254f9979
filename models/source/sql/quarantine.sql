-- Rows that could not be applied. A row that comes again is known by its fingerprint and kept once.

-- name: quarantine_rows
-- One that comes again counts, and is of this run from now on. One that waits for its case or booking is of the run that
-- reports of the latest instant.
insert into quarantine as q (
  run_id, source_id, line, field, reason, encrypted, fingerprint, times, at, last_at, expires_at,
  pending_county, pending_court, pending_number, pending_party, seen_at)
select @run, @source, u.line, u.field, u.reason, u.encrypted, u.fingerprint, u.times, @at, @at, @expires,
  u.county, u.court, u.number, u.party, u.seen
from unnest(
  @lines::bigint[], @fields::text[], @reasons::text[], @encrypted::bytea[], @fingerprints::bytea[], @times::int[],
  @counties::smallint[], @courts::text[], @numbers::text[], @parties::text[], @seen::timestamptz[]
) u (line, field, reason, encrypted, fingerprint, times, county, court, number, party, seen)
on conflict (source_id, fingerprint) where resolved_at is null and fingerprint is not null do update
set times = q.times + excluded.times, last_at = excluded.last_at, seen_at = greatest(q.seen_at, excluded.seen_at),
    run_id = case when q.seen_at > excluded.seen_at then q.run_id else excluded.run_id end,
    line = case when q.seen_at > excluded.seen_at then q.line else excluded.line end,
    encrypted = case when q.seen_at > excluded.seen_at then q.encrypted else excluded.encrypted end,
    expires_at = case when q.seen_at > excluded.seen_at then q.expires_at else excluded.expires_at end

-- name: resolve_quarantine
-- A run @as read the documents of @run again. Rows that @run, or any reading of its documents, could not take are resolved:
-- all but those that @as could not take either.
with recursive up (id) as (
  select @run::bigint
  union
  select r.replay_of from runs r join up on up.id = r.id where r.replay_of is not null
),
same (id) as (
  select id from up
  union
  select r.id from runs r join same on r.replay_of = same.id
)
update quarantine
set resolved_at = @now
where run_id in (select id from same) and run_id <> @as and resolved_at is null

-- name: quarantined_runs
-- Runs that have open rows, if the documents that they read, as a replay those of another run, are still kept. Oldest
-- snapshot first.
with recursive open (id) as (
  select distinct run_id from quarantine where source_id = @source and resolved_at is null
),
chain (id, run) as (
  select id, id from open
  union
  select r.replay_of, c.run from runs r join chain c on c.id = r.id where r.replay_of is not null
)
select c.run
from chain c
join archives a on a.run_id = c.id
group by c.run
order by max(a.observed_at), c.run

-- name: pending_runs
-- As quarantined_runs, of the rows that waited for a case or a booking that is there now. Nothing of a held source may be
-- applied.
with recursive open (id) as (
  select distinct q.run_id
  from quarantine q
  where q.source_id = @source and q.resolved_at is null and q.pending_number is not null and q.expires_at > @now
    and exists (select from sources where id = @source and held_since is null)
    and case
      when q.pending_county is null then exists (
        select from roster_claims c where c.source_id = q.source_id and c.key = q.pending_number)
      else exists (
        select from known_cases c
        where c.county_id = q.pending_county and c.court_type = q.pending_court and c.case_number = q.pending_number
          and (q.pending_party is null or c.party = q.pending_party))
    end
),
chain (id, run) as (
  select id, id from open
  union
  select r.replay_of, c.run from runs r join chain c on c.id = r.id where r.replay_of is not null
)
select c.run
from chain c
join archives a on a.run_id = c.id
group by c.run
order by max(a.observed_at), c.run

-- name: pending_sources
-- Sources of which rows waited for a case or a booking that is there now.
select distinct q.source_id
from quarantine q
where q.resolved_at is null and q.pending_number is not null and q.expires_at > @now
  and case
    when q.pending_county is null then exists (
      select from roster_claims c where c.source_id = q.source_id and c.key = q.pending_number)
    else exists (
      select from known_cases c
      where c.county_id = q.pending_county and c.court_type = q.pending_court and c.case_number = q.pending_number
        and (q.pending_party is null or c.party = q.pending_party))
  end
order by 1
