-- Rows that could not be applied. A row that comes again is known by its fingerprint and kept once (CLAIMS.md,
-- rule 11).

-- name: quarantine_rows
-- Stores the refused rows of a run. A row that comes again is counted, and belongs to this run from now on, unless this
-- run repeats one of before the row came last. Returns how many are in quarantine for the first time: only a row that
-- was updated has an xmax.
with later as (
  select q.id
  from runs mine
  join runs repeated on repeated.id = mine.replay_of
  join quarantine q on q.source_id = @source and q.resolved_at is null
  join runs r on r.id = q.run_id
  where mine.id = @run
    and coalesce(r.snapshot_at, r.started_at) > coalesce(repeated.snapshot_at, repeated.started_at)
),
put as (
insert into quarantine as q (
  run_id, source_id, county_id, line, field, reason, encrypted, fingerprint, times, at, last_at, expires_at
)
select @run, s.id, coalesce(u.county, s.county_id), u.line, u.field, u.reason, u.encrypted, u.fingerprint, u.times, @at,
  @at, @expires
from unnest(
  @lines::bigint[], @counties::smallint[], @fields::text[], @reasons::text[], @encrypted::bytea[],
  @fingerprints::bytea[], @times::int[]
) u (line, county, field, reason, encrypted, fingerprint, times)
join sources s on s.id = @source
on conflict (source_id, fingerprint) where resolved_at is null and fingerprint is not null do update
set times = q.times + excluded.times, last_at = excluded.last_at, encrypted = excluded.encrypted,
    expires_at = excluded.expires_at,
    run_id = case when q.id in (select id from later) then q.run_id else excluded.run_id end,
    line = case when q.id in (select id from later) then q.line else excluded.line end
returning q.xmax = 0 as fresh
)
select count(*) filter (where fresh) from put

-- name: resolve_quarantine
-- Resolves the rows of a run that a replay could take. Run @as read the documents of @run again. Rows that any reading
-- of these documents refused are resolved, but for those that @as refused as well.
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
-- Returns the runs that have open rows and whose documents are still kept, oldest snapshot first. A replay has the
-- documents of the run that it repeats.
with recursive open (id) as (
  select distinct run_id
  from quarantine
  where source_id = @source and resolved_at is null and ignored_at is null
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
